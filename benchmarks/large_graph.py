"""A graph of any size, computed row by row: it can be written to a .vng file without ever being in memory.

Node i is joined to i + d for each of some distances d, around a circle, and to the first node of its group of 5,000, a
hub. Short distances and hubs make triangles.
"""

import numpy as np

from vnestruct.io.vng_layout import write_vng_rows

GROUP, SLICE = 5_000, 100_000
SHORT = (1, 2, 3, 7)


def write_large_graph(path, n_nodes, n_distances=16):
    """Write the graph; return its number of edges, about one per node and distance."""
    far = np.random.default_rng(1).choice(np.arange(GROUP + 1, n_nodes // 2), n_distances - len(SHORT), replace=False)
    distances = np.concatenate([SHORT, far])
    degrees = [np.unique(row_of, return_counts=True)[1] for row_of, _ in _slices(n_nodes, distances)]
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(degrees))])
    write_vng_rows(path, indptr, (columns.astype(np.int32) for _, columns in _slices(n_nodes, distances)))
    return int(indptr[-1]) // 2


def _slices(n_nodes, distances):
    """Yield row and column of every entry, in order, for some rows at a time."""
    shifts = np.concatenate([distances, -distances])
    for first in range(0, n_nodes, SLICE):
        nodes = np.arange(first, min(first + SLICE, n_nodes))
        hubs = nodes[nodes % GROUP == 0]
        # Members next to their hub are joined to it already.
        members = nodes[(nodes % GROUP > SHORT[-1]) & (nodes % GROUP < GROUP)]
        groups = [np.arange(hub + SHORT[-1] + 1, min(hub + GROUP, n_nodes)) for hub in hubs.tolist()]
        rows = [np.repeat(nodes, shifts.size), members, np.repeat(hubs, [group.size for group in groups])]
        columns = [(nodes[:, None] + shifts).ravel() % n_nodes, members - members % GROUP, *groups]
        keys = np.sort(np.concatenate(rows) * n_nodes + np.concatenate(columns))
        yield keys // n_nodes, keys % n_nodes
