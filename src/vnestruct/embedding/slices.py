"""A mapped graph rewritten in ranks slice by slice, into files that are mapped in turn.

Memory is taken for the nodes and for one slice of arcs. Row r of the graph in ranks holds the ranks of the neighbours
of node ``node[r]``, ascending; nodes of equal degree keep their order, so a slice sweeps through the file.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from vnestruct.embedding.budget import Budget
from vnestruct.embedding.plan import Ranked, frozen
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph, read_vng
from vnestruct.io.vng_layout import write_vng_rows
from vnestruct.kernels import ranking
from vnestruct.kernels.workspace import Arcs, RankedGraph
from vnestruct.types import IdArray, NodeId, OffsetArray

SLICE_ARCS = 1 << 21
"""Arcs of a slice where memory is no matter."""


def has_ranked_file(graph: MappedGraph) -> bool:
    """Tell whether the file of a graph is in ranks as it is: nodes by descending degree."""
    degrees = np.diff(graph.indptr)
    return graph.path is not None and bool((degrees[1:] <= degrees[:-1]).all())


def ranked_from_file(graph: MappedGraph, folder: Path | None, slice_arcs: int = SLICE_ARCS) -> Ranked:
    """Return a plain graph in ranks, with its arcs in a .vng file: its own if it is in ranks, else one in `folder`."""
    rank, node = ranking.rank_by_degree(graph.indptr)
    frozen(rank)
    frozen(node)
    source = graph
    if not has_ranked_file(graph):
        assert folder is not None
        path = folder / f"ranked-{graph.hash}.vng"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            offsets, rows = ranked_rows(graph, rank, node, slice_arcs)
            write_vng_rows(path, offsets, rows)
        mapped = read_vng(path, verify=False)
        assert isinstance(mapped, MappedGraph)
        source = mapped
    split = frozen(count_upward(source, slice_arcs))
    arcs = Arcs(source.indptr, source.indices)
    assert source.path is not None
    return Ranked(rank, node, RankedGraph(*arcs, split, None, None), arcs, None, str(source.path.absolute()))


def ranked_rows(
    graph: Graph, rank: IdArray, node: IdArray, slice_arcs: int, *, upward: bool = False
) -> tuple[OffsetArray, Iterator[IdArray]]:
    """Return the row offsets of the graph in ranks, and its rows in slices; with `upward` only smaller neighbours.

    Offsets of `upward` rows are known once all slices have been taken.
    """
    n_nodes = graph.n_nodes
    offsets = np.zeros(n_nodes + 1, np.int64)
    np.cumsum(np.diff(graph.indptr)[node], out=offsets[1:])
    if not upward:
        return offsets, _slices(graph, rank, node, offsets, slice_arcs, None)
    lengths = np.zeros(n_nodes + 1, np.int64)
    return lengths, _slices(graph, rank, node, offsets, slice_arcs, lengths)


def _slices(
    graph: Graph, rank: IdArray, node: IdArray, offsets: OffsetArray, slice_arcs: int, upward: OffsetArray | None
) -> Iterator[IdArray]:
    n_nodes = graph.n_nodes
    for first, last in cuts(offsets, slice_arcs):
        chosen = node[first:last]
        lengths = np.diff(offsets[first : last + 1])
        places = np.repeat(graph.indptr[chosen] - (offsets[first:last] - offsets[first]), lengths)
        places += np.arange(places.size)
        neighbours = rank[graph.indices[places]]
        del places
        # Owner and neighbour in one number: one sort orders all rows of the slice.
        keys = np.repeat(np.arange(first, last), lengths)
        if upward is not None:
            smaller = neighbours < keys
            keys, neighbours = keys[smaller], neighbours[smaller]
            upward[first + 1 : last + 1] = np.bincount(keys - first, minlength=last - first)
        keys *= n_nodes
        keys += neighbours
        del neighbours
        keys.sort()
        keys %= n_nodes
        if isinstance(graph, MappedGraph):
            graph.release()
        yield keys.astype(NodeId)
    if upward is not None:
        np.cumsum(upward, out=upward)


def upward_arcs(graph: MappedGraph, rank: IdArray, node: IdArray, budget: Budget, room: int) -> Arcs:
    """Return the arcs to larger degree alone, in a file: what radius 1 needs."""
    path = budget.folder / f"upward-{secrets.token_hex(4)}"
    offsets, rows = ranked_rows(graph, rank, node, budget.slice_arcs(room), upward=True)
    with path.open("wb") as file:
        for part in rows:
            file.write(part.data)
    n_arcs = int(offsets[-1])
    indices = np.asarray(np.memmap(path, NodeId, "r", shape=(n_arcs,))) if n_arcs else np.empty(0, NodeId)
    path.unlink()
    return Arcs(frozen(offsets), frozen(indices))


def count_upward(graph: Graph, slice_arcs: int = SLICE_ARCS) -> IdArray:
    """Return for each row how many of its entries are smaller than the row: of a graph in ranks, its `split`."""
    split = np.zeros(graph.n_nodes, NodeId)
    for first, last in cuts(graph.indptr, slice_arcs):
        begin, end = int(graph.indptr[first]), int(graph.indptr[last])
        owner = np.repeat(np.arange(last - first, dtype=NodeId), np.diff(graph.indptr[first : last + 1]))
        smaller = graph.indices[begin:end] < owner + NodeId(first)
        split[first:last] = np.bincount(owner[smaller], minlength=last - first)
        if isinstance(graph, MappedGraph):
            graph.release()
    return split


def cuts(offsets: OffsetArray, slice_arcs: int) -> Iterator[tuple[int, int]]:
    """Yield runs (first, last) of rows that hold at most `slice_arcs` arcs, and at least one row."""
    n_rows = offsets.size - 1
    first = 0
    while first < n_rows:
        # Rows without arcs cost memory too: a run is no longer than its arcs may be many.
        last = int(np.searchsorted(offsets, offsets[first] + slice_arcs, side="right")) - 1
        last = min(max(last, first + 1), first + slice_arcs, n_rows)
        yield first, last
        first = last
