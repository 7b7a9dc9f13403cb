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

  shows([a, b], margin = 20) {
    return a > -margin && b > -margin && a < this.width + margin && b < this.height + margin;
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
    const [after, above] = this.toWorld(a, b);
    this.x += x - after;
    this.y += y - above;
  }
}
