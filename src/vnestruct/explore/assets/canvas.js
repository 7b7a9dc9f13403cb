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
  const { canvas, ratio, view, points } = plot;
  const brush = canvas.getContext("2d");
  const [across, down] = [view.sx * ratio, view.sy * ratio];
  const [left, top] = view.toScreen(0, 0).map((one) => one * ratio);
  const x = (place) => left + points.x[place] * across;
  const y = (place) => top - points.y[place] * down;
  brush.clearRect(0, 0, canvas.width, canvas.height);
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
  const result = picture(view.width, view.height);
  result.append(shape("rect", { width: view.width, height: view.height, fill: themeColour("--card") }));
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
