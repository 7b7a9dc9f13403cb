// The table of roles, and the details of the selected nodes.

function number(value) {
  return value.toLocaleString("en");
}

function nodeButton(data, node, onChoose) {
  const button = element("button", { className: "node" }, element("bdi", { text: data.labels[node] || "(empty label)" }));
  button.type = "button";
  button.title = data.labels[node];
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    onChoose(node);
  });
  return button;
}

function fillRoles(data, onRole, onNode) {
  const rows = data.roles.map((one) => {
    const letter = element("span", { className: "letter", text: one.letter });
    const button = element("button", { className: "role-button" }, letter, ` ${one.role}`);
    button.type = "button";
    button.setAttribute("aria-label", `Select the ${number(one.size)} nodes of role ${one.role}`);
    const share = one.share >= 0.01 ? `${Math.round(one.share * 100)}%` : `${(one.share * 100).toFixed(1)}%`;
    const [low, high] = one.degrees;
    const degree = number(one.degree) + (low === high ? "" : ` (${number(low)}–${number(high)})`);
    const examples = element("div", { className: "examples" }, ...one.examples.map((node) => nodeButton(data, node, onNode)));
    const row = element("tr", {},
      element("td", {}, button),
      element("td", { className: "number", text: `${number(one.size)} (${share})` }),
      element("td", { className: "degree", text: degree }),
      element("td", { className: "number", text: one.clustering.toFixed(2) }),
      element("td", { text: one.brief }),
      element("td", {}, examples));
    row.dataset.role = one.role;
    row.addEventListener("click", () => onRole(one.role));
    return row;
  });
  document.querySelector("#roles tbody").replaceChildren(...rows);
}

function colourRoles(data, theme) {
  const palette = data.palette[theme];
  for (const row of document.querySelectorAll("#roles tbody tr")) {
    row.querySelector(".letter").style.color = palette[row.dataset.role % palette.length];
  }
}

function markRole(role) {
  for (const row of document.querySelectorAll("#roles tbody tr")) {
    row.setAttribute("aria-selected", String(Number(row.dataset.role) === role));
    row.querySelector(".role-button").setAttribute("aria-pressed", String(Number(row.dataset.role) === role));
  }
}

function showSelection(data, nodes, focus, similar, role, theme, onNode) {
  const status = document.getElementById("status");
  const chosen = document.getElementById("chosen");
  const list = document.getElementById("similar");
  chosen.replaceChildren();
  list.replaceChildren();
  document.getElementById("similar-title").hidden = focus < 0;
  if (nodes.length === 0) {
    status.textContent = "Nothing selected: click a node or a role, draw a lasso, or search for a label.";
    return;
  }
  const outside = nodes.reduce((count, node) => count + (data.placeInDrawing[node] < 0), 0);
  const where = outside === 0 ? "" : nodes.length === 1 ? ", not in the drawn sample" :
    `, ${number(nodes.length - outside)} of them in the drawing`;
  const what = role < 0 ? `${number(nodes.length)} node${nodes.length === 1 ? "" : "s"}` : `${number(nodes.length)} nodes of role ${role}`;
  status.textContent = what + where;
  if (focus < 0) {
    if (role < 0) chosen.append(countsByRole(data, nodes, theme));
    else chosen.append(roleFacts(data, data.roles[role], onNode));
    return;
  }
  chosen.append(nodeFacts(data, focus));
  for (const one of similar) {
    const letter = element("span", { className: "letter", text: data.roles[data.role[one.node]].letter });
    letter.style.color = data.palette[theme][data.role[one.node] % data.palette[theme].length];
    letter.title = `role ${data.role[one.node]}`;
    const line = element("li", {}, letter, nodeButton(data, one.node, onNode),
      element("span", { className: "distance", text: one.distance === 0 ? "identical" : one.distance.toPrecision(3) }));
    line.dataset.distance = one.distance;
    list.append(line);
  }
}

function nodeFacts(data, node) {
  const name = element("div", { className: "name" }, element("bdi", { text: data.labels[node] || "(empty label)" }));
  const facts = [["role", `${data.role[node]}: ${firstWords(data.roles[data.role[node]].brief)}`], ["degree", number(data.degree[node])]];
  if (data.classes) facts.push(["label", data.class[node] < 0 ? "none" : data.classes[data.class[node]]]);
  data.columns.slice(0, 6).forEach((column, place) => {
    facts.push([data.radii ? `radius ${data.radii[place]}` : column, entropyOf(data, node, place).toFixed(4)]);
  });
  const terms = element("dl");
  for (const [term, text] of facts) terms.append(element("dt", { text: term }), element("dd", {}, element("bdi", { text })));
  const all = document.createDocumentFragment();
  all.append(name, terms);
  return all;
}

function roleFacts(data, one, onNode) {
  const all = document.createDocumentFragment();
  all.append(element("p", { className: "words", text: one.brief }), element("h3", { text: "Typical nodes" }),
    element("div", { className: "examples" }, ...one.examples.map((node) => nodeButton(data, node, onNode))));
  return all;
}

function countsByRole(data, nodes, theme) {
  const terms = element("dl");
  for (const one of data.roles) {
    const count = nodes.reduce((sum, node) => sum + (data.role[node] === one.role), 0);
    if (count === 0) continue;
    const letter = element("span", { className: "letter", text: one.letter });
    letter.style.color = data.palette[theme][one.role % data.palette[theme].length];
    terms.append(element("dt", {}, letter, ` role ${one.role}`), element("dd", { text: number(count) }));
  }
  return terms;
}
