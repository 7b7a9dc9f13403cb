// The ego network of a node: its neighbours around it, and theirs around them, with all links between those shown.

const MOST_NEAR = 40;
const MOST_FAR = 80;

// `near` and `far` are how many neighbours, and neighbours of neighbours, to show at most; `total` is how many there are.
function egoNetwork(data, node, hops, near = MOST_NEAR, far = MOST_FAR) {
  const first = Array.from(neighboursOf(data, node)).sort(byDegree(data));
  const shown = besideEachOther(data, first.slice(0, near));
  const known = new Set([node, ...first]);
  const second = new Set();
  if (hops > 1) for (const one of first) for (const other of neighboursOf(data, one)) if (!known.has(other)) second.add(other);
  // In turns, so that every neighbour shows some of its own.
  const rows = shown.map((one) => Array.from(neighboursOf(data, one)).filter((other) => second.has(other)).sort(byDegree(data)));
  const children = shown.map(() => []);
  for (let turn = 0, room = far; room > 0 && rows.some((row) => turn < row.length); turn++) {
    rows.forEach((row, place) => {
      if (turn >= row.length || known.has(row[turn]) || room-- <= 0) return;
      known.add(row[turn]);
      children[place].push(row[turn]);
    });
  }
  return { node, shown, children, total: [data.degree[node], second.size], held: first.length };
}

// Neighbours that are linked to each other stand side by side.
function besideEachOther(data, nodes) {
  const order = [];
  for (let waiting = nodes; waiting.length; waiting = waiting.filter((node) => node !== order.at(-1))) {
    const last = new Set(order.length ? neighboursOf(data, order.at(-1)) : []);
    order.push(waiting.find((node) => last.has(node)) ?? waiting[0]);
  }
  return order;
}

// Positions on two circles: each neighbour gets a sector for itself and the nodes beyond it.
function egoPlaces(network, width, height, margin) {
  const places = new Map([[network.node, [width / 2, height / 2, 0]]]);
  const far = width / 2 - margin;
  const near = network.children.some((row) => row.length) ? 0.55 * far : far;
  const flat = (height / 2 - margin) / far;
  const at = (angle, radius) => [width / 2 + radius * Math.cos(angle), height / 2 + radius * flat * Math.sin(angle), angle];
  const sectors = network.children.map((row) => 1 + Math.sqrt(row.length));
  const turn = (2 * Math.PI) / sectors.reduce((sum, sector) => sum + sector, 0);
  let angle = -Math.PI / 2;
  network.shown.forEach((one, place) => {
    const row = network.children[place];
    const sector = sectors[place] * turn;
    places.set(one, at(angle + sector / 2, near));
    row.forEach((node, i) => places.set(node, at(angle + (sector * (i + 0.5)) / row.length, far)));
    angle += sector;
  });
  return places;
}

function egoPicture(page, network, width, height, small = false) {
  const { data } = page;
  const result = picture(width, height, { role: "img", "aria-label": `Ego network of ${nameOf(data, network.node)}` });
  const places = egoPlaces(network, width, height, small ? 5 : 26);
  const [own, others] = [[], []];
  for (const [node, from] of places) {
    for (const other of neighboursOf(data, node)) {
      if (!places.has(other) || other < node) continue;
      (node === network.node || other === network.node ? own : others).push(linePath([from, places.get(other)]));
    }
  }
  const crowd = Math.min(1, 8 / Math.sqrt(others.length + 1));
  result.append(
    shape("path", { d: others.join(""), fill: "none", stroke: themeColour("--muted"), "stroke-width": small ? 0.5 : 0.8, "stroke-opacity": 0.6 * crowd }),
    shape("path", { d: own.join(""), fill: "none", stroke: themeColour(small ? "--muted" : "--accent"), "stroke-width": small ? 0.7 : 1.2, "stroke-opacity": 0.75 }));
  const near = new Set(network.shown);
  for (const [node, [x, y]] of [...places].reverse()) {
    const radius = node === network.node ? 7 : near.has(node) ? 4.5 : 2.8;
    const one = mark(page, data.role[node], x, y, small ? radius * 0.55 : radius, {
      stroke: node === network.node && !small ? themeColour("--ink") : themeColour("--card"),
      "stroke-width": small ? 0.5 : node === network.node ? 2 : 1,
    });
    if (!small) {
      one.append(title(`${nameOf(data, node)} · degree ${number(data.degree[node])}`));
      one.dataset.node = node;
      one.onclick = () => page.select([node]);
    }
    result.append(one);
  }
  if (!small) result.append(...egoNames(page, network, places, width));
  return result;
}

function egoNames(page, network, places, width) {
  const list = [];
  const boxes = [];
  for (const node of [network.node, ...network.shown]) {
    const [x, y, angle] = places.get(node);
    const text = shortened(nameOf(page.data, node), 16);
    const space = 6 * text.length;
    const down = node === network.node ? 18 : Math.sin(angle) < 0 ? -8 : 15;
    const middle = Math.min(width - space / 2 - 2, Math.max(space / 2 + 2, x));
    const box = [middle - space / 2, y + down - 9, middle + space / 2, y + down + 3];
    if (!isFree(boxes, box)) continue;
    boxes.push(box);
    list.push(words(text, middle, y + down, { "text-anchor": "middle", "font-size": node === network.node ? 12 : 10.5, "font-weight": node === network.node ? 600 : 400 }));
  }
  return list;
}

// What the picture leaves out, in words.
function egoCaption(data, network, hops) {
  const [degree, second] = network.total;
  if (degree === 0) return "This node has no links.";
  const shown = [network.shown.length, network.children.flat().length];
  const near = shown[0] === degree ? counted(degree, "neighbour") : `${number(shown[0])} of ${number(degree)} neighbours, those of largest degree`;
  const some = shown[1] === second ? `${number(second)} more` : `${number(shown[1])} of ${number(second)}`;
  const held = network.held < degree ? ` This page holds ${data.links.toLowerCase()}.` : "";
  return `${near}${hops > 1 && second ? `; ${some} two steps away` : ""}; all links between those shown.${held}`;
}
