// The page: what is selected, how it is coloured, and which views to update when either changes.

const MOST_SIMILAR = 10;

class Page {
  constructor(data) {
    this.data = data;
    this.pictures = new Pictures(data);
    this.choices = colourChoices(data);
    this.choice = this.choices[0];
    this.nodes = [];
    this.focus = -1;
    this.role = -1;
    this.similar = [];
    this.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  }

  async start() {
    const { data } = this;
    document.getElementById("facts").textContent =
      `${number(data.nodes)} nodes, ${number(data.edges)} links, ${data.roles.length} structural role${data.roles.length === 1 ? "" : "s"}`;
    document.getElementById("drawing-caption").textContent = data.drawing;
    document.getElementById("projection-caption").textContent = data.projection;
    fillRoles(data, (role) => this.selectRole(role), (node) => this.select([node]));
    new Search(data, (node) => this.select([node]));
    this.fillControls();
    document.documentElement.dataset.theme = this.theme;
    await this.pictures.show((nodes) => this.select(nodes));
    for (const name of ["drawing", "projection", "profile"]) this.pictures.listen(name);
    this.paint();
    this.select([]);
    this.pictures.easeMovement();
    document.body.dataset.ready = "yes";
  }

  fillControls() {
    const colour = document.getElementById("colour");
    for (const one of this.choices) colour.append(new Option(one.name, one.key));
    colour.addEventListener("change", () => {
      this.choice = this.choices.find((one) => one.key === colour.value);
      this.paint();
    });
    document.getElementById("theme").addEventListener("click", () => {
      this.theme = this.theme === "dark" ? "light" : "dark";
      this.paint();
      this.select(this.nodes, this.role);
    });
    document.getElementById("clear").addEventListener("click", () => this.select([]));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.select([]); });
  }

  paint() {
    document.documentElement.dataset.theme = this.theme;
    document.getElementById("theme").textContent = this.theme === "dark" ? "Light" : "Dark";
    const scale = colourScale(this.data, this.choice, this.theme);
    this.pictures.theme();
    this.pictures.colour(scale, this.theme);
    colourRoles(this.data, this.theme);
    showLegend(scale);
  }

  selectRole(role) {
    const nodes = [];
    for (let node = 0; node < this.data.nodes; node++) if (this.data.role[node] === role) nodes.push(node);
    this.select(nodes, role);
  }

  areAlike(nodes) {
    return this.data.columns.every((_, column) => {
      const value = entropyOf(this.data, nodes[0], column);
      return nodes.every((node) => entropyOf(this.data, node, column) === value);
    });
  }

  select(nodes, role = -1) {
    this.nodes = nodes;
    this.role = role;
    // Nodes at the same position of the projection are picked together: they have equal signatures, and the first stands for all.
    this.focus = role < 0 && nodes.length > 0 && this.areAlike(nodes) ? nodes[0] : -1;
    this.similar = this.focus < 0 ? [] : similarNodes(this.data, this.focus, MOST_SIMILAR);
    this.pictures.select(nodes, this.focus, this.similar.map((one) => one.node));
    markRole(role);
    showSelection(this.data, nodes, this.focus, this.similar, role, this.theme, (node) => this.select([node]));
    document.getElementById("profile-caption").textContent = nodes.length === 0
      ? "Median of each role, and the band of its middle 80%"
      : nodes.length === 1 ? "The selected node (thin line) against the roles"
        : `${nodes.length > MOST_PROFILES ? "Some of the" : "The"} selected nodes (thin lines) against the roles`;
  }
}

function complain(error) {
  const problem = document.getElementById("problem");
  problem.hidden = false;
  problem.textContent = typeof DecompressionStream === "undefined"
    ? "This browser is too old for this page; use a version from 2023 or later."
    : `The page could not be shown: ${error.message}`;
  console.error(error);
}

readData().then((data) => {
  const page = new Page(data);
  // For tests, and to explore the page from the console.
  window.vnestruct = page;
  return page.start();
}).catch(complain);
