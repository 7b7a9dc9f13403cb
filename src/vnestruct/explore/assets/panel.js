// The cards of the roles: what each is called, how many nodes it has, and what a typical one looks like.

function cardFacts(one) {
  const [low, high] = one.degree_range;
  const range = low === high ? "" : ` (${number(low)}–${number(high)})`;
  return `${counted(one.nodes, "node")}, ${percent(one.share)} · degree ${number(one.degree)}${range}`;
}

function fillCards(page) {
  byId("roles").replaceChildren(...page.data.roles.map((one) => {
    const point = () => page.point(one.role);
    const leave = () => page.point(-1);
    return element("li", {}, element("button", {
      type: "button", className: "role", title: one.description, "data-role": one.role, "aria-pressed": "false",
      onclick: () => (page.role === one.role ? page.select([]) : page.selectRole(one.role)),
      onpointerenter: point, onfocus: point, onpointerleave: leave, onblur: leave,
    }, element("span", { className: "mini" }), element("span", { className: "lines" },
      element("span", { className: "name" }, swatch(page, one.role), element("span", { text: one.name })),
      element("span", { className: "facts", text: cardFacts(one) })),
    element("span", { className: "sentence", text: one.description })));
  }));
}

// The ego network of a typical node on every card, in the colours of the theme.
function drawMinis(page) {
  for (const card of document.querySelectorAll("#roles .role")) {
    const [typical] = page.data.roles[card.dataset.role].examples;
    if (typical === undefined) continue;
    const network = egoNetwork(page.data, typical, page.data.degree[typical] > 8 ? 1 : 2, 18, 14);
    card.querySelector(".mini").replaceChildren(egoPicture(page, network, 64, 56, true));
  }
}

// The panel about what is selected: one node with its ego network, a role, or a list of nodes.

const MOST_LISTED = 200;
const MOST_NEIGHBOURS = 60;

function showDetails(page) {
  const { data, nodes, focus, role } = page;
  byId("csv").disabled = nodes.length === 0;
  let [text, content] = ["Nothing selected: click a node or a role, draw a lasso, or search.", []];
  if (focus >= 0) [text, content] = [data.placeInDrawing[focus] < 0 ? "1 node, not in the drawn sample" : "1 node", nodeDetails(page, focus)];
  else if (role >= 0) [text, content] = [`${counted(nodes.length, "node")} of role ${role}`, roleDetails(page, data.roles[role])];
  else if (nodes.length) [text, content] = [counted(nodes.length, "node"), listDetails(page, nodes)];
  byId("status").textContent = text;
  byId("chosen").replaceChildren(...content);
}

function called(page, role, text) {
  return element("div", { className: "called" }, swatch(page, role), element("bdi", { text }));
}

// A heading and the nodes below it, if there are any.
function nodesBelow(page, text, options, nodes) {
  if (nodes.length === 0) return [];
  return [element("h3", { text }), element("div", { className: "nodes", ...options }, ...nodes.map((one) => nodeButton(page, one)))];
}

function terms(facts) {
  return element("dl", {}, ...facts.flatMap(([term, text]) => [element("dt", { text: term }), element("dd", {}, element("bdi", { text }))]));
}

function byDegree(data) {
  return (a, b) => data.degree[b] - data.degree[a] || a - b;
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
    facts.push([data.radii ? `entropy, radius ${data.radii[place]}` : column, valueOf(data, node, place).toFixed(4)]);
  });
  const neighbours = Array.from(neighboursOf(data, node)).sort(byDegree(data)).slice(0, MOST_NEIGHBOURS);
  const total = data.degree[node];
  return [
    called(page, data.role[node], nameOf(data, node)),
    ...(role.exceptional.includes(node) ? [element("p", { className: "words", text: "no other node is like it" })] : []),
    ...timeSection(page, node), element("h3", { text: "Ego network" }), egoSection(page, node), terms(facts),
    element("h3", { text: "Most similar nodes" }),
    element("ol", { id: "similar" }, ...page.similar.map((one) => element("li", { "data-distance": one.distance }, nodeButton(page, one.node),
      element("span", { className: "distance", text: one.distance === 0 ? "identical" : one.distance.toPrecision(3) })))),
    ...nodesBelow(page, neighbours.length === total ? "Neighbours" : `${number(neighbours.length)} of ${counted(total, "neighbour")}`, { id: "neighbours" }, neighbours),
  ];
}

function egoSection(page, node) {
  const { data } = page;
  const hops = page.hops || (data.degree[node] > 12 ? 1 : 2);
  const network = egoNetwork(data, node, hops);
  const width = Math.max(220, Math.min(460, byId("chosen").clientWidth || 300));
  const choose = (count) => {
    page.hops = count;
    showDetails(page);
    page.remember();
  };
  const buttons = [1, 2].map((count) => element("button", {
    type: "button", className: "quiet", text: counted(count, "step"), "aria-pressed": String(count === hops), onclick: () => choose(count),
  }));
  return element("div", { id: "ego" }, egoPicture(page, network, width, Math.round(0.8 * width)),
    element("div", { className: "row" }, ...buttons, ...exportButtons(page, "ego")),
    element("p", { className: "caption", id: "ego-caption", text: egoCaption(data, network, hops) }));
}

