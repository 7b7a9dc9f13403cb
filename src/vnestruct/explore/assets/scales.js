// What colours mean: by role, by a column of the signature, by degree, by given label; and the legend that says so.

const HUES = 7;

// Roles beyond the seven hues are muted until one of them is pointed at.
function roleColour(page, role) {
  const palette = page.data.palette[page.theme];
  if (role < HUES) return palette[role];
  return role === page.pointed || role === page.role ? themeColour("--ink") : palette[HUES];
}

function colourChoices(data) {
  const nameOfColumn = (name, column) => (data.radii ? `entropy at radius ${data.radii[column]}` : `column ${name}`);
  return [
    { key: "role", name: "role" }, ...(data.classes ? [{ key: "class", name: "given label" }] : []),
    ...data.columns.map((name, column) => ({ key: `column-${column}`, name: nameOfColumn(name, column), column })),
    { key: "degree", name: "degree" },
  ];
}

// A function from node to colour, and the entries or the range that a legend shows; roles have their cards instead.
function colourScale(page, roles = page.data.role) {
  const { data, choice, theme } = page;
  if (choice.key === "role") {
    const colours = data.roles.map((one) => roleColour(page, one.role));
    return { colour: (node) => colours[roles[node]] ?? data.palette[theme][HUES], entries: [] };
  }
  if (choice.key === "class") return classScale(data, data.palette[theme]);
  const isDegree = choice.key === "degree";
  const values = Float64Array.from(data.degree, (degree, node) => (isDegree ? Math.log1p(degree) : valueOf(data, node, choice.column)));
  const [low, high] = extent(values);
  // The end of the scale that is closest to the background colour is left out.
  const ramp = theme === "dark" ? data.palette.ramp.slice(12) : data.palette.ramp.slice(0, -6);
  const shown = isDegree ? (x) => number(Math.round(Math.expm1(x))) : (x) => x.toFixed(2);
  return {
    colour: (node) => ramp[Math.round((ramp.length - 1) * (high > low ? (values[node] - low) / (high - low) : 0.5))],
    ramp, ticks: [low, (low + high) / 2, high].map(shown), name: choice.name,
  };
}

// A colour such as #0b57a4, and how much of it hides what is below.
function rgba(colour, alpha) {
  return colour + Math.round(255 * alpha).toString(16).padStart(2, "0");
}

// The least and the greatest of some numbers, of which there may be too many for arguments.
function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

function classScale(data, palette) {
  const named = data.classes.length <= HUES ? data.classes.length : HUES - 1;
  const grey = palette[HUES];
  const entries = data.classes.slice(0, named).map((text, one) => ({ colour: palette[one], text }));
  if (data.class.some((one) => one >= named)) entries.push({ colour: grey, text: `${data.classes.length - named} other labels` });
  if (data.class.some((one) => one < 0)) entries.push({ colour: grey, text: "no label" });
  return { colour: (node) => (data.class[node] < named && palette[data.class[node]]) || grey, entries };
}

function showLegend({ entries, ramp, ticks, name }) {
  byId("legend").hidden = entries?.length === 0;
  byId("legend").replaceChildren(...(entries?.map(({ colour, text }) => element("span", { className: "entry" },
    element("span", { className: "dot", style: `background: ${colour}` }), element("bdi", { text }))) ?? [
    element("span", { text: `${name}: ${ticks[0]}` }),
    element("span", {
      className: "ramp", role: "img", style: `background: linear-gradient(to right, ${ramp.join(", ")})`,
      "aria-label": `${name} from ${ticks[0]} to ${ticks[2]}`,
    }),
    element("span", { text: ticks[2] }), element("span", { className: "caption", text: `(middle ${ticks[1]})` }),
  ]));
}
