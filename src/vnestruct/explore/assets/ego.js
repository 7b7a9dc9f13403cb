// The ego network of a node: its neighbours around it, and theirs around them, with all links between those shown.

const MOST_NEAR = 40;
const MOST_FAR = 80;

// `near` and `far` are how many neighbours, and neighbours of neighbours, to show at most; `total` is how many there are.
function egoNetwork(data, node, hops, near = MOST_NEAR, far = MOST_FAR) {
  const byDegree = (a, b) => data.degree[b] - data.degree[a] || a - b;
  const first = Array.from(neighboursOf(data, node)).sort(byDegree);
  const known = new Set([node, ...first]);
  const shown = first.slice(0, near);
  const children = shown.map(() => []);
  const second = new Set();
  if (hops > 1) {
    for (const one of first) for (const other of neighboursOf(data, one)) if (!known.has(other)) second.add(other);
    // In turns, so that every neighbour shows some of its own.
    const taken = new Set();
    const rows = shown.map((one) => Array.from(neighboursOf(data, one)).filter((other) => second.has(other)).sort(byDegree));
    for (let turn = 0; taken.size < Math.min(far, second.size); turn++) {
      let left = false;
      rows.forEach((row, place) => {
        if (turn >= row.length) return;
        left = true;
        if (taken.size < far && !taken.has(row[turn])) {
          taken.add(row[turn]);
          children[place].push(row[turn]);
        }
      });
      if (!left) break;
    }
  }
  return { node, shown, children, total: [data.degree[node], second.size], held: first.length };
}

// Neighbours that are linked to each other stand side by side.
function besideEachOther(data, network) {
  const waiting = new Set(network.shown.keys());
  const order = [];
  while (waiting.size) {
    const last = order.length ? new Set(neighboursOf(data, network.shown[order.at(-1)])) : new Set();
    const next = [...waiting].find((place) => last.has(network.shown[place])) ?? waiting.values().next().value;
    waiting.delete(next);
    order.push(next);
  }
  return order;
}

function sectorOf(row) {
  return 1 + Math.sqrt(row.length);
}

// Positions on two circles: each neighbour gets a sector for itself and the nodes beyond it.
function egoPlaces(data, network, width, height, margin) {
  const places = new Map([[network.node, [width / 2, height / 2, 0]]]);
  const two = network.children.some((row) => row.length);
  const radii = [(width / 2 - margin) * (two ? 0.55 : 1), width / 2 - margin];
  const flat = (height - 2 * margin) / (width - 2 * margin);
  const at = (angle, radius) => [width / 2 + radius * Math.cos(angle), height / 2 + radius * flat * Math.sin(angle), angle];
  const total = network.children.reduce((sum, row) => sum + sectorOf(row), 0);
  let angle = -Math.PI / 2;
  for (const place of besideEachOther(data, network)) {
    const row = network.children[place];
    const sector = (sectorOf(row) / total) * 2 * Math.PI;
    places.set(network.shown[place], at(angle + sector / 2, radii[0]));
    row.forEach((node, i) => places.set(node, at(angle + (sector * (i + 0.5)) / row.length, radii[1])));
    angle += sector;
  }
  return places;
}

function egoPicture(page, network, width, height, { named = true, small = false } = {}) {
  const { data } = page;
  const result = picture(width, height, { role: "img", "aria-label": `Ego network of ${nameOf(data, network.node)}` });
  const places = egoPlaces(data, network, width, height, small ? 5 : 26);
  const strokes = [[], []];
  for (const [node, from] of places) {
    for (const other of neighboursOf(data, node)) {
      const to = places.get(other);
      if (!to || other < node) continue;
      const own = node === network.node || other === network.node;
      strokes[own ? 0 : 1].push(`M${from[0].toFixed(1)} ${from[1].toFixed(1)}L${to[0].toFixed(1)} ${to[1].toFixed(1)}`);
    }
  }
  const crowd = Math.min(1, 8 / Math.sqrt(strokes[1].length + 1));
  result.append(
    shape("path", { d: strokes[1].join(""), fill: "none", stroke: themeColour("--muted"), "stroke-width": small ? 0.5 : 0.8, "stroke-opacity": 0.6 * crowd }),
    shape("path", { d: strokes[0].join(""), fill: "none", stroke: themeColour(small ? "--muted" : "--accent"), "stroke-width": small ? 0.7 : 1.2, "stroke-opacity": 0.75 }));
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
      one.addEventListener("click", () => page.select([node]));
    }
    result.append(one);
  }
  if (named) result.append(...egoNames(page, network, places, width));
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
    if (boxes.some((one) => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3])) continue;
    boxes.push(box);
    list.push(words(text, middle, y + down, { "text-anchor": "middle", "font-size": node === network.node ? 12 : 10.5, "font-weight": node === network.node ? 600 : 400 }));
  }
  return list;
}

// What the picture leaves out, in words.
function egoCaption(data, network, hops) {
  const [degree, second] = network.total;
  if (degree === 0) return "This node has no links.";
  const far = network.children.reduce((sum, row) => sum + row.length, 0);
  const near = network.shown.length === degree ? `${counted(degree, "neighbour")}` : `${number(network.shown.length)} of ${number(degree)} neighbours, those of largest degree`;
  const beyond = hops < 2 || second === 0 ? "" : far === second ? `; ${number(second)} more two steps away` : `; ${number(far)} of ${number(second)} two steps away`;
  const held = network.held < degree ? ` This page holds ${data.links.toLowerCase()}.` : "";
  return `${near}${beyond}; all links between those shown.${held}`;
}
