// A plot of nodes that moves and zooms: marks and links, and above them labels, axes and rings.

const MOST_MOVING = 50_000;
const REST = 250;

class Plot {
  // `points`: node, x, y, size of each mark, their order, and links between them; `axes`: names, or null for a drawing.
  constructor(page, host, points, axes) {
    const count = points.node.length;
    Object.assign(this, { page, host, points, axes, chosen: -1, alike: [], hovered: -1, dimmed: false, lasso: null });
    Object.assign(this, { order: points.order, links: points.links, own: [], shapes: points.shape });
    Object.assign(this, { colours: new Uint32Array(count), alphas: new Uint8Array(count), bright: new Uint8Array(count) });
    this.view = new Transform(axes === null);
    if (axes) Object.assign(this.view, { left: 44, top: 18, bottom: 34 });
    this.canvas = element("canvas");
    this.brush = this.canvas.getContext("2d");
    this.tip = element("div", { className: "tip", hidden: true });
    host.replaceChildren(this.canvas, this.tip);
    const [x, y] = [extent(points.x), extent(points.y)];
    this.bounds = [[x[0], y[0]], [x[1], y[1]]];
    this.rank = labelRank(page.data, points.node);
    listenToPointer(this);
    listenToKeys(this);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  resize() {
    const { width, height } = this.host.getBoundingClientRect();
    if (width < 2 || height < 2) return;
    const { home, x, y, zoom } = this.view;
    Object.assign(this.view, { width, height });
    this.view.fit(...this.bounds);
    if (this.pending || home) this.place(this.pending ?? { x, y, zoom });
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    this.canvas.width = Math.round(width * this.ratio);
    this.canvas.height = Math.round(height * this.ratio);
    this.draw();
  }

  // Show a part at a magnification, as soon as there is a place for it.
  place(wanted) {
    const { view } = this;
    this.pending = view.home ? null : wanted;
    if (!view.home) return;
    const { x, y, zoom } = wanted;
    Object.assign(view, { x, y, sx: view.home.sx * zoom, sy: view.home.sy * zoom });
    this.draw();
  }

  reset() {
    this.view.fit(...this.bounds);
    this.moved();
  }

  allowLasso(button) {
    this.lassoMode = !this.lassoMode;
    button.setAttribute("aria-pressed", String(this.lassoMode));
    this.host.classList.toggle("lasso", this.lassoMode);
  }

  moved() {
    this.lastMove = performance.now();
    this.draw();
    this.page.remember();
  }

  colour(colourOf) {
    this.points.node.forEach((node, place) => { this.colours[place] = parseInt(colourOf(node).slice(1), 16); });
    this.fade();
  }

  // `wanted` are the nodes that stand out, or null; `chosen` is the node in focus, `alike` those similar to it.
  select(wanted, chosen, alike) {
    const placesOf = (nodes) => Array.from(nodes, (node) => this.placeOf(node)).filter((place) => place >= 0);
    Object.assign(this, { dimmed: wanted !== null, chosen: this.placeOf(chosen), alike: placesOf(alike) });
    this.bright.fill(0);
    for (const place of placesOf(wanted ?? [])) this.bright[place] = 1;
    const near = this.axes === null && this.chosen >= 0 ? placesOf(neighboursOf(this.page.data, chosen)) : [];
    this.own = near.flatMap((place) => [this.chosen, place]);
    this.fade();
  }

  placeOf(node) { return node < 0 ? -1 : this.points.placeOf(node); }

  fade() {
    const many = this.points.node.length > 3000;
    const [plain, faint] = many ? [205, 24] : [235, 36];
    this.alphas.forEach((_, place) => { this.alphas[place] = !this.dimmed ? plain : this.bright[place] ? 255 : faint; });
    // What stands out is drawn last.
    const { order } = this.points;
    this.order = this.dimmed ? [0, 1].flatMap((turn) => Array.from(order).filter((place) => this.bright[place] === turn)) : order;
    this.draw();
  }

  style() {
    const { view } = this;
    // Links fade where many share the picture; nodes are drawn above them.
    const crowd = this.links.length / 2 / Math.max(1, view.zoom ** 1.5) / ((view.width * view.height) / 1000);
    const alpha = Math.min(0.5, Math.max(0.01, 0.35 / Math.max(0.4, crowd) ** 0.75)) * (this.page.nodes.length ? 0.2 : 1);
    const own = Math.min(0.8, 0.15 + 8 / Math.sqrt(this.own.length + 1));
    return {
      links: this.skipLinks ? null : rgba(themeColour("--muted"), alpha), own: rgba(themeColour("--accent"), own), alpha,
      outline: themeColour("--card"), grow: Math.min(3.5, Math.max(0.7, view.zoom ** 0.3)),
    };
  }

  draw() {
    if (this.waiting || !this.ratio) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.paint();
    });
  }

  // Of many links, none are drawn until the movement ends.
  paint() {
    this.skipLinks = this.links.length > 2 * MOST_MOVING && performance.now() - (this.lastMove ?? -Infinity) < REST;
    this.brush.reset();
    paintMarks(this, this.style());
    this.brush.scale(this.ratio, this.ratio);
    this.paintAbove();
    if (this.skipLinks) setTimeout(() => this.draw(), REST);
  }

  // Axes, rings, words and the lasso, above the marks.
  paintAbove() {
    const { brush, view } = this;
    const grow = 1.15 * this.style().grow;
    if (this.axes) {
      const floor = view.height - view.bottom;
      brush.fillStyle = themeColour("--card");
      brush.fillRect(0, 0, view.left, view.height);
      brush.fillRect(0, floor, view.width, view.bottom);
      brush.strokeStyle = themeColour("--line");
      brush.lineWidth = 1;
      brush.stroke(new Path2D(`M${view.left} 0V${floor}H${view.width}`));
    }
    const rings = [...this.alike.map((place) => [place, "--accent", 1.5, 4]), [this.chosen, "--ink", 2.5, 5], [this.hovered, "--ink", 1.2, 3]];
    for (const [place, colour, width, margin] of rings.filter((ring) => ring[0] >= 0)) {
      brush.strokeStyle = themeColour(colour);
      brush.lineWidth = width;
      brush.beginPath();
      brush.arc(...this.at(place), this.points.size[place] * grow + margin, 0, 2 * Math.PI);
      brush.stroke();
    }
    brush.lineJoin = "round";
    brush.lineWidth = 3;
    brush.strokeStyle = themeColour("--card");
    for (const one of [...this.axisWords(), ...this.labelWords()]) {
      brush.font = `${one.strong ? 600 : 400} ${one.size}px ${FONT}`;
      brush.textAlign = one.anchor === "middle" ? "center" : one.anchor;
      brush.strokeText(one.text, one.x, one.y);
      brush.fillStyle = themeColour(one.muted ? "--muted" : "--ink");
      brush.fillText(one.text, one.x, one.y);
    }
    if (this.lasso || (document.activeElement === this.host && this.byKeys)) paintPointer(this);
  }

  at(place) { return this.view.toScreen(this.points.x[place], this.points.y[place]); }

  axisWords() {
    if (!this.axes) return [];
    const { view } = this;
    const [left, top] = view.toWorld(view.left + 8, 22);
    const [right, bottom] = view.toWorld(view.width - 8, view.height - view.bottom - 4);
    const small = { size: 10.5, muted: true };
    return [
      ...ticks(left, right, view.width / 90).map((value) => ({ text: String(value), x: view.toScreen(value, 0)[0], y: view.height - 21, anchor: "middle", ...small })),
      ...ticks(bottom, top, view.height / 60).map((value) => ({ text: String(value), x: view.left - 5, y: view.toScreen(0, value)[1] + 4, anchor: "end", ...small })),
      { text: `${this.axes[0]} →`, x: view.width - 4, y: view.height - 6, anchor: "end", ...small },
      { text: `↑ ${this.axes[1]}`, x: 4, y: 13, anchor: "start", ...small },
    ];
  }

  labelWords() { return placedLabels(this); }
}

