// Files to save: the selection as CSV, each view as PNG or SVG.

function save(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function csvOf(page) {
  const { data, nodes } = page;
  const field = (value) => {
    const text = String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const header = ["node", ...(data.names ? ["name"] : []), "role", "role_name", "degree", ...data.columns, ...(data.classes ? ["label"] : []), ...data.attributes];
  const rows = nodes.map((node) => [
    data.labels[node], ...(data.names ? [data.names[node]] : []), data.role[node], data.roles[data.role[node]].name, data.degree[node],
    ...signatureOf(data, node), ...(data.classes ? [data.class[node] < 0 ? "" : data.classes[data.class[node]]] : []),
    ...data.attributeTexts.map((column) => column[node]),
  ]);
  return [header, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}

// The view as an SVG element: the drawing and the plane are made for the purpose, the others are SVG already.
function svgOfView(page, name) {
  if (page.plots[name]) return plotAsSvg(page.plots[name]);
  return byId(name).querySelector("svg").cloneNode(true);
}

async function exportView(page, name, format) {
  const file = `${name}.${format}`;
  const svg = svgOfView(page, name);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(svg);
  if (format === "svg") { save(file, text, "image/svg+xml"); return; }
  const { width, height } = svg.viewBox.baseVal;
  const canvas = element("canvas", { width: Math.round(2 * width), height: Math.round(2 * height) });
  const brush = canvas.getContext("2d");
  brush.fillStyle = themeColour("--card");
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const plot = page.plots[name];
  if (plot) {
    for (const layer of [plot.canvas, plot.overlay]) brush.drawImage(layer, 0, 0, canvas.width, canvas.height);
  } else {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
    await image.decode();
    brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  }
  save(file, await new Promise((done) => { canvas.toBlob(done, "image/png"); }));
}

function exportButtons(name) {
  return ["png", "svg"].map((format) => {
    const button = element("button", { type: "button", className: "quiet", text: format.toUpperCase(), title: `Save this view as ${format.toUpperCase()}` });
    button.dataset.save = `${name}.${format}`;
    return button;
  });
}

// One listener for all buttons, also those that are made later.
function listenToExports(page) {
  for (const place of document.querySelectorAll("[data-exports]")) place.append(...exportButtons(place.dataset.exports));
  document.addEventListener("click", (event) => {
    const wanted = event.target.closest?.("[data-save]")?.dataset.save;
    if (!wanted) return;
    const [name, format] = wanted.split(".");
    exportView(page, name === "stage" ? (page.view === "roles" ? "rolegraph" : "drawing") : name, format);
  });
  byId("csv").addEventListener("click", () => save("selection.csv", csvOf(page), "text/csv"));
}
