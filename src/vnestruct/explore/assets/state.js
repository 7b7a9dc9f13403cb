// Time: a slider over periods, what has changed in each, and the role of every node then.

const STEP = 700;
const NONE = -1;

// A date for what looks like one, else the number.
function momentOf(seconds) {
  if (!(seconds > 1e8 && seconds < 2.5e11)) return String(seconds);
  return new Date(1000 * seconds).toISOString().slice(0, 16).replace("T", " ").replace(" 00:00", "");
}

// The role of every node in a period; a number that no role has where the node has no link.
function rolesIn(data, period) {
  return data.periodRoles.subarray(period * data.nodes, (period + 1) * data.nodes);
}

function startTime(page) {
  const { periods } = page.data;
  if (!periods) return;
  const last = periods.start.length - 1;
  byId("time").hidden = false;
  byId("period").max = last + 1;
  byId("period").oninput = () => choosePeriod(page, byId("period").value - 1);
  byId("all-periods").onclick = () => choosePeriod(page, NONE);
  byId("play").onclick = () => {
    if (page.playing) return stopPlaying(page);
    byId("play").textContent = "Pause";
    const next = () => {
      showPeriod(page, page.period >= last ? 0 : page.period + 1);
      if (page.period === last) stopPlaying(page);
    };
    page.playing = setInterval(next, STEP);
    next();
  };
  describePeriod(page);
}

function stopPlaying(page) {
  clearInterval(page.playing);
  page.playing = null;
  byId("play").textContent = "Play";
}

function choosePeriod(page, period) {
  stopPlaying(page);
  showPeriod(page, period);
}

// Show one period, or NONE for all of them.
function showPeriod(page, period) {
  const { data, plots: { drawing } } = page;
  const now = period < 0 ? null : rolesIn(data, period);
  const isThere = (node) => !now || now[node] < data.roles.length;
  Object.assign(page, { period, now, active: now && [...now.keys()].filter(isThere) });
  describePeriod(page);
  const { node, links } = drawing.points;
  drawing.shapes = Uint8Array.from(node, (one) => shapeOf((isThere(one) && now ? now : data.role)[one]));
  drawing.links = links.filter((_, i) => isThere(node[links[i & ~1]]) && isThere(node[links[i | 1]]));
  page.show(page.view);
  page.recolour();
  if (page.role >= 0) page.selectRole(page.role);
  else page.select(page.nodes);
}

// The words beside the slider, and the numbers of nodes on the cards.
function describePeriod(page) {
  const { data: { periods, roles }, period, now, active } = page;
  let text = `All ${counted(periods.start.length, "period")}: move the slider to see one${periods.left ? `; ${number(periods.left)} earlier ones are left out` : ""}`;
  const counts = active && roles.map(() => 0);
  for (const node of active ?? []) counts[now[node]] += 1;
  if (active) {
    const rank = 1 + periods.scores.filter((score, other) => score > periods.scores[period] || (score === periods.scores[period] && other < period)).length;
    text = `${momentOf(periods.start[period])} · ${counted(active.length, "node")}, ${counted(periods.links[period], "link")} · change score `
      + `${periods.scores[period].toFixed(2)}, number ${rank} of ${periods.start.length}`;
  }
  byId("time-caption").textContent = text;
  byId("period").value = period + 1;
  byId("period").setAttribute("aria-valuetext", text);
  byId("all-periods").setAttribute("aria-pressed", String(period < 0));
  page.shares = roles.map((one) => (counts ? counts[one.role] / Math.max(active.length, 1) : one.share));
  document.querySelectorAll("#roles .role .facts").forEach((facts, role) => {
    facts.textContent = counts ? `${counted(counts[role], "node")} then, ${percent(page.shares[role])}` : cardFacts(roles[role]);
  });
}

// One bar per period; the one that is shown stands out. Bars stand above the places of the slider's thumb.
views.push((page) => page.data.periods && drawInto("scores", (width, height) => scoreBars(page, width, height)));

function scoreBars(page, width, height) {
  const { periods } = page.data;
  const most = Math.max(1e-9, ...periods.scores);
  const room = (width - 16) / periods.start.length;
  return picture(width, height, { role: "img", "aria-label": "Change score of each period" }, ...periods.scores.flatMap((score, period) => {
    const tall = Math.max(1, (score / most) * (height - 2));
    const shown = period === page.period;
    const middle = 8 + (period + 1) * room;
    const bar = shape("rect", {
      x: middle - Math.max(1, 0.35 * room), width: Math.max(2, 0.7 * room), y: height - tall, height: tall,
      fill: themeColour(shown ? "--accent" : "--muted"), "fill-opacity": shown || page.period < 0 ? 1 : 0.5,
    });
    // A low bar is clicked above it.
    const target = shape("rect", { x: middle - room / 2, width: room, height, "fill-opacity": 0, cursor: "pointer", "data-period": period },
      title(`${momentOf(periods.start[period])}: ${score.toFixed(2)}`));
    target.onclick = () => choosePeriod(page, period);
    return [bar, target];
  }));
}

