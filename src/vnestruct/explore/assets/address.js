// The state of the page in its address, after the #, so that a view can be sent or kept as a bookmark.

const MOST_IN_ADDRESS = 200;

function addressOf(page) {
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
  return `#${state}`;
}

function writeAddress(page) {
  const address = addressOf(page);
  if (address === location.hash) return;
  // Inside a notebook's frame there is no address to change.
  try { history.replaceState(null, "", address); } catch { /* the page works without */ }
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
