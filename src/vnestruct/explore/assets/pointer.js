// How a plot is moved and how nodes are picked: by mouse, touch and keys.

const NEAR = 14;

function nearest(plot, x, y, within = NEAR) {
  let [best, distance] = [-1, within * within];
  const { view } = plot;
  const { position } = plot.arrays;
  const [a, b] = view.middle;
  for (let i = 0; i < position.length / 2; i++) {
    const dx = a + (position[2 * i] - view.x) * view.sx - x;
    const dy = b - (position[2 * i + 1] - view.y) * view.sy - y;
    const square = dx * dx + dy * dy;
    if (square < distance) [best, distance] = [i, square];
  }
  return best;
}

function listenToPointer(plot) {
  const { host, view } = plot;
  const down = new Map();
  let travelled = 0;
  const at = (event) => {
    const box = host.getBoundingClientRect();
    return [event.clientX - box.x, event.clientY - box.y];
  };
  host.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    down.set(event.pointerId, at(event));
    if (down.size === 1) travelled = 0;
    plot.byKeys = false;
    if (plot.lassoMode || event.shiftKey) plot.lasso = [at(event)];
    try { host.setPointerCapture(event.pointerId); } catch { /* a pointer that is already gone */ }
  });
  host.addEventListener("pointermove", (event) => {
    const [x, y] = at(event);
    const before = down.get(event.pointerId);
    if (!before) { hover(plot, nearest(plot, x, y), x, y); return; }
    travelled += Math.hypot(x - before[0], y - before[1]);
    if (plot.lasso) {
      plot.lasso.push([x, y]);
      plot.draw();
    } else if (down.size === 2) {
      const other = [...down.entries()].find(([id]) => id !== event.pointerId)[1];
      const [old, now] = [before, [x, y]].map((one) => Math.hypot(one[0] - other[0], one[1] - other[1]));
      view.zoomAt(now / Math.max(1, old), (x + other[0]) / 2, (y + other[1]) / 2);
      view.pan((x - before[0]) / 2, (y - before[1]) / 2);
      plot.moved();
    } else if (travelled > 4) {
      view.pan(x - before[0], y - before[1]);
      plot.moved();
    }
    down.set(event.pointerId, [x, y]);
  });
  const release = (event) => {
    if (!down.delete(event.pointerId)) return;
    const lasso = plot.lasso;
    plot.lasso = null;
    if (event.type === "pointercancel") return;
    if (lasso && travelled > 8) plot.page.select(inside(plot, lasso));
    else if (travelled <= 4) {
      const place = nearest(plot, ...at(event), event.pointerType === "touch" ? 2 * NEAR : NEAR);
      plot.page.select(place < 0 ? [] : [plot.points.node[place]]);
    }
    plot.draw();
  };
  host.addEventListener("pointerup", release);
  host.addEventListener("pointercancel", release);
  host.addEventListener("pointerleave", () => hover(plot, -1));
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
    element("span", { text: data.columns.slice(0, 4).map((_, column) => entropyOf(data, node, column).toFixed(3)).join("  ") }));
  plot.tip.style.left = `${Math.max(2, Math.min(x + 14, plot.view.width - plot.tip.offsetWidth - 4))}px`;
  plot.tip.style.top = `${y + 18 + plot.tip.offsetHeight > plot.view.height ? Math.max(2, y - plot.tip.offsetHeight - 10) : y + 18}px`;
}

// The nodes inside a polygon on the screen.
function inside(plot, corners) {
  const places = [];
  plot.points.node.forEach((_, place) => {
    const [x, y] = plot.at(place);
    let within = false;
    for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
      const [[a, b], [c, d]] = [corners[i], corners[j]];
      if (b > y !== d > y && x < ((c - a) * (y - b)) / (d - b) + a) within = !within;
    }
    if (within) places.push(place);
  });
  return plot.nodesAt(places);
}

function paintLasso(plot, brush) {
  brush.beginPath();
  plot.lasso.forEach(([x, y]) => brush.lineTo(x, y));
  brush.closePath();
  brush.fillStyle = themeColour("--accent");
  brush.globalAlpha = 0.15;
  brush.fill();
  brush.globalAlpha = 1;
  brush.strokeStyle = themeColour("--accent");
  brush.lineWidth = 1.5;
  brush.stroke();
}

function paintCross(plot, brush) {
  const [x, y] = plot.view.middle;
  brush.strokeStyle = themeColour("--accent");
  brush.lineWidth = 1.5;
  brush.beginPath();
  for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
    brush.moveTo(x + 4 * dx, y + 4 * dy);
    brush.lineTo(x + 12 * dx, y + 12 * dy);
  }
  brush.stroke();
}

// Arrows move, + and - zoom, 0 shows all; Enter picks the node nearest to the middle, Shift+Enter all in view.
function listenToKeys(plot) {
  const { host, view } = plot;
  const steps = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  const zooms = { "+": 1.25, "=": 1.25, "-": 0.8 };
  host.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    plot.byKeys = true;
    if (event.key in steps) {
      const [dx, dy] = steps[event.key];
      view.pan(0.12 * dx * view.width, 0.12 * dy * view.height);
      plot.moved();
    } else if (event.key in zooms) {
      view.zoomAt(zooms[event.key], ...view.middle);
      plot.moved();
    } else if (event.key === "0") plot.reset();
    else if (event.key === "Enter" && event.shiftKey) {
      const { width, height } = view;
      plot.page.select(inside(plot, [[0, 0], [width, 0], [width, height], [0, height]]));
    } else if (event.key === "Enter") {
      const place = nearest(plot, ...view.middle, Infinity);
      if (place >= 0) plot.page.select([plot.points.node[place]]);
    } else return;
    event.preventDefault();
  });
  host.addEventListener("focus", () => plot.draw());
  host.addEventListener("blur", () => plot.draw());
}
