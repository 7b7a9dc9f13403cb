// The data of the page: gzip in base64; texts in JSON, then arrays, the lowest bytes of all elements first.

async function unpack(id) {
  const text = atob(document.getElementById(id).textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  const length = Number(new DataView(bytes).getBigUint64(0, true));
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const types = { uint8: Uint8Array, uint16: Uint16Array, int32: Int32Array, float64: Float64Array };
  let place = 8 + length;
  for (const [name, type, size] of data.arrays) {
    const width = types[type].BYTES_PER_ELEMENT;
    const planes = new Uint8Array(bytes, place, size * width);
    const joined = new Uint8Array(size * width);
    for (let byte = 0; byte < width; byte++) {
      for (let i = 0, from = byte * size, to = byte; i < size; i++, from++, to += width) joined[to] = planes[from];
    }
    data[name] = new types[type](joined.buffer);
    place += size * width;
  }
  return data;
}

// All of the data, once `head` has been shown.
async function readNodes(head) {
  const data = { ...head, ...(await unpack("data")) };
  const { nodes } = data;
  data.degree = numbersOf(data.degree, nodes);
  data.drawn = sums(numbersOf(data.drawn, data.x.length));
  data.labels ??= Array.from(sums(Float64Array.from(data.label)), String);
  data.names ??= null;
  data.attributeTexts ??= [];
  // The place of a node among those drawn, -1 if it is not drawn.
  data.placeInDrawing = new Int32Array(nodes).fill(-1);
  data.drawn.forEach((node, place) => { data.placeInDrawing[node] = place; });
  // Integers are in units of the last decimal.
  data.unit = data.signature instanceof Int32Array ? 10 ** data.decimals : 1;
  readLinks(data);
  readPeriods(data);
  return data;
}

function numbersOf(bytes, count) {
  const numbers = new Int32Array(count);
  for (let i = 0, place = 0; i < count; i++) {
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[place++];
      numbers[i] |= (byte & 127) << shift;
      if (byte < 128) break;
    }
  }
  return numbers;
}

function sums(steps) {
  for (let i = 1; i < steps.length; i++) steps[i] += steps[i - 1];
  return steps;
}

// Rows of neighbours, ascending, from the links that are listed with their smaller end.
function readLinks(data) {
  const counts = numbersOf(data.linkCounts, data.nodes);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const steps = numbersOf(data.linkSteps, total);
  const start = new Int32Array(data.nodes + 1);
  for (let node = 0, link = 0; node < data.nodes; node++) {
    start[node + 1] += counts[node];
    for (let other = node, last = link + counts[node]; link < last; link++) {
      other += steps[link];
      steps[link] = other;
      start[other + 1] += 1;
    }
  }
  sums(start);
  const free = start.slice();
  const neighbour = new Int32Array(2 * total);
  for (let node = 0, link = 0; node < data.nodes; node++) {
    for (let last = link + counts[node]; link < last; link++) neighbour[free[steps[link]]++] = node;
  }
  for (let node = 0, link = 0; node < data.nodes; node++) {
    for (let last = link + counts[node]; link < last; link++) neighbour[free[node]++] = steps[link];
  }
  Object.assign(data, { start, neighbour, linkCounts: null, linkSteps: null });
}

function neighboursOf(data, node) {
  return data.neighbour.subarray(data.start[node], data.start[node + 1]);
}

// Column `column` of the signature of `node`: the rounded value, to the last bit.
function entropyOf(data, node, column) {
  return data.signature[column * data.nodes + node] / data.unit;
}

function signatureOf(data, node) {
  return data.columns.map((_, column) => entropyOf(data, node, column));
}

// The point of every node in the plane of signatures.
function planePoints(data) {
  const { centre, weights } = data.plane;
  return [0, 1].map((axis) => {
    const points = new Float32Array(data.nodes);
    if (axis >= weights.length) return points.map((_, node) => Math.log10(1 + data.degree[node]));
    for (let node = 0; node < data.nodes; node++) {
      let sum = 0;
      for (let column = 0; column < centre.length; column++) {
        if (weights[axis][column]) sum += weights[axis][column] * (entropyOf(data, node, column) - centre[column]);
      }
      points[node] = sum;
    }
    return points;
  });
}
