// The search box, over labels, names and attributes: whole texts first, then beginnings, then parts.

const MOST_MATCHES = 12;
const EDGE = "\u0001";

class Search {
  constructor(page) {
    this.page = page;
    this.input = byId("search");
    this.list = byId("matches");
    this.matches = [];
    this.place = -1;
    this.input.addEventListener("input", () => this.suggest());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.open(false));
    // A press on an entry would take the focus and close the list before the click.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
    this.index();
  }

  // The texts of each node, in lower case, with a mark before and behind each.
  index() {
    const { data } = this.page;
    const columns = [data.labels, ...(data.names ? [data.names] : []), ...data.attributeTexts];
    this.texts = data.labels.map((_, node) => EDGE + columns.map((column) => column[node].trim() + EDGE).join("").toLowerCase());
  }

  find(typed) {
    const wanted = typed.trim().toLowerCase();
    const found = [[], [], []];
    for (let node = 0; wanted && node < this.texts.length && found[0].length < MOST_MATCHES; node++) {
      const text = this.texts[node];
      if (!text.includes(wanted)) continue;
      const rank = text.includes(EDGE + wanted + EDGE) ? 0 : text.includes(EDGE + wanted) ? 1 : 2;
      if (found[rank].length < MOST_MATCHES) found[rank].push(node);
    }
    const { labels } = this.page.data;
    // Among labels that differ only in case, prefer the one that was typed.
    found[0].sort((a, b) => (labels[b].trim() === typed.trim()) - (labels[a].trim() === typed.trim()));
    return found.flat().slice(0, MOST_MATCHES);
  }

  suggest() {
    const { data } = this.page;
    this.matches = this.find(this.input.value);
    this.list.replaceChildren(...this.matches.map((node, place) => {
      const entry = element("li", { id: `match-${place}`, role: "option" }, element("bdi", { text: nameOf(data, node) }));
      if (data.names?.[node]) entry.append(element("bdi", { className: "caption", text: data.labels[node] }));
      entry.addEventListener("click", () => this.choose(node));
      return entry;
    }));
    if (this.matches.length === 0) this.list.append(element("li", { className: "caption", text: "no such node" }));
    this.move(this.matches.length ? 0 : -1);
    this.open(this.input.value.trim() !== "");
  }

  move(place) {
    this.place = place;
    this.matches.forEach((_, one) => this.list.children[one].setAttribute("aria-selected", String(one === place)));
    if (place < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", `match-${place}`);
      this.list.children[place].scrollIntoView({ block: "nearest" });
    }
  }

  key(event) {
    const count = this.matches.length;
    if (event.key === "ArrowDown" && count) this.move((this.place + 1) % count);
    else if (event.key === "ArrowUp" && count) this.move((this.place + count - 1) % count);
    else if (event.key === "Enter" && this.place >= 0) this.choose(this.matches[this.place]);
    else if (event.key === "Escape" && !this.list.hidden) { this.open(false); event.stopPropagation(); }
    else return;
    event.preventDefault();
  }

  choose(node) {
    this.input.value = nameOf(this.page.data, node);
    this.open(false);
    this.page.select([node]);
  }

  open(shown) {
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }
}
