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
  const x = (column) => (last === 0 ? (left + right) / 2 : left + 14 + ((right - left - 28) * column) / last);
  const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low);
  // A single column is drawn as a level line.
  const path = (row) => (last === 0 ? `M${left + 20} ${y(row[0])}L${right - 20} ${y(row[0])}` : `M${row.map((value, i) => `${x(i).toFixed(1)} ${y(value).toFixed(1)}`).join("L")}`);
  const muted = themeColour("--muted");
  const small = { fill: muted, "font-size": 10.5, "stroke-width": 0 };
  const result = picture(width, height, { role: "img", "aria-label": "Entropy by radius of each role" });
  result.append(shape("rect", { width, height, fill: themeColour("--card") }));
  for (const value of ticks(low, high, height / 50)) {
    result.append(shape("line", { x1: left, x2: right, y1: y(value), y2: y(value), stroke: themeColour("--line"), "stroke-width": 0.7 }),
      words(String(value), left - 5, y(value) + 4, { "text-anchor": "end", ...small }));
  }
  const step = Math.ceil(data.columns.length / Math.max(1, Math.floor((right - left) / (data.radii ? 24 : 64))));
  data.columns.forEach((name, i) => {
    if (i % step === 0) result.append(words(data.radii ? data.radii[i] : shortened(name, 10), x(i), bottom + 15, { "text-anchor": "middle", ...small }));
  });
  result.append(words(data.radii ? "radius →" : "column →", right, height - 4, { "text-anchor": "end", ...small }), words(data.radii ? "↑ entropy" : "↑ value", 4, 12, small));
  const roles = new Set(page.data.role ? page.nodes.map((node) => data.role[node]) : []);
  for (const one of data.roles) {
    const plain = roles.size === 0 || roles.has(one.role);
    const colour = roleColour(page, one.role);
    const band = last === 0 ? `M${left + 20} ${y(one.low[0])}L${right - 20} ${y(one.low[0])}L${right - 20} ${y(one.high[0])}L${left + 20} ${y(one.high[0])}Z`
      : `${path(one.low)}L${[...one.high.keys()].reverse().map((i) => `${x(i).toFixed(1)} ${y(one.high[i]).toFixed(1)}`).join("L")}Z`;
    result.append(shape("path", { d: band, fill: colour, "fill-opacity": plain ? 0.16 : 0.04 }),
      shape("path", { d: path(one.middle), fill: "none", stroke: colour, "stroke-width": 2, "stroke-opacity": plain ? 0.95 : 0.25 }, title(one.name)));
    one.middle.forEach((value, i) => result.append(mark(page, one.role, x(i), y(value), 4, { "fill-opacity": plain ? 1 : 0.3 })));
  }
  const crowded = lines.length > 12;
  result.append(shape("path", {
    d: lines.map(path).join(""), fill: "none", stroke: themeColour("--ink"), "stroke-width": crowded ? 0.7 : 1.6,
    "stroke-opacity": crowded ? 0.3 : 0.9, "data-lines": lines.length, class: "chosen-profiles",
  }));
  host.replaceChildren(result);
  byId("profile-caption").textContent = page.nodes.length === 0 ? "Median of each role, and its middle 80%"
    : page.nodes.length === 1 ? "The selected node (thin line) and the roles"
      : `${page.nodes.length > shown.length ? "Some of the" : "The"} selected nodes (thin lines) and the roles`;
}
