"""A graph of any size, computed row by row: it can be written to a .vng file without ever being in memory.

Node i is joined to i + d for each of some distances d, with a chance that depends on i, so that degrees differ; and to
the first node of its group of 5,000, a hub. Short distances and hubs make triangles.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vnestruct.io.vng import write_vng_rows

GROUP = 5_000
_SHORT = (1, 2, 3, 7)
_SLICE = 100_000

Words = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.int64]


def write_large_graph(path: Path, n_nodes: int, n_distances: int = 24, seed: int = 1) -> int:
    """Write the graph; return its number of edges, about .7 per node and distance."""
    chance = np.random.default_rng(seed)
    far = np.unique(
        chance.integers(GROUP + 1, max(n_nodes // 2, GROUP + 2 + 8 * n_distances), n_distances - len(_SHORT))
    )
    distances = np.concatenate([np.array(_SHORT), far])
    degrees = np.zeros(n_nodes + 1, np.int64)
    for first, last in _ranges(n_nodes):
        rows, _ = _pairs(first, last, n_nodes, distances)
        degrees[first + 1 : last + 1] = np.bincount(rows - first, minlength=last - first)
    indptr = np.cumsum(degrees)
    write_vng_rows(path, indptr, _rows(n_nodes, distances))
    return int(indptr[-1]) // 2


def _ranges(n_nodes: int) -> Iterator[tuple[int, int]]:
    for first in range(0, n_nodes, _SLICE):
        yield first, min(first + _SLICE, n_nodes)


def _rows(n_nodes: int, distances: Ids) -> Iterator[npt.NDArray[np.int32]]:
    for first, last in _ranges(n_nodes):
        rows, columns = _pairs(first, last, n_nodes, distances)
        keys = rows * n_nodes + columns
        keys.sort()
        keys %= n_nodes
        yield keys.astype(np.int32)


def _pairs(first: int, last: int, n_nodes: int, distances: Ids) -> tuple[Ids, Ids]:
    """Return all entries of the rows first..last-1, unordered."""
    nodes = np.arange(first, last)
    rows, columns = [], []
    for distance in distances.tolist():
        # Edges to higher ids, and from lower ids that reach this row.
        up = nodes[(nodes + distance < n_nodes) & _drawn(nodes, distance)]
        down = nodes[nodes >= distance]
        down = down[_drawn(down - distance, distance)]
        rows += [up, down]
        columns += [up + distance, down - distance]
    far_from_hub = nodes % GROUP > max(_SHORT)
    members = nodes[far_from_hub]
    rows.append(members)
    columns.append(members - members % GROUP)
    for hub in range(first - first % GROUP + (GROUP if first % GROUP else 0), last, GROUP):
        group = np.arange(hub + max(_SHORT) + 1, min(hub + GROUP, n_nodes))
        rows.append(np.full(group.size, hub))
        columns.append(group)
    return np.concatenate(rows), np.concatenate(columns)


def _drawn(nodes: Ids, distance: int) -> npt.NDArray[np.bool_]:
    """Return which nodes have the edge of a distance, by a hash that favours some nodes over others."""
    ease = 150 + (_mixed(nodes.astype(np.uint64)) >> np.uint64(57)).astype(np.int64)
    draw = _mixed(nodes.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(distance)) >> np.uint64(56)
    return draw.astype(np.int64) < ease


def _mixed(words: Words) -> Words:
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
