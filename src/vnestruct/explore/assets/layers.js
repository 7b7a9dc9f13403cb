// What the two plots show: the drawing of the graph, and the plane of signatures.

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

function planePointsOf(data) {
  const [x, y] = planePoints(data);
  const node = Int32Array.from(x.keys());
  const size = new Float32Array(data.nodes).fill(Math.min(4.5, Math.max(1.2, 90 / Math.sqrt(data.nodes))));
  return { node, x, y, size, ...markOrder(data, node), links: new Uint32Array(0), placeOf: (one) => one };
}

// Rare roles are drawn above frequent ones.
function markOrder(data, nodes) {
  const byRole = data.roles.map(() => []);
  nodes.forEach((node, place) => byRole[data.role[node]].push(place));
  const order = [...data.roles.keys()].sort((a, b) => data.roles[b].size - data.roles[a].size);
  return {
    order: Uint32Array.from(order.flatMap((role) => byRole[role])),
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
