// The pictures: Bokeh's models, filled with data, updated with the selection and the light or dark theme.

const MOST_PROFILES = 60;
// Milliseconds: a picture that takes longer to draw does not move smoothly.
const SLOW_FRAME = 120;
const REST = 250;

class Pictures {
  constructor(data) {
    this.data = data;
    this.figures = {};
    this.views = {};
    this.quiet = false;
  }

  async show(onSelect) {
    const items = JSON.parse(document.getElementById("items").textContent);
    for (const [name, item] of Object.entries(items)) {
      const views = await Bokeh.embed.embed_item(item, name);
      this.views[name] = [...views][0];
      this.figures[name] = this.views[name].model;
    }
    this.fillDrawing();
    this.fillProjection();
    this.fillProfile();
    for (const [name, nodes] of [["drawing", this.data.drawn], ["projection", this.data.projected]]) {
      const selected = this.model(`${name}-nodes`).selected;
      selected.properties.indices.change.connect(() => {
        if (!this.quiet) onSelect(Array.from(selected.indices, (place) => nodes[place]));
      });
    }
  }

  model(name) {
    return this.figures[name.split("-")[0]].document.get_model_by_name(name);
  }

  // The data of a picture's nodes, and which of them are in the layer of each role.
  fillNodes(name, nodes, columns) {
    const members = this.data.roles.map(() => []);
    nodes.forEach((node, place) => members[this.data.role[node]].push(place));
    // Many faint marks at the same position would add up to a strong one.
    const faint = { value: nodes.length > 1500 ? 0.05 : 0.14 };
    // Among thousands of small marks, outlines would hide more than they separate.
    const outline = { value: nodes.length > 1500 ? 0.25 : 0.7 };
    members.forEach((places, role) => {
      this.model(`${name}-members-${role}`).indices = places;
      const marks = this.model(`${name}-marks-${role}`);
      marks.nonselection_glyph.fill_alpha = faint;
      marks.glyph.line_alpha = outline;
    });
    this.model(`${name}-nodes`).data = { ...columns, ...this.about(nodes) };
  }

  about(nodes) {
    const { data } = this;
    const list = Array.from(nodes);
    return {
      label: list.map((node) => data.labels[node]),
      role: list.map((node) => data.role[node]),
      degree: list.map((node) => data.degree[node]),
      signature: list.map((node) => shortSignature(data, node)),
      colour: list.map(() => "#808080"),
    };
  }

  fillDrawing() {
    const { data } = this;
    const largest = Math.sqrt(Math.max(1, data.degree.reduce((most, one) => Math.max(most, one), 1)));
    const base = Math.min(11, Math.max(4.5, 130 / Math.sqrt(data.drawn.length)));
    const size = Array.from(data.drawn, (node) => base * (0.8 + 1.3 * Math.sqrt(data.degree[node]) / largest));
    this.fillNodes("drawing", data.drawn, { x: data.x, y: data.y, size });
    this.model("drawing-links").data = this.links(0, data.drawnEdges, () => true);
    const width = Math.min(1.2, Math.max(0.45, 30 / Math.sqrt(data.drawnEdges + 1)));
    this.linkAlpha = Math.min(0.65, 0.3 + 10 / Math.sqrt(data.drawnEdges + 1));
    const glyph = this.model("drawing-links-marks").glyph;
    glyph.line_width = width;
    glyph.line_alpha = this.linkAlpha;
  }

  links(from, to, wanted) {
    const { x, y, edge } = this.data;
    const found = { x: [], y: [] };
    for (let i = from; i < to; i++) {
      const [a, b] = [edge[2 * i], edge[2 * i + 1]];
      if (!wanted(a, b)) continue;
      // NaN separates one link from the next.
      found.x.push(x[a], x[b], NaN);
      found.y.push(y[a], y[b], NaN);
    }
    return found;
  }

