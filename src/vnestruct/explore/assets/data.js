// The data of the page: gzip in base64; texts in JSON, then arrays one after the other.

const TYPES = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array, int32: Int32Array, float64: Float64Array };

async function unpack(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  let place = 8 + Number(new DataView(bytes).getBigUint64(0, true));
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, place - 8)));
  for (const [name, type, size] of data.arrays) {
    const end = place + size * TYPES[type].BYTES_PER_ELEMENT;
    data[name] = new TYPES[type](bytes.slice(place, end));
    place = end;
  }
  return data;
}

// All of the data, once `head` has been shown.
async function readNodes(head) {
  const data = { ...head, ...(await unpack("data")) };
  data.labels = Array.from(data.labels, String);
  // The place of a node among those drawn, -1 if it is not drawn.
  data.placeInDrawing = new Int32Array(data.nodes).fill(-1);
  data.drawn.forEach((node, place) => { data.placeInDrawing[node] = place; });
  // Integers are in units of the last decimal.
  data.unit = data.signature instanceof Int32Array ? 10 ** data.decimals : 1;
  readLinks(data);
  return data;
}

// Rows of neighbours, ascending, from the links: how many each node has to nodes after it, and how far away those are.
function readLinks(data) {
  const start = new Int32Array(data.nodes + 1);
  const source = new Int32Array(data.linkSteps.length);
  const target = Int32Array.from(data.linkSteps);
  for (let node = 0, link = 0; node < data.nodes; node++) {
    start[node + 1] += data.linkCounts[node];
    for (let i = 0; i < data.linkCounts[node]; i++, link++) {
      source[link] = node;
      target[link] += node;
      start[target[link] + 1] += 1;
    }
  }
  start.forEach((count, node) => { if (node) start[node] += start[node - 1]; });
  const free = start.slice();
  const neighbour = new Int32Array(2 * source.length);
  target.forEach((node, link) => { neighbour[free[node]++] = source[link]; });
  source.forEach((node, link) => { neighbour[free[node]++] = target[link]; });
  Object.assign(data, { start, neighbour });
}

function neighboursOf(data, node) {
  return data.neighbour.subarray(data.start[node], data.start[node + 1]);
}

// Column `column` of the signature of `node`: the rounded value, to the last bit.
function valueOf(data, node, column) {
  return data.signature[column * data.nodes + node] / data.unit;
}

// The point of every node in the plane of signatures.
function planePoints(data) {
  const { centre, weights } = data.plane;
  return [0, 1].map((axis) => {
    const points = new Float32Array(data.nodes);
    if (axis >= weights.length) return points.map((_, node) => Math.log10(1 + data.degree[node]));
    weights[axis].forEach((weight, column) => {
      for (let node = 0; weight && node < data.nodes; node++) points[node] += weight * (valueOf(data, node, column) - centre[column]);
    });
    return points;
  });
}

// The nodes nearest to one, as `similar_nodes` finds them: distances between signatures, rounded to the decimals
// that count; equally distant nodes in the order of the graph.

function similarNodes(data, node, wanted) {
  const { nodes, columns, signature, unit } = data;
  const digits = 10 ** data.decimals;
  const squares = new Float64Array(nodes);
  for (let column = 0; column < columns.length; column++) {
    const start = column * nodes;
    const own = signature[start + node] / unit;
    for (let other = 0; other < nodes; other++) {
      const gap = signature[start + other] / unit - own;
      squares[other] += gap * gap;
    }
  }
  const best = [];
  let limit = Infinity;
  for (let other = 0; other < nodes; other++) {
    if (other === node) continue;
    const distance = Math.round(Math.sqrt(squares[other]) * digits) / digits;
    if (distance >= limit) continue;
    let place = best.length;
    while (place > 0 && best[place - 1].distance > distance) place--;
    best.splice(place, 0, { node: other, distance });
    if (best.length > wanted) best.pop();
    if (best.length === wanted) limit = best[wanted - 1].distance;
  }
  return best;
}