function roleDetails(page, one) {
  const { data } = page;
  const links = data.meetings[one.role];
  const total = links.reduce((sum, count) => sum + count, 0);
  const meets = data.roles.filter((other) => links[other.role] > 0).sort((a, b) => links[b.role] - links[a.role]).slice(0, 5);
  const lines = meets.map((other) => [other.role, `${percent(links[other.role] / total)} of its links: ${other.role === one.role ? "inside the role" : other.name}`]);
  return [
    called(page, one.role, one.name), element("p", { className: "words", text: one.description }),
    terms([
      ["nodes", `${number(one.nodes)} (${percent(one.share)})`], ["degree", `${number(one.degree)} (median)`],
      ["clustering", `${one.clustering.toFixed(2)} (median)`],
    ]),
    ...nodesBelow(page, "Typical nodes", { className: "nodes examples" }, one.examples),
    ...nodesBelow(page, "Like no other node", { className: "nodes exceptional" }, one.exceptional),
    ...(meets.length ? [element("h3", { text: "Whom it meets" }), roleLines(page, lines)] : []),
    ...(page.view === "graph" ? [] : [element("button", { type: "button", text: "Show in the drawing", onclick: () => page.show("graph") })]),
  ];
}

function roleLines(page, lines) {
  return element("ul", { className: "meets" }, ...lines.map(([role, text]) => element("li", {}, swatch(page, role), element("span", { text }))));
}

function listDetails(page, nodes) {
  const { data } = page;
  const counts = data.roles.map(() => 0);
  for (const node of nodes) counts[data.role[node]] += 1;
  const lines = data.roles.filter((one) => counts[one.role] > 0).map((one) => [one.role, `${number(counts[one.role])}: ${one.name}`]);
  const sorted = nodes.slice().sort(byDegree(data)).slice(0, MOST_LISTED);
  const heading = sorted.length < nodes.length ? `The ${MOST_LISTED} of largest degree` : "Nodes";
  return [roleLines(page, lines), ...nodesBelow(page, heading, { id: "listed" }, sorted)];
}

// The search box, over labels, names and attributes: whole texts first, then beginnings, then parts.

const MOST_MATCHES = 12;
const EDGE = "\u0001";

function startSearch(page) {
  const { data } = page;
  const [input, list] = [byId("search"), byId("matches")];
  let [matches, place] = [[], -1];
  // The texts of each node, in lower case, with a mark before and behind each.
  const columns = [data.labels, ...(data.names ? [data.names] : []), ...data.attributeTexts];
  const texts = data.labels.map((_, node) => EDGE + columns.map((column) => column[node].trim() + EDGE).join("").toLowerCase());

  const find = (typed) => {
    const wanted = typed.toLowerCase();
    const found = [[], [], []];
    for (let node = 0; wanted && node < texts.length && found[0].length < MOST_MATCHES; node++) {
      const text = texts[node];
      if (!text.includes(wanted)) continue;
      const rank = text.includes(EDGE + wanted + EDGE) ? 0 : text.includes(EDGE + wanted) ? 1 : 2;
      if (found[rank].length < MOST_MATCHES) found[rank].push(node);
    }
    // Among labels that differ only in case, prefer the one that was typed.
    found[0].sort((a, b) => (data.labels[b].trim() === typed) - (data.labels[a].trim() === typed));
    return found.flat().slice(0, MOST_MATCHES);
  };
  const open = (shown) => {
    list.hidden = !shown;
    input.setAttribute("aria-expanded", String(shown));
  };
  const choose = (node) => {
    input.value = nameOf(data, node);
    open(false);
    page.select([node]);
  };
  const move = (to) => {
    place = to;
    matches.forEach((_, one) => list.children[one].setAttribute("aria-selected", String(one === place)));
    input.setAttribute("aria-activedescendant", matches.length ? `match-${place}` : "");
    list.children[place].scrollIntoView({ block: "nearest" });
  };
  input.oninput = () => {
    const typed = input.value.trim();
    matches = find(typed);
    list.replaceChildren(...matches.map((node, i) => element("li", { id: `match-${i}`, role: "option", onclick: () => choose(node) },
      element("bdi", { text: nameOf(data, node) }), ...(data.names?.[node] ? [element("bdi", { className: "caption", text: data.labels[node] })] : []))));
    if (matches.length === 0) list.append(element("li", { className: "caption", text: "no such node" }));
    open(typed !== "");
    move(0);
  };
  input.onkeydown = (event) => {
    const count = matches.length;
    if (event.key === "ArrowDown" && count) move((place + 1) % count);
    else if (event.key === "ArrowUp" && count) move((place + count - 1) % count);
    else if (event.key === "Enter" && count) choose(matches[place]);
    else if (event.key === "Escape" && !list.hidden) { open(false); event.stopPropagation(); }
    else return;
    event.preventDefault();
  };
  input.onblur = () => open(false);
  // A press on an entry would take the focus and close the list before the click.
  list.onmousedown = (event) => event.preventDefault();
}