  fillProjection() {
    const { data } = this;
    const base = Math.min(10, Math.max(3, 130 / Math.sqrt(data.projected.length)));
    // Marks that stand for several nodes are larger.
    const size = Array.from(data.alike, (count) => base * Math.sqrt(1 + 0.5 * Math.log(count)));
    const nodes = Array.from(data.projected);
    this.fillNodes("projection", data.projected, {
      x: nodes.map((node) => data.px[node]), y: nodes.map((node) => data.py[node]), size,
    });
  }

  fillProfile() {
    const { data } = this;
    this.steps = data.columns.map((_, column) => column);
    // A single column is drawn as a horizontal line.
    this.atSteps = (values) => (values.length === 1 ? [values[0], values[0]] : values);
    if (data.columns.length === 1) this.steps = [-0.25, 0.25];
    for (const one of data.roles) {
      this.model(`profile-role-${one.role}`).data = {
        x: this.steps, low: this.atSteps(one.low), middle: this.atSteps(one.middle), high: this.atSteps(one.high),
      };
    }
  }

  colour(scale, theme) {
    for (const [name, nodes] of [["drawing", this.data.drawn], ["projection", this.data.projected]]) {
      const source = this.model(`${name}-nodes`);
      source.data = { ...source.data, colour: Array.from(nodes, scale.colour) };
    }
    const palette = this.data.palette[theme];
    for (const { role } of this.data.roles) {
      const value = { value: palette[role % palette.length] };
      this.model(`profile-band-${role}`).glyph.fill_color = value.value;
      this.model(`profile-line-${role}`).glyph.line_color = value.value;
      this.model(`profile-mark-${role}`).glyph.setv({ fill_color: value, line_color: { value: themeColour("--card") } });
    }
  }

  theme() {
    const [card, ink, muted, line, accent] = ["--card", "--ink", "--muted", "--line", "--accent"].map(themeColour);
    for (const figure of Object.values(this.figures)) {
      figure.setv({ background_fill_color: card, border_fill_color: card, outline_line_color: line });
      for (const axis of [...figure.below, ...figure.left]) {
        axis.setv({
          major_label_text_color: muted, axis_label_text_color: muted, axis_line_color: line,
          major_tick_line_color: line, minor_tick_line_color: null,
        });
      }
      for (const grid of figure.center) grid.grid_line_color = line;
    }
    this.model("drawing-links-marks").glyph.line_color = muted;
    this.model("drawing-own-links-marks").glyph.line_color = accent;
    this.model("profile-chosen-marks").glyph.line_color = { value: ink };
    for (const name of ["drawing", "projection"]) {
      for (const { role } of this.data.roles) {
        const marks = this.model(`${name}-marks-${role}`);
        for (const glyph of [marks.glyph, marks.selection_glyph, marks.nonselection_glyph]) glyph.line_color = { value: card };
      }
      this.model(`${name}-alike-marks`).glyph.line_color = { value: accent };
      this.model(`${name}-chosen-marks`).glyph.line_color = { value: ink };
    }
  }

  // Show a selection: all of its nodes, the one in focus with its links, and those similar to it.
  select(nodes, focus, similar) {
    const { data } = this;
    this.quiet = true;
    for (const [name, places] of [["drawing", data.placeInDrawing], ["projection", data.placeInProjection]]) {
      const around = [...nodes, ...similar];
      const shown = around.map((node) => places[node]).filter((place) => place >= 0);
      this.model(`${name}-nodes`).selected.indices = nodes.length === 0 ? [] : [...new Set(shown)].sort((a, b) => a - b);
      this.ring(name, "chosen", focus < 0 ? [] : [focus], 11);
      this.ring(name, "alike", similar, 7);
    }
    this.quiet = false;
    const place = focus < 0 ? -1 : data.placeInDrawing[focus];
    const own = place < 0 ? this.links(0, 0) : this.links(0, data.edge.length / 2, (a, b) => a === place || b === place);
    this.model("drawing-own-links").data = own;
    this.model("drawing-own-links-marks").glyph.line_alpha = Math.min(0.9, 0.15 + 6 / Math.sqrt(own.x.length / 3 + 1));
    // Other links fade, as other nodes do.
    this.model("drawing-links-marks").glyph.line_alpha = nodes.length ? this.linkAlpha * 0.35 : this.linkAlpha;
    this.profiles(nodes);
  }

