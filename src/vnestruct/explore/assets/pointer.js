// How a plot is moved and how nodes are picked: by mouse, touch and keys.

const NEAR = 14;

function nearest(plot, x, y, within = NEAR) {
  let [best, distance] = [-1, within * within];
  const { view, points } = plot;
  const [a, b] = view.toScreen(0, 0);
  for (let place = 0; place < points.node.length; place++) {
    const square = (a + points.x[place] * view.sx - x) ** 2 + (b - points.y[place] * view.sy - y) ** 2;
    if (square < distance) [best, distance] = [place, square];
  }
  return best;
}

function listenToPointer(plot) {
  const { host, view } = plot;
  const down = new Map();
  let travelled = 0;
  // Nothing inside the host takes events, so offsets are from its corner.
  const at = (event) => [event.offsetX, event.offsetY];
  host.onpointerdown = (event) => {
    if (event.button > 0) return;
    down.set(event.pointerId, at(event));
    if (down.size === 1) travelled = 0;
    plot.byKeys = false;
    if (plot.lassoMode || event.shiftKey) plot.lasso = [at(event)];
    try { host.setPointerCapture(event.pointerId); } catch { /* a pointer that is already gone */ }
  };
  host.onpointermove = (event) => {
    const [x, y] = at(event);
    const before = down.get(event.pointerId);
    if (!before) { hover(plot, nearest(plot, x, y), x, y); return; }
    const [dx, dy] = [x - before[0], y - before[1]];
    travelled += Math.hypot(dx, dy);
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    if (plot.lasso) {
      plot.lasso.push([x, y]);
      plot.draw();
    } else if (other) {
      const [old, now] = [before, [x, y]].map((one) => Math.hypot(one[0] - other[0], one[1] - other[1]));
      view.zoomAt(now / Math.max(1, old), (x + other[0]) / 2, (y + other[1]) / 2);
      view.pan(dx / 2, dy / 2);
      plot.moved();
    } else if (travelled > 4) {
      view.pan(dx, dy);
      plot.moved();
    }
    down.set(event.pointerId, [x, y]);
  };
  host.onpointerup = host.onpointercancel = (event) => {
    if (!down.delete(event.pointerId)) return;
    const { lasso } = plot;
    plot.lasso = null;
    if (event.type === "pointercancel") travelled = Infinity;
    else if (lasso && travelled > 8) plot.page.select(inside(plot, lasso));
    else if (travelled <= 4) {
      const place = nearest(plot, ...at(event), event.pointerType === "touch" ? 2 * NEAR : NEAR);
      plot.page.select(place < 0 ? [] : [plot.points.node[place]]);
    }
    plot.draw();
  };
  host.onpointerleave = () => hover(plot, -1);
  host.addEventListener("wheel", (event) => {
    event.preventDefault();
    view.zoomAt(Math.exp(-0.0016 * event.deltaY * (event.deltaMode === 1 ? 20 : 1)), ...at(event));
    plot.moved();
  }, { passive: false });
}

function hover(plot, place, x, y) {
  if (place !== plot.hovered) {
    plot.hovered = place;
    plot.draw();
  }
  plot.tip.hidden = place < 0;
  if (place < 0) return;
  const { data } = plot.page;
  const node = plot.points.node[place];
  const role = data.roles[data.role[node]];
  plot.tip.replaceChildren(
    element("b", {}, element("bdi", { text: shortened(nameOf(data, node), 60) })),
    element("span", { text: `${role.name} · degree ${number(data.degree[node])}` }),
    element("span", { text: data.columns.slice(0, 4).map((_, column) => valueOf(data, node, column).toFixed(3)).join("  ") }));
  plot.tip.style.left = `${Math.max(2, Math.min(x + 14, plot.view.width - plot.tip.offsetWidth - 4))}px`;
  plot.tip.style.top = `${y + 18 + plot.tip.offsetHeight > plot.view.height ? Math.max(2, y - plot.tip.offsetHeight - 10) : y + 18}px`;
}

// The nodes inside a polygon on the screen; a mark of the plane may stand for several.
function inside(plot, corners) {
  const brush = new OffscreenCanvas(1, 1).getContext("2d");
  const path = new Path2D(`${linePath(corners)}Z`);
  const isInside = Uint8Array.from(plot.points.node.keys(), (place) => brush.isPointInPath(path, ...plot.at(place), "evenodd"));
  return [...plot.page.data.role.keys()].filter((node) => isInside[plot.placeOf(node)]);
}

// The lasso, or the cross in the middle where keys pick.
function paintPointer(plot) {
  const { brush } = plot;
  const [x, y] = plot.view.middle;
  const cross = `M${x + 4} ${y}h8M${x - 4} ${y}h-8M${x} ${y + 4}v8M${x} ${y - 4}v-8`;
  const path = new Path2D(plot.lasso ? `${linePath(plot.lasso)}Z` : cross);
  brush.fillStyle = rgba(themeColour("--accent"), 0.15);
  if (plot.lasso) brush.fill(path);
  brush.strokeStyle = themeColour("--accent");
  brush.lineWidth = 1.5;
  brush.stroke(path);
}

// Arrows move, + and - zoom, 0 shows all; Enter picks the node nearest to the middle, Shift+Enter all in view.
function listenToKeys(plot) {
  const { host, view, page } = plot;
  const pan = (dx, dy) => () => view.pan(0.12 * dx * view.width, 0.12 * dy * view.height);
  const zoom = (factor) => () => view.zoomAt(factor, ...view.middle);
  const pick = (event) => {
    const place = nearest(plot, ...view.middle, Infinity);
    if (event.shiftKey) page.select(inside(plot, [[0, 0], [view.width, 0], [view.width, view.height], [0, view.height]]));
    else if (place >= 0) page.select([plot.points.node[place]]);
  };
  const keys = {
    ArrowLeft: pan(1, 0), ArrowRight: pan(-1, 0), ArrowDown: pan(0, -1), ArrowUp: pan(0, 1),
    "+": zoom(1.25), "=": zoom(1.25), "-": zoom(0.8), 0: () => plot.reset(), Enter: pick,
  };
  host.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    plot.byKeys = true;
    if (!Object.hasOwn(keys, event.key)) return;
    keys[event.key](event);
    plot.moved();
    event.preventDefault();
  };
  host.onfocus = host.onblur = () => plot.draw();
}
