// The page: what is selected, how it is coloured, and which views to update when either changes.

const MOST_SIMILAR = 10;
const ROLES_FIRST = 2000;

class Page {
  constructor(head) {
    Object.assign(this, { data: head, nodes: [], focus: -1, role: -1, pointed: -1, hops: 0, similar: [], plots: {} });
    Object.assign(this, { period: NONE, now: null, active: null, shares: head.roles.map((one) => one.share) });
    this.choices = colourChoices(head);
    this.choice = this.choices[0];
    this.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    this.view = head.nodes > ROLES_FIRST ? "roles" : "graph";
  }

  // The roles, before all nodes are read.
  showHead() {
    const { data } = this;
    byId("facts").textContent = `${counted(data.nodes, "node")}, ${counted(data.edges, "link")}, ${counted(data.roles.length, "structural role")}`;
    fillCards(this);
    // On a narrow screen the roles are below each other.
    document.documentElement.style.setProperty("--stage", `${Math.max(480, 170 + 68 * data.roles.length)}px`);
    this.fillControls();
    this.show(this.view);
    this.theming();
    this.drawSvg();
    document.body.dataset.shown = "roles";
  }

  async showNodes() {
    this.data = await readNodes(this.data);
    const { data } = this;
    this.plots.drawing = new Plot(this, byId("drawing"), drawingPoints(data), null);
    this.plots.plane = new Plot(this, byId("plane"), planePointsOf(data), data.axes);
    startSearch(this);
    this.ready = true;
    startTime(this);
    readAddress(this, location.hash);
    addEventListener("hashchange", (event) => {
      const address = new URL(event.newURL).hash;
      // A link inside the page, such as the one to the roles, is no state.
      if (address.includes("=")) readAddress(this, address);
    });
    if (this.plots.plane.points.node.length < data.nodes) byId("plane-caption").append("; a mark may stand for several");
    const observer = new ResizeObserver(() => this.drawSvg());
    for (const id of ["rolegraph", "profile", "scores"]) observer.observe(byId(id));
    document.body.dataset.ready = "yes";
  }

  fillControls() {
    const colour = byId("colour");
    for (const one of this.choices) colour.append(new Option(one.name, one.key));
    colour.onchange = () => {
      this.choice = this.choices.find((one) => one.key === colour.value);
      this.paint();
    };
    byId("theme").onclick = () => {
      Object.assign(this, { theme: this.theme === "dark" ? "light" : "dark", themeChosen: true });
      this.paint();
    };
    for (const view of ["roles", "graph"]) byId(`show-${view}`).onclick = () => this.show(view);
    for (const id of ["drawing", "plane"]) {
      byId(`lasso-${id}`).onclick = () => this.plots[id]?.allowLasso(byId(`lasso-${id}`));
      byId(`all-${id}`).onclick = () => this.plots[id]?.reset();
    }
    byId("help-button").onclick = () => byId("help").showModal();
    byId("clear").onclick = () => this.select([]);
    byId("csv").onclick = () => save("selection.csv", csvOf(this), "text/csv");
    document.onkeydown = (event) => { if (event.key === "Escape" && !byId("help").open) this.select([]); };
    for (const place of document.querySelectorAll("[data-exports]")) place.append(...exportButtons(this, place.dataset.exports));
  }

  theming() {
    document.documentElement.dataset.theme = this.theme;
    themeColours.clear();
    byId("theme").textContent = this.theme === "dark" ? "Light" : "Dark";
    repaintSwatches(this);
  }

  paint() {
    this.theming();
    showLegend(this.recolour());
    drawMinis(this);
    this.drawSvg();
    showDetails(this);
  }

  // The drawing shows the roles of the period; the signatures are those of all periods.
  recolour() {
    const scale = colourScale(this);
    this.plots.plane.colour(scale.colour);
    this.plots.drawing.colour((this.now ? colourScale(this, this.now) : scale).colour);
    return scale;
  }

  drawSvg() {
    for (const draw of views) draw(this);
    this.remember();
  }

  show(view) {
    this.view = view;
    for (const one of ["roles", "graph"]) byId(`show-${one}`).setAttribute("aria-pressed", String(one === view));
    byId("rolegraph").hidden = view !== "roles";
    byId("drawing").hidden = view !== "graph";
    for (const id of ["lasso-drawing", "all-drawing"]) byId(id).hidden = view !== "graph";
    byId("stage-caption").textContent = view === "roles"
      ? `Marks grow with the share of nodes, lines with the number of links between two roles, rings with links inside one${this.now ? ", in all periods" : ""}`
      : this.now ? "Roles in the period; nodes without a link then are faint; links of all periods between the others" : this.data.drawing;
    this.drawSvg();
  }

  // Muted roles show themselves while a pointer is on their card.
  point(role) {
    const isMuted = this.pointed !== role && Math.max(this.pointed, role) >= HUES;
    this.pointed = role;
    if (!isMuted || !this.ready) return;
    repaintSwatches(this);
    if (this.choice.key === "role") this.recolour();
  }

  selectRole(role) {
    const roles = this.now ?? this.data.role ?? [];
    this.select([...roles.keys()].filter((node) => roles[node] === role), role);
  }

  select(nodes, role = -1) {
    if (!this.ready) return;
    const muted = Math.max(this.role, role) >= HUES && this.role !== role;
    Object.assign(this, { nodes, role, focus: role < 0 && nodes.length === 1 ? nodes[0] : -1 });
    this.similar = this.focus < 0 ? [] : similarNodes(this.data, this.focus, MOST_SIMILAR);
    const alike = this.similar.map((one) => one.node);
    if (muted && this.choice.key === "role") this.recolour();
    for (const [name, plot] of Object.entries(this.plots)) {
      plot.select(this.standingOut(alike, name === "drawing"), this.focus, alike);
    }
    for (const card of document.querySelectorAll("#roles .role")) card.setAttribute("aria-pressed", String(Number(card.dataset.role) === role));
    if (muted) repaintSwatches(this);
    this.drawSvg();
    showDetails(this);
  }

  // The selected nodes and those similar to them, in the drawing the neighbours; null, or who is active, if none is selected.
  standingOut(alike, withNeighbours) {
    if (this.nodes.length === 0) return withNeighbours ? this.active : null;
    return this.focus < 0 ? this.nodes : [this.focus, ...alike, ...(withNeighbours ? neighboursOf(this.data, this.focus) : [])];
  }

  remember() {
    clearTimeout(this.timer);
    if (this.ready) this.timer = setTimeout(() => writeAddress(this), 150);
  }
}

function complain(error) {
  byId("problem").hidden = false;
  byId("problem").textContent = typeof DecompressionStream === "undefined"
    ? "This browser is too old for this page; use a version from 2023 or later."
    : `The page could not be shown: ${error.message}`;
  console.error(error);
}

unpack("head").then(async (head) => {
  const page = new Page(head);
  // For tests, and to explore the page from the console.
  window.vnestruct = page;
  page.showHead();
  // The browser paints the roles before it reads all nodes, which come last in the file.
  await new Promise((done) => { requestAnimationFrame(() => setTimeout(done)); setTimeout(done, 300); });
  if (document.readyState === "loading") await new Promise((done) => { document.addEventListener("DOMContentLoaded", done); });
  return page.showNodes();
}).catch(complain);
