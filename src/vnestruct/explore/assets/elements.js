// Elements and words. Labels come from the user's data: they become text, never markup.

function element(name, options = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(options)) {
    if (key === "text") made.textContent = value;
    else if (key in made) made[key] = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

function byId(id) {
  return document.getElementById(id);
}

function number(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 1 });
}

function counted(count, word) {
  return `${number(count)} ${word}${count === 1 ? "" : "s"}`;
}

function percent(share) {
  return share >= 0.01 || share === 0 ? `${Math.round(share * 100)}%` : share < 0.001 ? "<0.1%" : `${(share * 100).toFixed(1)}%`;
}

// What a node is called: its name in the table, else its label.
function nameOf(data, node) {
  return data.names?.[node] || data.labels[node] || "(empty label)";
}

function shortened(text, most) {
  const letters = Array.from(text);
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : text;
}

function nodeButton(page, node) {
  const { data } = page;
  const options = { type: "button", className: "node", title: data.labels[node], "data-node": node, onclick: () => page.select([node]) };
  return element("button", options, swatch(page, data.role[node]), element("bdi", { text: nameOf(data, node) }));
}

// Colours of the theme; asking the browser each time would make it lay out the page each time.
const themeColours = new Map();

function themeColour(name) {
  if (!themeColours.has(name)) themeColours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return themeColours.get(name);
}

// One mark per role: polygons around 0 with the area of a circle of radius 1.

function regular(corners, turn, inner = 1) {
  const count = inner === 1 ? corners : 2 * corners;
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / count;
    const radius = inner !== 1 && i % 2 ? inner : 1;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

const SHAPES = [
  regular(28, 0), regular(4, Math.PI / 4), regular(3, -Math.PI / 2), regular(4, 0), regular(3, Math.PI / 2),
  [[-1, -0.34], [-0.34, -0.34], [-0.34, -1], [0.34, -1], [0.34, -0.34], [1, -0.34], [1, 0.34], [0.34, 0.34],
    [0.34, 1], [-0.34, 1], [-0.34, 0.34], [-1, 0.34]],
  regular(5, -Math.PI / 2, 0.45), regular(6, 0),
].map((points) => {
  const area = points.reduce((sum, [x, y], i) => {
    const [next, above] = points[(i + 1) % points.length];
    return sum + (x * above - next * y) / 2;
  }, 0);
  const scale = Math.sqrt(Math.PI / Math.abs(area));
  return points.map(([x, y]) => [x * scale, y * scale]);
});

// The widest shape reaches this far from its centre.
const REACH = Math.max(...SHAPES.flat().map(([x, y]) => Math.hypot(x, y)));

function shapeOf(role) {
  return role % SHAPES.length;
}

function linePath(corners, digits = 1) {
  return `M${corners.map(([x, y]) => `${x.toFixed(digits)} ${y.toFixed(digits)}`).join("L")}`;
}

function shapePath(shape, x, y, radius) {
  return `${linePath(SHAPES[shape].map(([a, b]) => [x + a * radius, y + b * radius]), 2)}Z`;
}

// Small SVG pictures. Colours and fonts are attributes, so that an exported picture looks the same elsewhere.

// What draws a view of the page, whenever the selection or the colours change.
const views = [];

const FONT = 'system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

// XML has no place for control characters, which labels may contain.
function printable(value) {
  return String(value).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
}

function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = printable(value);
    else if (value !== undefined) made.setAttribute(key, printable(value));
  }
  made.append(...children);
  return made;
}

// A picture to fill; `ground` is its background.
function picture(width, height, { ground, ...options } = {}, ...children) {
  if (ground) children.unshift(shape("rect", { width, height, fill: themeColour("--card") }));
  return shape("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "font-family": FONT, "font-size": 12, ...options }, ...children);
}

function title(text) {
  return shape("title", { text });
}

function words(text, x, y, options = {}) {
  const halo = themeColour("--card");
  return shape("text", {
    x, y, text, fill: themeColour("--ink"), stroke: halo, "stroke-width": 3, "stroke-linejoin": "round",
    "paint-order": "stroke", ...options,
  });
}

function mark(page, role, x, y, radius, options = {}) {
  return shape("path", {
    d: shapePath(shapeOf(role), x, y, radius), fill: roleColour(page, role), stroke: themeColour("--card"),
    "stroke-width": 1, ...options,
  });
}

// Draw into an element what a function makes of its size, if there is room.
function drawInto(id, draw) {
  const host = byId(id);
  const { width, height } = host.getBoundingClientRect();
  if (width >= 50 && height > 0) host.replaceChildren(draw(width, height, host));
}

// The mark of a role among words; it is repainted with the theme.
function swatch(page, role) {
  const made = shape("svg", { viewBox: "-8 -8 16 16", width: 16, height: 16, class: "swatch", "aria-hidden": "true" },
    shape("path", { d: shapePath(shapeOf(role), 0, 0, 5.5), fill: roleColour(page, role) }));
  made.dataset.swatch = role;
  return made;
}

function repaintSwatches(page) {
  for (const one of document.querySelectorAll("[data-swatch]")) {
    one.firstChild.setAttribute("fill", roleColour(page, Number(one.dataset.swatch)));
  }
}

// Lines of at most `most` letters, broken between words.
function wrapped(text, most) {
  const lines = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

// Round numbers between two ends, for an axis.
function ticks(low, high, wanted) {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(1, wanted);
  const unit = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * unit).find((one) => one >= rough);
  const all = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * span; i++) all.push(Number((i * step).toPrecision(12)));
  return all;
}
