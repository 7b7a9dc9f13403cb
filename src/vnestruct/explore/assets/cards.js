// The cards of the roles: what each is called, how many nodes it has, and what a typical one looks like.

function cardFacts(one) {
  const [low, high] = one.degrees;
  const range = low === high ? "" : ` (${number(low)}–${number(high)})`;
  return `${counted(one.nodes, "node")}, ${percent(one.share)} · degree ${number(one.degree)}${range}`;
}

function fillCards(page) {
  byId("roles").replaceChildren(...page.data.roles.map((one) => {
    const facts = element("span", { className: "facts", text: cardFacts(one) });
    const lines = element("span", { className: "lines" },
      element("span", { className: "name" }, swatch(page, one.role), element("span", { text: one.name })), facts);
    const card = element("button", { type: "button", className: "role" }, element("span", { className: "mini" }), lines,
      element("span", { className: "sentence", text: one.description }));
    card.dataset.role = one.role;
    card.title = one.description;
    card.setAttribute("aria-pressed", "false");
    card.addEventListener("click", () => (page.role === one.role ? page.select([]) : page.selectRole(one.role)));
    for (const name of ["pointerenter", "focus"]) card.addEventListener(name, () => page.point(one.role));
    for (const name of ["pointerleave", "blur"]) card.addEventListener(name, () => page.point(-1));
    return element("li", {}, card);
  }));
}

// The ego network of a typical node on every card, in the colours of the theme.
function drawMinis(page) {
  for (const card of document.querySelectorAll("#roles .role")) {
    const [typical] = page.data.roles[card.dataset.role].examples;
    if (typical === undefined) continue;
    const network = egoNetwork(page.data, typical, page.data.degree[typical] > 8 ? 1 : 2, 18, 14);
    card.querySelector(".mini").replaceChildren(egoPicture(page, network, 64, 56, { named: false, small: true }));
  }
}

function markCards(role) {
  for (const card of document.querySelectorAll("#roles .role")) {
    card.setAttribute("aria-pressed", String(Number(card.dataset.role) === role));
  }
}
