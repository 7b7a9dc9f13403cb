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
