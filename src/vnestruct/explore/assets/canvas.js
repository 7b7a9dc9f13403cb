// Where the points of a plot are on the screen: a centre and a scale for each axis; y grows upwards.

class Transform {
  constructor(equal) {
    this.equal = equal;
    Object.assign(this, { width: 1, height: 1, left: 0, top: 0, bottom: 0, x: 0, y: 0, sx: 1, sy: 1, home: null });
  }

  // The whole of the points, with a margin; `left`, `top` and `bottom` are kept free for axes.
  fit(low, high) {
    const spanX = Math.max(high[0] - low[0], 1e-9);
    const spanY = Math.max(high[1] - low[1], 1e-9);
    const [width, height] = [Math.max(20, this.width - this.left), Math.max(20, this.height - this.top - this.bottom)];
    this.sx = (0.9 * width) / spanX;
    this.sy = (0.88 * height) / spanY;
    if (this.equal) this.sx = this.sy = Math.min(this.sx, this.sy);
    this.x = (low[0] + high[0]) / 2;
    this.y = (low[1] + high[1]) / 2;
    this.home = { x: this.x, y: this.y, sx: this.sx, sy: this.sy };
  }

  get zoom() { return this.home ? this.sx / this.home.sx : 1; }

  get middle() { return [(this.width + this.left) / 2, (this.height + this.top - this.bottom) / 2]; }

  toScreen(x, y) {
    const [a, b] = this.middle;
    return [a + (x - this.x) * this.sx, b - (y - this.y) * this.sy];
  }

  shows([a, b]) {
    return a > -20 && b > -20 && a < this.width + 20 && b < this.height + 20;
  }

  toWorld(a, b) {
    const [c, d] = this.middle;
    return [this.x + (a - c) / this.sx, this.y - (b - d) / this.sy];
  }

  pan(dx, dy) {
    this.x -= dx / this.sx;
    this.y += dy / this.sy;
  }

  zoomAt(factor, a, b) {
    const limited = Math.min(4000, Math.max(0.2, this.zoom * factor)) / this.zoom;
    const [x, y] = this.toWorld(a, b);
    this.sx *= limited;
    this.sy *= limited;
    this.x = x + (this.x - x) / limited;
    this.y = y + (this.y - y) / limited;
  }
}

// Links and marks of a plot, on a canvas or as the text of an SVG picture.

const MOST_STAMPS = 5000;
// Smaller marks, in quarters of a pixel from the centre to the edge, are squares: nobody could tell their shapes apart.
const LEAST_STAMP = 8;
const stamps = { made: new Map(), of: "" };

// A mark as a small picture that is copied wherever the mark stands, which is much faster than to draw it again.
function stampOf(shape, colour, size, outline) {
  const key = (colour * SHAPES.length + shape) * 1024 + size;
  let stamp = stamps.made.get(key);
  if (!stamp) {
    const radius = size / 4;
    const side = Math.ceil(2 * REACH * radius) + 2;
    const canvas = new OffscreenCanvas(side, side);
    const brush = canvas.getContext("2d");
    const path = new Path2D(shapePath(shape, side / 2, side / 2, radius));
    brush.fillStyle = hex(colour);
    brush.fill(path);
    brush.strokeStyle = outline;
    brush.lineWidth = 0.2 * radius;
    brush.stroke(path);
    stamp = canvas.transferToImageBitmap();
    stamps.made.set(key, stamp);
  }
  return stamp;
}

function paintMarks(plot, style) {
  const { canvas, ratio, view, points, brush } = plot;
  const [across, down] = [view.sx * ratio, view.sy * ratio];
  const [left, top] = view.toScreen(0, 0).map((one) => one * ratio);
  const x = (place) => left + points.x[place] * across;
  const y = (place) => top - points.y[place] * down;
  brush.lineWidth = ratio;
  for (const [ends, stroke] of [[style.links && plot.links, style.links], [plot.own, style.own]]) {
    if (!ends) continue;
    brush.strokeStyle = stroke;
    brush.beginPath();
    for (let i = 0; i < ends.length; i += 2) {
      const [a, b] = [x(ends[i]), x(ends[i + 1])];
      const [c, d] = [y(ends[i]), y(ends[i + 1])];
      if ((a < 0 && b < 0) || (c < 0 && d < 0) || (a > canvas.width && b > canvas.width) || (c > canvas.height && d > canvas.height)) continue;
      brush.moveTo(a, c);
      brush.lineTo(b, d);
    }
    brush.stroke();
  }
  const look = `${style.outline} ${ratio}`;
  if (stamps.of !== look || stamps.made.size > MOST_STAMPS) Object.assign(stamps, { made: new Map(), of: look });
  const margin = 20 * ratio;
  let [alpha, colour] = [-1, -1];
  for (const place of plot.order) {
    const [a, b] = [x(place), y(place)];
    if (a < -margin || b < -margin || a > canvas.width + margin || b > canvas.height + margin) continue;
    if (plot.alphas[place] !== alpha) brush.globalAlpha = (alpha = plot.alphas[place]) / 255;
    const size = Math.max(4, Math.round(4 * ratio * points.size[place] * style.grow));
    if (size < LEAST_STAMP) {
      if (plot.colours[place] !== colour) brush.fillStyle = hex(colour = plot.colours[place]);
      brush.fillRect(a - 0.22 * size, b - 0.22 * size, 0.44 * size, 0.44 * size);
    } else {
      const stamp = stampOf(plot.shapes[place], plot.colours[place], size, style.outline);
      brush.drawImage(stamp, a - stamp.width / 2, b - stamp.width / 2);
    }
  }
  brush.globalAlpha = 1;
}

