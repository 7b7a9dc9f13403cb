// The search box: exact labels first, then those that begin with the text, then those that contain it.

const MOST_MATCHES = 12;

class Search {
  constructor(data, onChoose) {
    this.data = data;
    this.onChoose = onChoose;
    this.input = document.getElementById("search");
    this.list = document.getElementById("matches");
    this.matches = [];
    this.place = -1;
    this.input.addEventListener("input", () => this.suggest());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.input.addEventListener("blur", () => this.close());
    // A press on an entry would take the focus and close the list before the click.
    this.list.addEventListener("mousedown", (event) => event.preventDefault());
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return [];
    this.lower ??= this.data.labels.map((label) => label.toLowerCase());
    const [exact, beginning, containing] = [[], [], []];
    for (let node = 0; node < this.lower.length; node++) {
      const place = this.lower[node].indexOf(wanted);
      if (place < 0) continue;
      if (this.lower[node].trim() === wanted) exact.push(node);
      else if (place === 0) { if (beginning.length < MOST_MATCHES) beginning.push(node); }
      else if (containing.length < MOST_MATCHES) containing.push(node);
    }
    // Among labels that differ only in case, prefer the one that was typed.
    exact.sort((a, b) => (this.data.labels[b].trim() === text.trim()) - (this.data.labels[a].trim() === text.trim()));
    return [...exact, ...beginning, ...containing].slice(0, MOST_MATCHES);
  }

  suggest() {
    this.matches = this.find(this.input.value);
    this.list.replaceChildren(...this.matches.map((node, place) => {
      const entry = element("li", {}, element("bdi", { text: this.data.labels[node] }));
      entry.id = `match-${place}`;
      entry.setAttribute("role", "option");
      entry.addEventListener("click", () => this.choose(node));
      return entry;
    }));
    if (this.matches.length === 0 && this.input.value.trim()) {
      this.list.append(element("li", { className: "caption", text: "no such node" }));
    }
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
    else if (event.key === "Escape" && !this.list.hidden) { this.close(); event.stopPropagation(); }
    else return;
    event.preventDefault();
  }

  choose(node) {
    this.input.value = this.data.labels[node];
    this.close();
    this.onChoose(node);
  }

  open(shown) {
    this.list.hidden = !shown;
    this.input.setAttribute("aria-expanded", String(shown));
  }

  close() { this.open(false); }
}