  // Rings around nodes, wider than their marks by a margin.
  ring(name, kind, nodes, margin) {
    const { data } = this;
    const places = name === "drawing" ? data.placeInDrawing : data.placeInProjection;
    const sizes = this.model(`${name}-nodes`).data.size;
    const size = (node) => margin + (places[node] < 0 ? 6 : sizes[places[node]]);
    const [x, y] = name === "drawing"
      ? [data.x, data.y].map((array) => (node) => array[data.placeInDrawing[node]])
      : [data.px, data.py].map((array) => (node) => array[node]);
    const shown = name === "drawing" ? nodes.filter((node) => data.placeInDrawing[node] >= 0) : nodes;
    this.model(`${name}-${kind}`).data = { x: shown.map(x), y: shown.map(y), size: shown.map(size) };
  }

  profiles(nodes) {
    const { data } = this;
    const every = Math.max(1, Math.ceil(nodes.length / MOST_PROFILES));
    const shown = nodes.filter((_, place) => place % every === 0);
    this.model("profile-chosen").data = {
      xs: shown.map(() => this.steps), ys: shown.map((node) => this.atSteps(signatureOf(data, node))),
    };
    const crowded = shown.length > 12;
    this.model("profile-chosen-marks").glyph.setv({
      line_alpha: { value: crowded ? 0.25 : 0.9 }, line_width: { value: crowded ? 0.8 : 1.8 },
    });
    const roles = new Set(nodes.map((node) => data.role[node]));
    for (const { role } of data.roles) {
      const plain = roles.size === 0 || roles.has(role);
      this.model(`profile-band-${role}`).glyph.fill_alpha = plain ? 0.2 : 0.05;
      this.model(`profile-line-${role}`).glyph.line_alpha = plain ? 0.9 : 0.25;
      this.model(`profile-mark-${role}`).glyph.fill_alpha = { value: plain ? 1 : 0.25 };
    }
    return shown.length;
  }

  // If drawing is slow, links are hidden until the movement ends.
  easeMovement() {
    const links = this.model("drawing-links-marks");
    let [timer, frame, watching] = [0, 0, false];
    const moved = () => {
      if (frame > SLOW_FRAME) {
        links.visible = false;
        clearTimeout(timer);
        timer = setTimeout(() => { links.visible = true; }, Math.max(REST, frame / 2));
      } else if (!watching) {
        watching = true;
        const start = performance.now();
        requestAnimationFrame(() => requestAnimationFrame(() => {
          watching = false;
          frame = performance.now() - start;
        }));
      }
    };
    for (const range of [this.figures.drawing.x_range, this.figures.drawing.y_range]) range.change.connect(moved);
  }

  // Keys move and zoom a picture.
  listen(name) {
    document.getElementById(name).addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
      const zooms = { "+": 0.8, "=": 0.8, "-": 1.25 };
      const ranges = [this.figures[name].x_range, this.figures[name].y_range];
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key in steps) {
        ranges.forEach((range, axis) => moveRange(range, steps[event.key][axis] * 0.12, 1));
      } else if (event.key in zooms) {
        ranges.forEach((range) => moveRange(range, 0, zooms[event.key]));
      } else if (event.key === "0") {
        this.views[name].reset_range();
      } else {
        return;
      }
      event.preventDefault();
    });
  }
}

function moveRange(range, shift, zoom) {
  const width = range.end - range.start;
  const middle = (range.start + range.end) / 2 + shift * width;
  range.have_updated_interactively = true;
  range.setv({ start: middle - (width * zoom) / 2, end: middle + (width * zoom) / 2 });
}

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
