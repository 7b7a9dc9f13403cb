// What colours mean: by role, by a column of the signature, by degree, by given label; and the legend that says so.

const HUES = 7;

// Roles beyond the seven hues are muted until one of them is pointed at.
function roleColour(page, role) {
  const palette = page.data.palette[page.theme];
  if (role < HUES) return palette[role];
  return role === page.pointed || role === page.role ? themeColour("--ink") : palette[HUES];
}

function colourChoices(data) {
  const choices = [{ key: "role", name: "role" }];
  if (data.classes) choices.push({ key: "class", name: "given label" });
  data.columns.forEach((name, column) => {
    const text = data.radii ? `entropy at radius ${data.radii[column]}` : `column ${name}`;
    choices.push({ key: `column-${column}`, name: text, column });
  });
  choices.push({ key: "degree", name: "degree" });
  return choices;
}

// A function from node to colour, and the entries or the range that a legend shows; roles have their cards instead.
function colourScale(page, roles = page.data.role) {
  const { data, choice, theme } = page;
  if (choice.key === "role") {
    const colours = data.roles.map((one) => roleColour(page, one.role));
    return { colour: (node) => colours[roles[node]] ?? data.palette[theme][HUES], entries: [] };
  }
  if (choice.key === "class") return classScale(data, data.palette[theme]);
  const value = choice.key === "degree"
    ? (node) => Math.log1p(data.degree[node])
    : (node) => entropyOf(data, node, choice.column);
  let low = Infinity;
  let high = -Infinity;
  for (let node = 0; node < data.nodes; node++) {
    low = Math.min(low, value(node));
    high = Math.max(high, value(node));
  }
  // The end of the scale that is closest to the background colour is left out.
  const ramp = theme === "dark" ? data.palette.ramp.slice(2) : data.palette.ramp.slice(0, -1);
  const place = (node) => (high > low ? (value(node) - low) / (high - low) : 0.5);
  const shown = choice.key === "degree" ? (x) => Math.round(Math.expm1(x)).toLocaleString("en") : (x) => x.toFixed(2);
  return {
    colour: (node) => between(ramp, place(node)),
    ramp, ticks: [low, (low + high) / 2, high].map(shown), name: choice.name,
  };
}

function between(ramp, place) {
  const step = Math.min(ramp.length - 2, Math.floor(place * (ramp.length - 1)));
  const [low, high] = [channels(ramp[step]), channels(ramp[step + 1])];
  const share = place * (ramp.length - 1) - step;
  return `#${low.map((one, i) => Math.round(255 * (one + share * (high[i] - one))).toString(16).padStart(2, "0")).join("")}`;
}

function classScale(data, palette) {
  const named = data.classes.length <= HUES ? data.classes.length : HUES - 1;
  const counts = [0, 0];
  for (const one of data.class) {
    counts[0] += one >= named;
    counts[1] += one < 0;
  }
  const entries = data.classes.slice(0, named).map((text, one) => ({ colour: palette[one], text }));
  if (counts[0]) entries.push({ colour: palette[HUES], text: `${data.classes.length - named} other labels` });
  if (counts[1]) entries.push({ colour: palette[HUES], text: "no label" });
  return { colour: (node) => (data.class[node] < 0 || data.class[node] >= named ? palette[HUES] : palette[data.class[node]]), entries };
}

function showLegend(scale) {
  const legend = byId("legend");
  legend.replaceChildren();
  legend.hidden = scale.entries?.length === 0;
  if (scale.entries) {
    for (const one of scale.entries) {
      const dot = element("span", { className: "dot" });
      dot.style.background = one.colour;
      legend.append(element("span", { className: "entry" }, dot, element("bdi", { text: one.text })));
    }
    return;
  }
  const bar = element("span", { className: "ramp", role: "img" });
  bar.setAttribute("aria-label", `${scale.name} from ${scale.ticks[0]} to ${scale.ticks[2]}`);
  bar.style.background = `linear-gradient(to right, ${scale.ramp.join(", ")})`;
  legend.append(...[`${scale.name}:`, scale.ticks[0]].map((text) => element("span", { text })), bar,
    element("span", { text: scale.ticks[2] }), element("span", { className: "caption", text: `(middle ${scale.ticks[1]})` }));
}
