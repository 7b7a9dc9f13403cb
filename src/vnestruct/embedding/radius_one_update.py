"""Radius 1 of a changed graph: two sums per node, kept with the graph once changes come in a stream.

The entropy of a 1-ball follows from two sums over its edges. An edge changes the sums of its ends and their common
neighbours only, by amounts that do not depend on the rest of their balls. Sums cost a whole run to set up, so the first
change of a graph does without them; from the second on they travel from graph to graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.radius_one import UpwardArcs, ball_sums, output_codes
from vnestruct.execute import ThreadsEngine
from vnestruct.graph import Edited, Graph
from vnestruct.kernels import closed_form
from vnestruct.types import OffsetArray, ValueArray

Rows = npt.NDArray[np.intp]


class _Sums(NamedTuple):
    """Over the neighbours u of each node: the sums of c_u and (1 + c_u)**2, with c_u the triangles on the edge to u."""

    triangles: OffsetArray
    squares: OffsetArray


# Kept with a graph that has been changed once: at the next change its sums are worth computing.
_WANTED = _Sums(np.empty(0, np.int64), np.empty(0, np.int64))


def refresh_radius_one(
    graph: Graph, before: ValueArray, change: Edited, outputs: Sequence[str], threads: ThreadsEngine
) -> tuple[ValueArray, Rows]:
    """Return the embedding of radius 1 after the change, and the rows that were computed again."""
    after = change.graph
    sums = _sums_of(graph, threads)
    if sums is not None and after.n_nodes > graph.n_nodes:
        more = np.zeros(after.n_nodes - graph.n_nodes, np.int64)
        sums = _Sums(*(np.concatenate([one, more]) for one in sums))
    elif sums is not None:
        sums = _Sums(*(one.copy() for one in sums))
    rows = _changed_rows(graph, change, sums)
    values = np.zeros((after.n_nodes, before.shape[1]))
    values[: graph.n_nodes] = before
    if sums is None:
        own = _Sums(*closed_form.ball_sums_of(after.indptr, after.indices, rows, np.zeros(after.n_nodes, np.uint8)))
    else:
        own = _Sums(sums.triangles[rows], sums.squares[rows])
    degrees = after.indptr[rows + 1] - after.indptr[rows]
    fresh = np.empty((rows.size, len(outputs)))
    closed_form.radius_one(degrees, *own, output_codes(outputs), fresh)
    values[rows] = fresh
    after._radius_one_sums = _WANTED if sums is None else sums
    return values, rows


def _sums_of(graph: Graph, threads: ThreadsEngine) -> _Sums | None:
    """Return the sums of a graph that has been changed before; None for one that has not."""
    known: _Sums | None = graph._radius_one_sums
    if known is _WANTED:
        arcs = UpwardArcs.of_graph(graph)
        known = _Sums(*(by_rank[arcs.rank] for by_rank in ball_sums(arcs, threads)))
        graph._radius_one_sums = known
    return known


def _changed_rows(graph: Graph, change: Edited, sums: _Sums | None) -> Rows:
    """Return the rows that change, and bring `sums` up to date in place."""
    after = change.graph
    pairs = [pair for pair, (old, new) in change.changes.items() if bool(any(old)) != bool(any(new))]
    mark = np.zeros(after.n_nodes, np.uint8)
    if len(pairs) == 1 and sums is not None and after.n_nodes == graph.n_nodes:
        comes = any(change.changes[pairs[0]][1])
        without = graph if comes else after
        changed = np.empty(after.n_nodes, np.int32)
        count = closed_form.change_sums(
            without.indptr, without.indices, *pairs[0], 1 if comes else -1, *sums, mark, changed
        )
        return np.sort(changed[:count]).astype(np.intp)
    touched = np.zeros(after.n_nodes, bool)
    touched[graph.n_nodes :] = True
    for u, v in pairs:
        touched[[u, v]] = True
        for one in (graph, after):
            if max(u, v) < one.n_nodes:
                touched[np.intersect1d(_row(one, u), _row(one, v), assume_unique=True)] = True
    rows = np.flatnonzero(touched)
    if sums is not None:
        fresh = closed_form.ball_sums_of(after.indptr, after.indices, rows, mark)
        for old, new in zip(sums, fresh, strict=True):
            old[rows] = new
    return rows


def _row(graph: Graph, node: int) -> npt.NDArray[np.int32]:
    return graph.indices[graph.indptr[node] : graph.indptr[node + 1]]
