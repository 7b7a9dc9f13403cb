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
