// Files to save: the selection as CSV, each view as PNG or SVG.

function save(name, content, type) {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function csvOf(page) {
  const { data, nodes } = page;
  const field = (value) => (/[",\r\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : value);
  const columns = [
    ["node", (node) => data.labels[node]], ...(data.names ? [["name", (node) => data.names[node]]] : []),
    ["role", (node) => data.role[node]], ["role_name", (node) => data.roles[data.role[node]].name], ["degree", (node) => data.degree[node]],
    ...data.columns.map((name, column) => [name, (node) => valueOf(data, node, column)]),
    ...(data.classes ? [["label", (node) => data.classes[data.class[node]] ?? ""]] : []),
    ...data.attributes.map((name, i) => [name, (node) => data.attributeTexts[i][node]]),
  ];
  const rows = [columns.map(([name]) => name), ...nodes.map((node) => columns.map(([, value]) => value(node)))];
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

// The drawing and the plane are made for the purpose, the other views are SVG already.
async function exportView(page, view, format) {
  const name = view !== "stage" ? view : page.view === "roles" ? "rolegraph" : "drawing";
  const plot = page.plots[name];
  const svg = plot ? plotAsSvg(plot) : byId(name).querySelector("svg").cloneNode(true);
  svg.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer().serializeToString(svg);
  if (format === "svg") { save(`${name}.svg`, text, "image/svg+xml"); return; }
  const { width, height } = svg.viewBox.baseVal;
  const canvas = element("canvas", { width: Math.round(2 * width), height: Math.round(2 * height) });
  const brush = canvas.getContext("2d");
  brush.fillStyle = themeColour("--card");
  brush.fillRect(0, 0, canvas.width, canvas.height);
  const layers = plot ? [plot.canvas, plot.overlay] : [element("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}` })];
  if (!plot) await layers[0].decode();
  for (const layer of layers) brush.drawImage(layer, 0, 0, canvas.width, canvas.height);
  save(`${name}.png`, await new Promise((done) => { canvas.toBlob(done, "image/png"); }));
}

function exportButtons(page, view) {
  return ["png", "svg"].map((format) => element("button", {
    type: "button", className: "quiet", text: format.toUpperCase(), title: `Save this view as ${format.toUpperCase()}`,
    "data-save": `${view}.${format}`, onclick: () => exportView(page, view, format),
  }));
}
