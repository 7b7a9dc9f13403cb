"""Relaxation of a drawing: neighbours attract, nodes closer than a unit or two repel.

Positions are in units of the wanted distance. Nodes are sorted into square cells of side `_CELL`, so that repulsion
looks at nine cells per node; of a crowded cell it looks at `_SAMPLE` nodes, each counted for several. One iteration
costs O(n + m), whatever the positions. A node is drawn to the mean of its neighbours, so hubs keep their leaves close.
"""

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray, ValueArray

_CELL = 2.0
_SAMPLE = 12
_PULL = 0.9
_MOST_CELLS = 4096


@kernel
def relax(
    positions: ValueArray, indptr: OffsetArray, indices: IdArray, weights: ValueArray, n_iterations: int, step: float
) -> None:
    """Move nodes in place, `n_iterations` times, at first by at most `step`, then by less and less."""
    n = indptr.size - 1
    move = np.empty((n, 2))
    cell = np.empty(n, np.int64)
    order = np.empty(n, np.int64)
    for iteration in range(n_iterations):
        left, bottom = positions[:, 0].min(), positions[:, 1].min()
        wide = positions[:, 0].max() - left
        high = positions[:, 1].max() - bottom
        side = max(_CELL, max(wide, high) / _MOST_CELLS)
        across, up = int(wide / side) + 1, int(high / side) + 1
        start = np.zeros(across * up + 1, np.int64)
        for u in range(n):
            cell[u] = int((positions[u, 1] - bottom) / side) * across + int((positions[u, 0] - left) / side)
            start[cell[u] + 1] += 1
        for c in range(across * up):
            start[c + 1] += start[c]
        place = start[:-1].copy()
        for u in range(n):
            order[place[cell[u]]] = u
            place[cell[u]] += 1
        limit = step * (1.0 - iteration / n_iterations)
        for u in range(n):
            x, y = positions[u, 0], positions[u, 1]
            total, sum_x, sum_y = 0.0, 0.0, 0.0
            for a in range(indptr[u], indptr[u + 1]):
                v = indices[a]
                total += weights[a]
                sum_x += weights[a] * (positions[v, 0] - x)
                sum_y += weights[a] * (positions[v, 1] - y)
            scale = _PULL / total if total > 0.0 else 0.0
            force_x, force_y = scale * sum_x, scale * sum_y
            row, column = cell[u] // across, cell[u] % across
            for other_row in range(max(row - 1, 0), min(row + 2, up)):
                for other_column in range(max(column - 1, 0), min(column + 2, across)):
                    c = other_row * across + other_column
                    count = start[c + 1] - start[c]
                    looked = min(count, _SAMPLE)
                    for i in range(looked):
                        # Another part of a crowded cell for every node and iteration.
                        v = order[start[c] + (i * count // looked + u + iteration) % count]
                        dx, dy = x - positions[v, 0], y - positions[v, 1]
                        square = dx * dx + dy * dy
                        if v != u and square < side * side:
                            push = count / looked * (1.0 / (square + 0.05) - 1.0 / (side * side + 0.05))
                            force_x += push * dx
                            force_y += push * dy
            length = np.sqrt(force_x * force_x + force_y * force_y)
            shrink = limit / length if length > limit else 1.0
            move[u, 0], move[u, 1] = force_x * shrink, force_y * shrink
        for u in range(n):
            positions[u, 0] += move[u, 0]
            positions[u, 1] += move[u, 1]
