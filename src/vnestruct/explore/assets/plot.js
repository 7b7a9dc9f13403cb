// A plot of nodes that moves and zooms: marks and links by WebGL, and above them labels, axes and rings.

const SLOW_FRAME = 120;
const REST = 250;

class Plot {
  // `points`: node, x, y, size, shape of each mark, and links between them; `axes`: names, or null for a drawing.
  constructor(page, host, points, axes) {
    Object.assign(this, { page, host, points, axes, chosen: -1, alike: [], hovered: -1, dimmed: false, lasso: null });
    this.view = new Transform(axes === null);
    if (axes) Object.assign(this.view, { left: 44, top: 18, bottom: 34 });
    this.canvas = element("canvas", { className: "marks" });
    this.overlay = element("canvas", { className: "overlay" });
    this.tip = element("div", { className: "tip", hidden: true });
    host.replaceChildren(this.canvas, this.overlay, this.tip);
    this.painter = WebGlPainter.make(this.canvas, points.links.length > 0) || new CanvasPainter(this.canvas);
    const count = points.node.length;
    const position = new Float32Array(2 * count);
    for (let i = 0; i < count; i++) {
      position[2 * i] = points.x[i];
      position[2 * i + 1] = points.y[i];
    }
    this.arrays = {
      position, size: points.size, shape: points.shape, colour: new Uint8Array(4 * count), order: points.order,
      links: points.links, own: new Uint32Array(0),
    };
    for (const [name, array] of Object.entries(this.arrays)) this.painter.set(name, array);
    this.rank = labelRank(page.data, points.node);
    listenToPointer(this);
    listenToKeys(this);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  resize() {
    const { width, height } = this.host.getBoundingClientRect();
    if (width < 2 || height < 2) return;
    const kept = this.view.home && { x: this.view.x, y: this.view.y, zoom: this.view.zoom };
    const bounds = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < this.arrays.position.length; i += 2) {
      const [x, y] = [this.arrays.position[i], this.arrays.position[i + 1]];
      if (x < bounds[0]) bounds[0] = x;
      if (y < bounds[1]) bounds[1] = y;
      if (x > bounds[2]) bounds[2] = x;
      if (y > bounds[3]) bounds[3] = y;
    }
    Object.assign(this.view, { width, height });
    this.bounds = [bounds.slice(0, 2), bounds.slice(2)];
    this.view.fit(...this.bounds);
    if (this.pending ?? kept) this.place(this.pending ?? kept);
    this.pending = null;
    this.ratio = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.overlay]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.draw();
  }

  // Show what was shown before, at the same magnification.
  place({ x, y, zoom }) {
    const { view } = this;
    Object.assign(view, { x, y, sx: view.home.sx * zoom, sy: view.home.sy * zoom });
    this.draw();
  }

  placeWhenShown(wanted) {
    if (this.view.home) this.place(wanted);
    else this.pending = wanted;
  }

  reset() {
    this.view.fit(...this.bounds);
    this.moved();
  }

  moved() {
    this.lastMove = performance.now();
    this.draw();
    this.page.remember();
  }

  colour(colourOf) {
    const { colour } = this.arrays;
    this.points.node.forEach((node, i) => {
      const value = parseInt(colourOf(node).slice(1), 16);
      colour[4 * i] = value >> 16;
      colour[4 * i + 1] = (value >> 8) & 255;
      colour[4 * i + 2] = value & 255;
    });
    this.fade();
  }

  // The marks and links of a period.
  change(shapes, links) {
    Object.assign(this.arrays, { shape: shapes, links });
    this.painter.set("shape", shapes);
    this.painter.set("links", links);
  }

  // `wanted` are the nodes that stand out, or null; `chosen` is the node in focus, `alike` those similar to it.
  select(wanted, chosen, alike) {
    Object.assign(this, { dimmed: wanted !== null, chosen: this.placeOf(chosen), bright: new Uint8Array(this.points.node.length) });
    for (const node of wanted ?? []) if (this.placeOf(node) >= 0) this.bright[this.placeOf(node)] = 1;
    this.alike = alike.map((node) => this.placeOf(node)).filter((place) => place >= 0);
    this.arrays.own = this.ownLinks(chosen);
    this.painter.set("own", this.arrays.own);
    this.fade();
  }

  // All nodes of some marks: a mark of the plane may stand for several.
  nodesAt(places) {
    if (this.points.node.length === this.page.data.nodes) return places.map((place) => this.points.node[place]);
    const marked = new Uint8Array(this.points.node.length);
    for (const place of places) marked[place] = 1;
    const nodes = [];
    for (let node = 0; node < this.page.data.nodes; node++) if (marked[this.placeOf(node)]) nodes.push(node);
    return nodes;
  }

  placeOf(node) { return node < 0 ? -1 : this.points.placeOf(node); }

  ownLinks(node) {
    const own = [];
    if (this.axes === null && this.chosen >= 0) {
      for (const other of neighboursOf(this.page.data, node)) {
        if (this.placeOf(other) >= 0) own.push(this.chosen, this.placeOf(other));
      }
    }
    return Uint32Array.from(own);
  }

  fade() {
    const { node, order } = this.points;
    const { bright, arrays: { colour } } = this;
    const faint = node.length > 3000 ? 24 : 36;
    const plain = node.length > 3000 ? 205 : 235;
    for (let i = 0; i < node.length; i++) colour[4 * i + 3] = !this.dimmed ? plain : bright[i] ? 255 : faint;
    // What stands out is drawn last.
    this.arrays.order = order;
    if (this.dimmed) {
      this.arrays.order = new Uint32Array(order.length);
      let place = 0;
      for (const turn of [0, 1]) for (const i of order) if (bright[i] === turn) this.arrays.order[place++] = i;
    }
    this.painter.set("colour", colour);
    this.painter.set("order", this.arrays.order);
    this.draw();
  }

  style() {
    const { view } = this;
    const [ink, accent, card] = ["--muted", "--accent", "--card"].map((name) => channels(themeColour(name)));
    // Links fade where many share the picture; nodes are drawn above them.
    const crowd = this.arrays.links.length / 2 / Math.max(1, view.zoom ** 1.5) / ((view.width * view.height) / 1000);
    const alpha = Math.min(0.5, Math.max(0.01, 0.35 / Math.max(0.4, crowd) ** 0.75)) * (this.page.nodes.length ? 0.2 : 1);
    return {
      links: this.skipLinks ? null : [...ink, alpha],
      own: [...accent, Math.min(0.8, 0.15 + 8 / Math.sqrt(this.arrays.own.length + 1))],
      outline: card, grow: Math.min(3.5, Math.max(0.7, view.zoom ** 0.3)),
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

  // If drawing is slow, links wait until the movement ends.
  paint() {
    const moving = performance.now() - (this.lastMove ?? -Infinity) < REST;
    this.skipLinks = moving && this.slow;
    const start = performance.now();
    this.painter.paint(this.view, this.ratio, this.style());
    this.paintOverlay();
    if (moving && !this.skipLinks) {
      this.painter.gl?.finish();
      this.slow = performance.now() - start > SLOW_FRAME;
    }
    if (this.skipLinks) setTimeout(() => this.draw(), REST);
  }

  paintOverlay() {
    const { overlay, ratio, view } = this;
    const brush = overlay.getContext("2d");
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, view.width, view.height);
    if (this.axes) this.paintAxes(brush);
    for (const [places, colour, width, margin] of [
      [this.alike, "--accent", 1.5, 4], [this.chosen < 0 ? [] : [this.chosen], "--ink", 2.5, 5],
      [this.hovered < 0 ? [] : [this.hovered], "--ink", 1.2, 3],
    ]) {
      brush.strokeStyle = themeColour(colour);
      brush.lineWidth = width;
      for (const place of places) {
        const [x, y] = this.at(place);
        brush.beginPath();
        brush.arc(x, y, this.points.size[place] * this.style().grow * 1.15 + margin, 0, 2 * Math.PI);
        brush.stroke();
      }
    }
    brush.lineJoin = "round";
    for (const one of [...this.axisWords(), ...this.labelWords()]) {
      brush.font = `${one.strong ? 600 : 400} ${one.size}px ${FONT}`;
      brush.textAlign = { start: "left", middle: "center", end: "right" }[one.anchor];
      brush.lineWidth = 3;
      brush.strokeStyle = themeColour("--card");
      brush.strokeText(one.text, one.x, one.y);
      brush.fillStyle = themeColour(one.muted ? "--muted" : "--ink");
      brush.fillText(one.text, one.x, one.y);
    }
    if (this.lasso?.length) paintLasso(this, brush);
    if (document.activeElement === this.host && this.byKeys) paintCross(this, brush);
  }

  at(place) { return this.view.toScreen(this.arrays.position[2 * place], this.arrays.position[2 * place + 1]); }

  axisTicks() {
    const { view } = this;
    const [left, top] = view.toWorld(view.left, 0);
    const [right, bottom] = view.toWorld(view.width, view.height - view.bottom);
    return {
      x: ticks(left, right, view.width / 90).map((value) => [value, view.toScreen(value, 0)[0]]),
      y: ticks(bottom, top, view.height / 60).map((value) => [value, view.toScreen(0, value)[1]]),
    };
  }

  paintAxes(brush) {
    const { view } = this;
    const floor = view.height - view.bottom;
    brush.fillStyle = themeColour("--card");
    brush.fillRect(0, 0, view.left, view.height);
    brush.fillRect(0, floor, view.width, view.bottom);
    brush.strokeStyle = themeColour("--line");
    brush.lineWidth = 1;
    brush.beginPath();
    brush.moveTo(view.left, 0);
    brush.lineTo(view.left, floor);
    brush.lineTo(view.width, floor);
    brush.stroke();
  }

  axisWords() {
    if (!this.axes) return [];
    const { view } = this;
    const { x, y } = this.axisTicks();
    const list = [];
    for (const [value, at] of x) if (at > view.left + 8 && at < view.width - 8) list.push({ text: String(value), x: at, y: view.height - 21, size: 10.5, anchor: "middle", muted: true });
    for (const [value, at] of y) if (at > 22 && at < view.height - view.bottom - 4) list.push({ text: String(value), x: view.left - 5, y: at + 4, size: 10.5, anchor: "end", muted: true });
    list.push({ text: `${this.axes[0]} →`, x: view.width - 4, y: view.height - 6, size: 11, anchor: "end", muted: true });
    list.push({ text: `↑ ${this.axes[1]}`, x: 4, y: 13, size: 11, anchor: "start", muted: true });
    return list;
  }

  labelWords() { return placedLabels(this); }
}

function channels(colour) {
  const value = parseInt(colour.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}
