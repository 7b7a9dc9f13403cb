// What colours mean: by role, by a column of the signature, by degree, by given label; and the legend that says so.

const GREY = { light: "#9aa0a6", dark: "#6b7280" };
const MOST_CLASSES = 9;

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

// A function from node to colour, and the entries or the range that a legend shows.
function colourScale(data, choice, theme) {
  const palette = data.palette[theme];
  if (choice.key === "role") {
    const entries = data.roles.map((one) => ({
      colour: palette[one.role % palette.length], letter: one.letter, text: `role ${one.role}: ${firstWords(one.brief)}`,
      role: one.role,
    }));
    return { colour: (node) => palette[data.role[node] % palette.length], entries };
  }
  if (choice.key === "class") return classScale(data, palette, GREY[theme]);
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
  const all = data.palette.ramp;
  const ramp = theme === "dark" ? all.slice(Math.floor(all.length * 0.22)) : all.slice(0, Math.ceil(all.length * 0.93));
  const place = (node) => (high > low ? (value(node) - low) / (high - low) : 0.5);
  const shown = choice.key === "degree" ? (x) => Math.round(Math.expm1(x)).toLocaleString("en") : (x) => x.toFixed(2);
  return {
    colour: (node) => ramp[Math.round(place(node) * (ramp.length - 1))],
    ramp, ticks: [low, (low + high) / 2, high].map(shown), name: choice.name,
  };
}

function classScale(data, palette, grey) {
  const named = data.classes.length <= palette.length ? data.classes.length : MOST_CLASSES;
  const counts = new Map();
  for (const one of data.class) {
    const shown = one < 0 ? -1 : Math.min(one, named);
    counts.set(shown, (counts.get(shown) || 0) + 1);
  }
  const entries = data.classes.slice(0, named).map((name, one) => ({ colour: palette[one], letter: "●", text: name }));
  if (counts.has(named)) entries.push({ colour: grey, letter: "●", text: `${data.classes.length - named} other labels` });
  if (counts.has(-1)) entries.push({ colour: grey, letter: "●", text: "no label" });
  return { colour: (node) => (data.class[node] < 0 || data.class[node] >= named ? grey : palette[data.class[node]]), entries };
}

function firstWords(text) {
  return text.split(/, |: /)[0];
}

function showLegend(scale) {
  const legend = document.getElementById("legend");
  legend.replaceChildren();
  if (scale.entries) {
    for (const one of scale.entries) {
      const letter = element("span", { className: "letter", text: one.letter });
      letter.style.color = one.colour;
      legend.append(element("span", { className: "entry" }, letter, element("bdi", { text: one.text })));
    }
    return;
  }
  const canvas = document.createElement("canvas");
  canvas.width = scale.ramp.length;
  canvas.height = 1;
  const brush = canvas.getContext("2d");
  scale.ramp.forEach((colour, place) => { brush.fillStyle = colour; brush.fillRect(place, 0, 1, 1); });
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${scale.name} from ${scale.ticks[0]} to ${scale.ticks[2]}`);
  legend.append(element("span", { text: `${scale.name}:` }), element("span", { text: scale.ticks[0] }), canvas,
    element("span", { text: scale.ticks[2] }), element("span", { className: "caption", text: `(middle ${scale.ticks[1]})` }));
}

// An element with text, never with markup: labels come from the user's data.
function element(name, options = {}, ...children) {
  const made = document.createElement(name);
  if (options.className) made.className = options.className;
  if (options.text !== undefined) made.textContent = options.text;
  made.append(...children);
  return made;
}
