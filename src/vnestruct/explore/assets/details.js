// The panel about what is selected: one node with its ego network, a role, or a list of nodes.

const MOST_LISTED = 200;
const MOST_NEIGHBOURS = 60;

function showDetails(page) {
  const { nodes, focus, role } = page;
  const host = byId("chosen");
  byId("csv").disabled = nodes.length === 0;
  if (nodes.length === 0) {
    byId("status").textContent = "Nothing selected: click a node or a role, draw a lasso, or search.";
    host.replaceChildren();
  } else if (focus >= 0) {
    byId("status").textContent = page.data.placeInDrawing[focus] < 0 ? "1 node, not in the drawn sample" : "1 node";
    host.replaceChildren(...nodeDetails(page, focus));
  } else if (role >= 0) {
    byId("status").textContent = `${counted(nodes.length, "node")} of role ${role}`;
    host.replaceChildren(...roleDetails(page, page.data.roles[role]));
  } else {
    byId("status").textContent = counted(nodes.length, "node");
    host.replaceChildren(...listDetails(page, nodes));
  }
}

function nodeDetails(page, node) {
  const { data } = page;
  const role = data.roles[data.role[node]];
  const facts = [["role", role.name], ["degree", number(data.degree[node])]];
  if (page.now) facts.splice(1, 0, ["role then", data.roles[page.now[node]]?.name ?? "no link in this period"]);
  if (data.names?.[node]) facts.unshift(["node", data.labels[node]]);
  if (data.classes) facts.push(["label", data.class[node] < 0 ? "none" : data.classes[data.class[node]]]);
  data.attributes.forEach((name, i) => { if (data.attributeTexts[i][node]) facts.push([name, data.attributeTexts[i][node]]); });
  data.columns.slice(0, 6).forEach((column, place) => {
    facts.push([data.radii ? `entropy, radius ${data.radii[place]}` : column, entropyOf(data, node, place).toFixed(4)]);
  });
  const similar = element("ol", { id: "similar" }, ...page.similar.map((one) => {
    const line = element("li", {}, nodeButton(page, one.node),
      element("span", { className: "distance", text: one.distance === 0 ? "identical" : one.distance.toPrecision(3) }));
    line.dataset.distance = one.distance;
    return line;
  }));
  return [
    element("div", { className: "called" }, swatch(page, data.role[node]), element("bdi", { text: nameOf(data, node) })),
    ...(role.exceptional.includes(node) ? [element("p", { className: "words", text: "no other node is like it" })] : []),
    ...timeSection(page, node), element("h3", { text: "Ego network" }), egoSection(page, node),
    terms(facts), element("h3", { text: "Most similar nodes" }), similar,
    ...neighbourList(page, node),
  ];
}

function terms(facts) {
  return element("dl", {}, ...facts.flatMap(([term, text]) => [element("dt", { text: term }), element("dd", {}, element("bdi", { text }))]));
}

function egoSection(page, node) {
  const { data } = page;
  const hops = page.hops || (data.degree[node] > 12 ? 1 : 2);
  const network = egoNetwork(data, node, hops);
  const width = Math.max(220, Math.min(460, byId("chosen").clientWidth || 300));
  const buttons = [1, 2].map((count) => {
    const button = element("button", { type: "button", text: count === 1 ? "1 step" : "2 steps" });
    button.setAttribute("aria-pressed", String(count === hops));
    button.addEventListener("click", () => {
      page.hops = count;
      showDetails(page);
      page.remember();
    });
    return button;
  });
  return element("div", { id: "ego" }, egoPicture(page, network, width, Math.round(0.8 * width)),
    element("div", { className: "row" }, ...buttons, ...exportButtons("ego")),
    element("p", { className: "caption", id: "ego-caption", text: egoCaption(data, network, hops) }));
}

function neighbourList(page, node) {
  const { data } = page;
  const all = Array.from(neighboursOf(data, node)).sort((a, b) => data.degree[b] - data.degree[a] || a - b);
  if (all.length === 0) return [];
  const shown = all.slice(0, MOST_NEIGHBOURS);
  const heading = shown.length === data.degree[node] ? "Neighbours" : `${number(shown.length)} of ${counted(data.degree[node], "neighbour")}`;
  return [element("h3", { text: heading }), element("div", { className: "nodes", id: "neighbours" }, ...shown.map((one) => nodeButton(page, one)))];
}

function roleDetails(page, one) {
  const { data } = page;
  const facts = [
    ["nodes", `${number(one.nodes)} (${percent(one.share)})`], ["degree", `${number(one.degree)} (median)`],
    ["clustering", `${one.clustering.toFixed(2)} (median)`],
  ];
  const total = data.meetings[one.role].reduce((sum, count) => sum + count, 0);
  const meets = data.roles.filter((other) => data.meetings[one.role][other.role] > 0)
    .sort((a, b) => data.meetings[one.role][b.role] - data.meetings[one.role][a.role]).slice(0, 5)
    .map((other) => element("li", {}, swatch(page, other.role),
      element("span", { text: `${percent(data.meetings[one.role][other.role] / total)} of its links: ${other.role === one.role ? "inside the role" : other.name}` })));
  const drawing = element("button", { type: "button", text: "Show in the drawing" });
  drawing.addEventListener("click", () => page.show("graph"));
  return [
    element("div", { className: "called" }, swatch(page, one.role), element("span", { text: one.name })),
    element("p", { className: "words", text: one.description }), terms(facts),
    element("h3", { text: "Typical nodes" }), element("div", { className: "nodes examples" }, ...one.examples.map((node) => nodeButton(page, node))),
    ...(one.exceptional.length ? [element("h3", { text: "Like no other node" }),
      element("div", { className: "nodes exceptional" }, ...one.exceptional.map((node) => nodeButton(page, node)))] : []),
    ...(meets.length ? [element("h3", { text: "Whom it meets" }), element("ul", { className: "meets" }, ...meets)] : []),
    ...(page.view === "graph" ? [] : [element("div", { className: "row" }, drawing)]),
  ];
}

function listDetails(page, nodes) {
  const { data } = page;
  const counts = data.roles.map(() => 0);
  for (const node of nodes) counts[data.role[node]] += 1;
  const roles = data.roles.filter((one) => counts[one.role] > 0).map((one) => element("li", {}, swatch(page, one.role),
    element("span", { text: `${number(counts[one.role])}: ${one.name}` })));
  const sorted = nodes.slice().sort((a, b) => data.degree[b] - data.degree[a] || a - b).slice(0, MOST_LISTED);
  const heading = sorted.length < nodes.length ? `The ${MOST_LISTED} of largest degree` : "Nodes";
  return [element("ul", { className: "meets" }, ...roles), element("h3", { text: heading }),
    element("div", { className: "nodes", id: "listed" }, ...sorted.map((node) => nodeButton(page, node)))];
}
