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

// The graph of roles: one mark per role, as large as its share, and lines as wide as the roles meet often.

views.push((page) => drawInto("rolegraph", (width, height, host) => roleGraph(page, width, height, host)));

function roleGraph(page, width, height, host) {
  const { shares, data: { roles, meetings } } = page;
  const result = picture(width, height, { ground: true });
  const room = Math.min(width, height);
  const narrow = width < 520;
  const largest = narrow ? 20 : Math.max(10, room * Math.min(0.085, 0.5 / roles.length));
  const wide = Math.min(0.5 * width - Math.min(110, 0.2 * width), 0.75 * width);
  // Room for the largest mark above and for its words below; three marks fill it better if the middle is lower.
  const [above, under] = [1.3 * largest + 24, 1.3 * largest + 72];
  const tall = (height - above - under) / (1 + (roles.length === 3 ? Math.sin(Math.PI / 6) : 1));
  const middle = above + tall;
  const places = roles.map((_, i) => {
    if (roles.length === 1) return [width / 2, height / 2];
    // A narrow picture has two columns instead of a circle, which leaves room for words.
    if (narrow) return [width * (i % 2 ? 0.74 : 0.26), above + ((height - above - under) * i) / (roles.length - 1)];
    const angle = (2 * Math.PI * i) / roles.length - Math.PI / 2;
    return [width / 2 + wide * Math.cos(angle), middle + tall * Math.sin(angle)];
  });
  const radius = (role) => Math.max(6, largest * Math.sqrt(shares[role] / Math.max(...shares)));
  const most = Math.max(1, ...meetings.flat());
  const lines = roles.flatMap((_, a) => roles.slice(a).map((other) => [a, other.role, meetings[a][other.role]]));
  for (const [a, b, count] of lines.sort((one, two) => one[2] - two[2])) {
    if (count === 0) continue;
    const chosen = page.role === a || page.role === b;
    const style = {
      fill: "none", stroke: themeColour(chosen ? "--accent" : "--muted"), "stroke-linecap": "round",
      "stroke-width": Math.max(0.6, (narrow ? 9 : 16) * Math.sqrt(count / most)), "stroke-opacity": page.role >= 0 && !chosen ? 0.12 : 0.3,
    };
    const [x, y] = places[a];
    // Links inside a role are a ring around its mark.
    result.append(a === b
      ? shape("circle", { cx: x, cy: y, r: 1.25 * radius(a) + 4 + style["stroke-width"] / 2, ...style }, title(`${counted(count, "link")} inside: ${roles[a].name}`))
      : shape("line", { x1: x, y1: y, x2: places[b][0], y2: places[b][1], ...style }, title(`${counted(count, "link")} between: ${roles[a].name}; ${roles[b].name}`)));
  }
  roles.forEach((one, role) => {
    const [x, y] = places[role];
    const group = shape("g", { tabindex: 0, role: "button", "aria-label": `Select role: ${one.name}`, "data-role": role, cursor: "pointer" },
      title(one.description), mark(page, role, x, y, radius(role), { stroke: themeColour(role === page.role ? "--ink" : "--card"), "stroke-width": role === page.role ? 3 : 1.5 }));
    const column = narrow ? 22 : Math.max(12, Math.min(22, Math.floor(width / 7 / Math.max(2.4, roles.length / 3))));
    const below = 1.25 * radius(role) + 20 + 14 * Math.sqrt(meetings[role][role] / most);
    [...wrapped(one.name, column), `${percent(shares[role])} of nodes`].forEach((line, i, all) => {
      const half = 3.4 * line.length;
      group.append(words(line, Math.min(width - half - 3, Math.max(half + 3, x)), y + below + 14 * i,
        { "text-anchor": "middle", "font-weight": i < all.length - 1 ? 600 : 400, ...(i === all.length - 1 && { fill: themeColour("--muted") }) }));
    });
    const select = () => page.selectRole(role);
    group.onclick = select;
    group.ondblclick = () => page.show("graph");
    group.onpointerenter = () => page.point(role);
    group.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      select();
      host.querySelector(`[data-role="${role}"]`)?.focus();
    };
    result.append(group);
  });
  return result;
}

