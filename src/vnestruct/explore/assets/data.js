// The data of the page: gzip in base64; a head in JSON, then arrays of numbers, each at a multiple of 8 bytes.

async function readData() {
  const text = atob(document.getElementById("data").textContent.trim());
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  const length = Number(new DataView(bytes).getBigUint64(0, true));
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const whole = (size) => Math.ceil(size / 8) * 8;
  const types = { Uint8Array, Uint16Array, Int32Array, Float32Array, Float64Array };
  let place = 8 + whole(length);
  for (const [name, type, size] of data.arrays) {
    data[name] = new types[type](bytes, place, size);
    place += whole(data[name].byteLength);
  }
  // The place of a node among those drawn, -1 if it is not drawn.
  data.placeInDrawing = placesOf(data.drawn, data.nodes);
  data.placeInProjection = placesOf(data.projected, data.nodes);
  // Integers are in units of the last decimal.
  data.unit = data.signature instanceof Int32Array ? 10 ** data.decimals : 1;
  return data;
}

function placesOf(chosen, nodes) {
  const places = new Int32Array(nodes).fill(-1);
  chosen.forEach((node, place) => { places[node] = place; });
  return places;
}

// Column `column` of the signature of `node`: the rounded value, to the last bit.
function entropyOf(data, node, column) {
  return data.signature[column * data.nodes + node] / data.unit;
}

function signatureOf(data, node) {
  return data.columns.map((_, column) => entropyOf(data, node, column));
}

function shortSignature(data, node) {
  const values = signatureOf(data, node).slice(0, 6).map((value) => value.toFixed(3)).join("  ");
  return data.columns.length > 6 ? values + " …" : values;
}