function hex(colour) {
  return `#${colour.toString(16).padStart(6, "0")}`;
}

// A plot as an SVG picture; what is wholly outside is left out.
function plotAsSvg(plot) {
  const { view, points } = plot;
  const style = plot.style();
  const result = picture(view.width, view.height, { ground: true });
  for (const [ends, stroke] of [[plot.links, style.links], [plot.own, style.own]]) {
    const lines = [];
    for (let i = 0; i < ends.length; i += 2) {
      const line = [plot.at(ends[i]), plot.at(ends[i + 1])];
      if (line.some((end) => view.shows(end))) lines.push(linePath(line));
    }
    if (lines.length) result.append(shape("path", { d: lines.join(""), fill: "none", stroke }));
  }
  for (const place of plot.order) {
    const [x, y] = plot.at(place);
    if (!view.shows([x, y])) continue;
    const d = shapePath(plot.shapes[place], x, y, Math.max(1, points.size[place] * style.grow));
    result.append(shape("path", { d, fill: hex(plot.colours[place]), "fill-opacity": (plot.alphas[place] / 255).toFixed(2) }));
  }
  for (const { text, x, y, size, anchor } of [...plot.axisWords(), ...plot.labelWords()]) {
    result.append(words(text, x, y, { "font-size": size, "text-anchor": anchor }));
  }
  return result;
}

// Which nodes of a plot are named: typical nodes of each role and hubs, the more and the larger the nearer one looks.

const NEVER_MORE = 120;

// Places of a plot in the order in which they deserve a label.
function labelRank(data, nodes) {
  const typical = new Set(data.roles.flatMap((one) => one.examples.slice(0, 1)));
  const order = Uint32Array.from(nodes.keys());
  return order.sort((a, b) => typical.has(nodes[b]) - typical.has(nodes[a]) || data.degree[nodes[b]] - data.degree[nodes[a]] || a - b);
}

function isFree(boxes, [left, top, right, bottom]) {
  return !boxes.some((one) => one[0] < right && left < one[2] && one[1] < bottom && top < one[3]);
}

function placedLabels(plot) {
  const { view, points, page } = plot;
  const { grow } = plot.style();
  const area = (view.width * view.height) / 60_000;
  const zoom = Math.max(1, view.zoom);
  const most = Math.min(NEVER_MORE, Math.round(area * (plot.axes ? 0.8 : 1.6) * (1 + 1.2 * Math.log2(zoom))));
  const size = Math.min(15, 10.5 + 0.8 * Math.log2(zoom));
  const boxes = [];
  const placed = [];
  const add = (place, strong) => {
    const [x, y] = plot.at(place);
    if (x < view.left || y < 0 || x > view.width || y > view.height - view.bottom) return;
    // A mark may stand for several nodes, the selected one among them.
    const text = shortened(nameOf(page.data, place === plot.chosen ? page.focus : points.node[place]).replace(/\s+/g, " "), 24);
    const width = 0.56 * size * text.length + 4;
    const gap = points.size[place] * grow * 1.2 + 3;
    const right = x + gap + width <= view.width;
    const left = right ? x + gap : x - gap - width;
    const box = [left, y - size * 0.8, left + width, y + size * 0.5];
    if (left < view.left || (!strong && !isFree(boxes, box))) return;
    boxes.push(box);
    placed.push({ text, x: right ? left : left + width, y: y + size * 0.35, size: strong ? size + 1 : size, anchor: right ? "start" : "end", strong });
  };
  if (plot.chosen >= 0) add(plot.chosen, true);
  for (const place of plot.rank) {
    if (placed.length >= most) break;
    if (place !== plot.chosen && (!plot.dimmed || plot.bright[place])) add(place, false);
  }
  return placed;
}
