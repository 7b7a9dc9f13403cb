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
  const area = (view.width * view.height) / 60_000;
  const zoom = Math.max(1, view.zoom);
  const most = Math.min(NEVER_MORE, Math.round(area * (plot.axes ? 0.8 : 1.6) * (1 + 1.2 * Math.log2(zoom))));
  const size = Math.min(15, 10.5 + 0.8 * Math.log2(zoom));
  const boxes = [];
  const placed = [];
  const grow = plot.style().grow;
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