// The roles of one node over time, in colours; a gap where it has no link.
function timeSection(page, node) {
  const { data, data: { periods } } = page;
  if (!periods) return [];
  const width = Math.max(220, byId("chosen").clientWidth || 300);
  const room = width / periods.start.length;
  const strip = picture(width, 22, { role: "img", "aria-label": "Role in each period", id: "history" });
  periods.start.forEach((start, period) => {
    const role = data.roles[rolesIn(data, period)[node]];
    if (!role) return;
    const style = { y: 0, width: Math.max(1, room - (room > 4 ? 1 : 0)), height: 16, fill: roleColour(page, role.role), cursor: "pointer", "data-period": period };
    const bar = shape("rect", { x: period * room, ...style }, title(`${momentOf(start)}: ${role.name}`));
    bar.onclick = () => showPeriod(page, period);
    strip.append(bar);
  });
  if (page.period >= 0) strip.append(shape("rect", { x: page.period * room, y: 18, width: Math.max(3, room), height: 4, fill: themeColour("--accent") }));
  return [element("h3", { text: "Role over time" }), strip];
}

// The state of the page in its address, after the #, so that a view can be sent or kept as a bookmark.

const MOST_IN_ADDRESS = 200;

function writeAddress(page) {
  const state = new URLSearchParams({ view: page.view });
  if (page.choice.key !== "role") state.set("colour", page.choice.key);
  if (page.themeChosen) state.set("theme", page.theme);
  if (page.role >= 0) state.set("role", page.role);
  else if (page.focus >= 0) state.set("node", page.data.labels[page.focus]);
  else if (page.nodes.length && page.nodes.length <= MOST_IN_ADDRESS) state.set("nodes", page.nodes.join("."));
  if (page.period >= 0) state.set("period", momentOf(page.data.periods.start[page.period]));
  if (page.hops) state.set("steps", page.hops);
  for (const [name, plot] of Object.entries(page.plots)) {
    const { home, x, y, zoom } = plot.view;
    if (home && (Math.abs(zoom - 1) > 1e-6 || Math.abs(x - home.x) * home.sx > 1 || Math.abs(y - home.y) * home.sy > 1)) {
      state.set(name, [x, y, zoom].map((value) => Number(value.toPrecision(6))).join(","));
    }
  }
  // Inside a notebook's frame there is no address to change.
  try { history.replaceState(null, "", `#${state}`); } catch { /* the page works without */ }
}

function readAddress(page, address) {
  clearTimeout(page.timer);
  const state = new URLSearchParams(address.slice(1));
  const { data } = page;
  if (["light", "dark"].includes(state.get("theme"))) Object.assign(page, { theme: state.get("theme"), themeChosen: true });
  page.choice = page.choices.find((one) => one.key === state.get("colour")) ?? page.choices[0];
  byId("colour").value = page.choice.key;
  page.hops = [1, 2].find((hops) => String(hops) === state.get("steps")) ?? 0;
  page.show(["roles", "graph"].includes(state.get("view")) ? state.get("view") : page.view);
  page.paint();
  const period = data.periods ? data.periods.start.findIndex((start) => momentOf(start) === state.get("period")) : NONE;
  if (period !== page.period) showPeriod(page, period);
  const node = state.has("node") ? data.labels.indexOf(state.get("node")) : -1;
  const role = state.has("role") ? data.roles.findIndex((one) => String(one.role) === state.get("role")) : -1;
  const nodes = (state.get("nodes") ?? "").split(".").filter((text) => /^\d+$/.test(text)).map(Number).filter((one) => one < data.nodes);
  if (role >= 0) page.selectRole(role);
  else page.select(node >= 0 ? [node] : nodes);
  for (const [name, plot] of Object.entries(page.plots)) {
    const [x, y, zoom] = (state.get(name) ?? "").split(",").map(Number);
    if ([x, y, zoom].every(Number.isFinite) && zoom > 0) plot.place({ x, y, zoom });
  }
}

// Files to save: the selection as CSV, each view as PNG or SVG.

function save(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function csvOf(page) {
  const { data, nodes } = page;
  const field = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  const columns = [
    ["node", (node) => data.labels[node]], ...(data.names ? [["name", (node) => data.names[node]]] : []),
    ["role", (node) => data.role[node]], ["role_name", (node) => data.roles[data.role[node]].name], ["degree", (node) => data.degree[node]],
    ...data.columns.map((name, column) => [name, (node) => valueOf(data, node, column)]),
    ...(data.classes ? [["label", (node) => data.classes[data.class[node]] ?? ""]] : []),
    ...data.attributes.map((name, i) => [name, (node) => data.attributeTexts[i][node]]),
  ];
  const rows = [columns.map(([name]) => name), ...nodes.map((node) => columns.map(([, value]) => value(node)))];
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

// The drawing and the plane are made for the purpose, the other views are SVG already.
async function exportView(page, view, format) {
  const name = view !== "stage" ? view : page.view === "roles" ? "rolegraph" : "drawing";
  const plot = page.plots[name];
  const svg = plot ? plotAsSvg(plot) : byId(name).querySelector("svg").cloneNode(true);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(svg);
  if (format === "svg") { save(`${name}.svg`, text, "image/svg+xml"); return; }
  const { width, height } = svg.viewBox.baseVal;
  const canvas = element("canvas", { width: Math.round(2 * width), height: Math.round(2 * height) });
  const brush = canvas.getContext("2d");
  brush.fillStyle = themeColour("--card");
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const source = plot?.canvas ?? element("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` });
  await source.decode?.();
  brush.drawImage(source, 0, 0, canvas.width, canvas.height);
  save(`${name}.png`, await new Promise((done) => { canvas.toBlob(done, "image/png"); }));
}

function exportButtons(page, view) {
  return ["png", "svg"].map((format) => element("button", {
    type: "button", className: "quiet", text: format.toUpperCase(), title: `Save this view as ${format.toUpperCase()}`,
    "data-save": `${view}.${format}`, onclick: () => exportView(page, view, format),
  }));
}
