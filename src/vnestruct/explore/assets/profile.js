// Profiles: the median of each role by radius with the band of its middle 80%, and the selected nodes as thin lines.

const MOST_PROFILES = 60;

function drawProfile(page) {
  const { data } = page;
  const host = byId("profile");
  const { width, height } = host.getBoundingClientRect();
  if (width < 50 || height < 50) return;
  const every = Math.max(1, Math.ceil(page.nodes.length / MOST_PROFILES));
  const shown = page.data.signature ? page.nodes.filter((_, place) => place % every === 0) : [];
  const lines = shown.map((node) => signatureOf(data, node));
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
  const result = picture(width, height, { role: "img", "aria-label": "Columns of the signature, by role" });
  result.append(shape("rect", { width, height, fill: themeColour("--card") }));
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
  host.replaceChildren(result);
  byId("profile-caption").textContent = page.nodes.length === 0 ? "Median of each role, and its middle 80%"
    : `${page.nodes.length > shown.length ? "Some of the selected nodes" : "Selected nodes"} (thin lines) and the roles`;
}

views.push(drawProfile);