// What the two plots show: the drawing of the graph, and the plane of signatures.

const SEPARATE_MARKS = 50_000;
const CELLS = 1000;

function drawingPoints(data) {
  const { drawn } = data;
  const base = Math.min(5.5, Math.max(1.3, 90 / Math.sqrt(drawn.length)));
  const largest = Math.max(1, extent(data.degree)[1]);
  const size = Float32Array.from(drawn, (node) => base * (0.8 + 1.6 * Math.sqrt(data.degree[node] / largest)));
  return {
    node: drawn, x: data.x, y: data.y, size, ...markOrder(data, drawn), links: drawnLinks(data),
    placeOf: (node) => data.placeInDrawing[node],
  };
}

// Marks of the plane: one per node, or of many one for the nodes of a role that are hardly apart.
function planePointsOf(data) {
  const [px, py] = planePoints(data);
  const place = Int32Array.from(px.keys());
  let node = place;
  if (data.nodes > SEPARATE_MARKS) {
    const [column, row] = [px, py].map(cellsOf);
    const first = new Map();
    const kept = [];
    for (let one = 0; one < data.nodes; one++) {
      const key = (column[one] * (CELLS + 1) + row[one]) * data.roles.length + data.role[one];
      if (!first.has(key)) {
        first.set(key, kept.length);
        kept.push(one);
      }
      place[one] = first.get(key);
    }
    node = Int32Array.from(kept);
  }
  const size = new Float32Array(node.length).fill(Math.min(4.5, Math.max(1.2, 90 / Math.sqrt(node.length))));
  return {
    node, x: Float32Array.from(node, (one) => px[one]), y: Float32Array.from(node, (one) => py[one]), size,
    ...markOrder(data, node), links: new Uint32Array(0), placeOf: (one) => place[one],
  };
}

function cellsOf(values) {
  const [low, high] = extent(values);
  return Int32Array.from(values, (value) => Math.floor(((value - low) / Math.max(high - low, 1e-12)) * CELLS));
}

// Rare roles are drawn above frequent ones, and hubs above others.
function markOrder(data, nodes) {
  const byRole = data.roles.map(() => []);
  nodes.forEach((node, place) => byRole[data.role[node]].push(place));
  const order = [...data.roles.keys()].sort((a, b) => data.roles[b].nodes - data.roles[a].nodes);
  return {
    order: Uint32Array.from(order.flatMap((role) => byRole[role].sort((a, b) => data.degree[nodes[a]] - data.degree[nodes[b]]))),
    shape: Uint8Array.from(nodes, (node) => shapeOf(data.role[node])),
  };
}

// Links between drawn nodes: all, or of many every second, every third and so on.
function drawnLinks(data) {
  const all = [];
  data.drawn.forEach((node, place) => {
    for (const other of neighboursOf(data, node)) if (data.placeInDrawing[other] > place) all.push([place, data.placeInDrawing[other]]);
  });
  const each = Math.ceil(all.length / data.shownLinks);
  return Uint32Array.from(all.filter((_, i) => i % each === 0).flat());
}