// Profiles: the median of each role by radius with the band of its middle 80%, and the selected nodes as thin lines.

const MOST_PROFILES = 60;

views.push((page) => drawInto("profile", (width, height) => profiles(page, width, height)));

function profiles(page, width, height) {
  const { data } = page;
  const every = Math.max(1, Math.ceil(page.nodes.length / MOST_PROFILES));
  const shown = page.data.signature ? page.nodes.filter((_, place) => place % every === 0) : [];
  const lines = shown.map((node) => data.columns.map((_, column) => valueOf(data, node, column)));
  const values = [...data.roles.flatMap((one) => [...one.low, ...one.high]), ...lines.flat()];
  let [low, high] = [Math.min(...values), Math.max(...values)];
  if (high - low < 1e-9) [low, high] = [low - 0.5, high + 0.5];
  const [left, top, right, bottom] = [44, 18, width - 12, height - 34];
  const last = data.columns.length - 1;
  const names = data.columns.map((name, i) => (data.radii ? data.radii[i] : shortened(name, 12)));
  // Names stand in two rows in turns, each with half of the longest name to spare at the ends.
  const wide = 6 * Math.max(...names.map((name) => name.length)) + 10;
  const pad = Math.max(14, wide / 2 - 12);
  const room = right - left - 2 * pad;
  const x = (column) => (last === 0 ? (left + right) / 2 : left + pad + (room * column) / last);
  const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
  // A single column is drawn as a level line.
  const points = (row) => (last === 0 ? [[left + 20, y(row[0])], [right - 20, y(row[0])]] : row.map((value, i) => [x(i), y(value)]));
  const small = { fill: themeColour("--muted"), "font-size": 10.5, "stroke-width": 0 };
  const result = picture(width, height, { ground: true, role: "img", "aria-label": "Columns of the signature, by role" });
  for (const value of ticks(low, high, height / 50)) {
    result.append(shape("line", { x1: left, x2: right, y1: y(value), y2: y(value), stroke: themeColour("--line"), "stroke-width": 0.7 }),
      words(String(value), left - 5, y(value) + 4, { "text-anchor": "end", ...small }));
  }
  const rows = wide * last > room ? 2 : 1;
  const step = Math.ceil((wide * last) / (rows * room)) || 1;
  names.forEach((name, i) => {
    if (i % step === 0) result.append(words(name, x(i), bottom + 14 + 14 * ((i / step) % rows), { "text-anchor": "middle", ...small }));
  });
  if (data.radii) result.append(words("radius →", right, height - 4, { "text-anchor": "end", ...small }));
  result.append(words(data.radii ? "↑ entropy" : "↑ value", 4, 12, small));
  const roles = new Set(page.data.role ? page.nodes.map((node) => data.role[node]) : []);
  for (const one of data.roles) {
    const plain = roles.size === 0 || roles.has(one.role);
    const colour = roleColour(page, one.role);
    result.append(
      shape("path", { d: `${linePath([...points(one.low), ...points(one.high).reverse()])}Z`, fill: colour, "fill-opacity": plain ? 0.16 : 0.04 }),
      shape("path", { d: linePath(points(one.middle)), fill: "none", stroke: colour, "stroke-width": 2, "stroke-opacity": plain ? 0.95 : 0.25 }, title(one.name)));
    one.middle.forEach((value, i) => result.append(mark(page, one.role, x(i), y(value), 4, { "fill-opacity": plain ? 1 : 0.3 })));
  }
  const crowded = lines.length > 12;
  result.append(shape("path", {
    d: lines.map((row) => linePath(points(row))).join(""), fill: "none", stroke: themeColour("--ink"), "stroke-width": crowded ? 0.7 : 1.6,
    "stroke-opacity": crowded ? 0.3 : 0.9, "data-lines": lines.length, class: "chosen-profiles",
  }));
  byId("profile-caption").textContent = page.nodes.length === 0 ? "Median of each role, and its middle 80%"
    : `${page.nodes.length > shown.length ? "Some of the selected nodes" : "Selected nodes"} (thin lines) and the roles`;
  return result;
}
