// What the two plots show: the drawing of the graph, and the plane of signatures.

const SEPARATE_MARKS = 50_000;
const CELLS = 1000;

function drawingPoints(data) {
  const { drawn } = data;
  const base = Math.min(5.5, Math.max(1.3, 90 / Math.sqrt(drawn.length)));
  let largest = 1;
  for (const degree of data.degree) largest = Math.max(largest, degree);
  const size = Float32Array.from(drawn, (node) => base * (0.8 + 1.6 * Math.sqrt(data.degree[node] / largest)));
  return {
    node: drawn, x: data.x, y: data.y, size, ...markOrder(data, drawn), links: drawnLinks(data),
    placeOf: (node) => data.placeInDrawing[node],
  };
}

// Marks of the plane: one per node, or of many one for the nodes of a role that are hardly apart.
function planePointsOf(data) {
  const [px, py] = planePoints(data);
  const place = Int32Array.from(px.keys());
  let node = place;
  if (data.nodes > SEPARATE_MARKS) {
    const [column, row] = [px, py].map(cellsOf);
    const first = new Map();
    const kept = [];
    for (let one = 0; one < data.nodes; one++) {
      const key = (column[one] * (CELLS + 1) + row[one]) * data.roles.length + data.role[one];
      if (!first.has(key)) {
        first.set(key, kept.length);
        kept.push(one);
      }
      place[one] = first.get(key);
    }
    node = Int32Array.from(kept);
  }
  const size = new Float32Array(node.length).fill(Math.min(4.5, Math.max(1.2, 90 / Math.sqrt(node.length))));
  return {
    node, x: Float32Array.from(node, (one) => px[one]), y: Float32Array.from(node, (one) => py[one]), size,
    ...markOrder(data, node), links: new Uint32Array(0), placeOf: (one) => place[one],
  };
}

function cellsOf(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return Int32Array.from(values, (value) => Math.floor(((value - low) / Math.max(high - low, 1e-12)) * CELLS));
}

// Rare roles are drawn above frequent ones, and hubs above others.
function markOrder(data, nodes) {
  const byRole = data.roles.map(() => []);
  nodes.forEach((node, place) => byRole[data.role[node]].push(place));
  const order = [...data.roles.keys()].sort((a, b) => data.roles[b].nodes - data.roles[a].nodes);
  return {
    order: Uint32Array.from(order.flatMap((role) => byRole[role].sort((a, b) => data.degree[nodes[a]] - data.degree[nodes[b]]))),
    shape: Uint8Array.from(nodes, (node) => shapeOf(data.role[node])),
  };
}

// Links between drawn nodes: all, or of many an even sample and at least one of every node.
function drawnLinks(data) {
  const all = [];
  data.drawn.forEach((node, place) => {
    for (const other of neighboursOf(data, node)) {
      const end = data.placeInDrawing[other];
      if (end > place) all.push(place, end);
    }
  });
  if (all.length / 2 <= data.shownLinks) return Uint32Array.from(all);
  const share = data.shownLinks / (all.length / 2);
  const seen = new Uint8Array(data.drawn.length);
  const kept = [];
  for (let i = 0; i < all.length; i += 2) {
    const first = !seen[all[i]] || !seen[all[i + 1]];
    if (!first && ((Math.imul(i + 1, 2654435761) >>> 0) / 2 ** 32) >= share) continue;
    seen[all[i]] = seen[all[i + 1]] = 1;
    kept.push(all[i], all[i + 1]);
  }
  return Uint32Array.from(kept);
}
