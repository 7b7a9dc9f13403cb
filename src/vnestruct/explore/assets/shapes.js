// One mark per role: polygons around 0 with the area of a circle of radius 1.

function regular(corners, turn, inner = 1) {
  const count = inner === 1 ? corners : 2 * corners;
  return Array.from({ length: count }, (_, i) => {
    const angle = turn + (i * 2 * Math.PI) / count;
    const radius = inner !== 1 && i % 2 ? inner : 1;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
}

const SHAPES = [
  regular(28, 0), regular(4, Math.PI / 4), regular(3, -Math.PI / 2), regular(4, 0), regular(3, Math.PI / 2),
  [[-1, -0.34], [-0.34, -0.34], [-0.34, -1], [0.34, -1], [0.34, -0.34], [1, -0.34], [1, 0.34], [0.34, 0.34],
    [0.34, 1], [-0.34, 1], [-0.34, 0.34], [-1, 0.34]],
  regular(5, -Math.PI / 2, 0.45), regular(6, 0),
].map((points) => {
  const area = points.reduce((sum, [x, y], i) => {
    const [next, above] = points[(i + 1) % points.length];
    return sum + (x * above - next * y) / 2;
  }, 0);
  const scale = Math.sqrt(Math.PI / Math.abs(area));
  return points.map(([x, y]) => [x * scale, y * scale]);
});

// The widest shape reaches this far from its centre.
const REACH = Math.max(...SHAPES.flat().map(([x, y]) => Math.hypot(x, y)));

function shapeOf(role) {
  return role % SHAPES.length;
}

function linePath(corners, digits = 1) {
  return `M${corners.map(([x, y]) => `${x.toFixed(digits)} ${y.toFixed(digits)}`).join("L")}`;
}

function shapePath(shape, x, y, radius) {
  return `${linePath(SHAPES[shape].map(([a, b]) => [x + a * radius, y + b * radius]), 2)}Z`;
}
