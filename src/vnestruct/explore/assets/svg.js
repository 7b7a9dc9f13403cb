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

function picture(width, height, options = {}, ...children) {
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
