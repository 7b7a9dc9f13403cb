"""The back end for graphs of which only the nodes fit into memory.

Arcs stay in mapped files, and the graph is rewritten in ranks slice by slice, into files that are mapped in turn.
Memory is taken for the nodes and for one slice of arcs. Row r of the graph in ranks holds the ranks of the neighbours
of node ``node[r]``, ascending; nodes of equal degree keep their order, so a slice sweeps through the file.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct.embedding.backends import ThreadsBackend, UpwardArcs
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Plan, read_only
from vnestruct.errors import ParameterError, TooLargeError
from vnestruct.files.atomic import temporary_folder
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph, read_vng, write_vng_rows
from vnestruct.kernels import ranking
from vnestruct.kernels.workspace import Arcs, RankedGraph
from vnestruct.types import IdArray, NodeId, OffsetArray, ValueArray

PROGRAM_BYTES = 250 << 20  # the interpreter, its libraries and compiled kernels
SLICE_ARCS = 1 << 21  # arcs of a slice where memory is not limited
_MIN_SLICE_ARCS = 1 << 16
_ARC_BYTES = 48  # bytes per arc while a slice of the graph is rewritten
_FIRST_BYTES = 100  # bytes per node while radius 1 is computed, and 4 more per thread
_PLAN_BYTES = 130  # bytes per node while a plan is made, 24 more per column, and 32 more per worker


class OutOfCoreBackend(ThreadsBackend):
    """Keeps what grows with the edges in files, and has another back end run the blocks.

    The graph is mapped from a file. The limit in bytes counts memory of the process's own. Pages of mapped files come
    on top only while nobody else needs them: the system takes them back at any time.
    """

    def __init__(self, inner: ThreadsBackend, graph: Graph, limit: int) -> None:
        if not isinstance(graph, MappedGraph):
            raise ParameterError("`max_memory` needs a graph that is mapped from a .vng file; convert it first")
        self._inner, self._limit = inner, limit
        self.device, self.threads, self.run = inner.device, inner.threads, inner.run  # type: ignore[method-assign]
        self._files = ExitStack()
        self.folder = self._files.enter_context(temporary_folder(Path(tempfile.gettempdir())))

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Plan:
        """Rewrite a graph in ranks, in a file if it is plain."""
        assert isinstance(graph, MappedGraph)
        is_plain = not settings.weighted and direction == "all"
        n_workers = self._inner.n_workers
        taken = graph.n_nodes * (_PLAN_BYTES + 24 * len(settings.base_columns) + 32 * n_workers)
        if not is_plain:
            # Weights and directions are rewritten in memory, together with what they are made from.
            taken += graph.indices.size * (32 if settings.weighted else 12)
        room = self._room(taken, "this graph")
        if is_plain:
            ranked = ranked_from_file(graph, self._inner.plans or self.folder, room // _ARC_BYTES)
        else:
            ranked = self._inner.rank(graph, settings, direction)
        return ranked._replace(limit=room // n_workers)

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Plan | None = None) -> ValueArray:
        """Return radius 1 of every node of a plain graph: by rank if the graph is given in ranks, else by node."""
        assert isinstance(graph, MappedGraph)
        per_node = _FIRST_BYTES + 16 * (len(outputs) - 1) + 4 * self.threads.n_workers
        room = self._room(graph.n_nodes * per_node, "radius 1 of this graph")
        plan = ranked or ranked_from_file(graph, self.folder, room // _ARC_BYTES)
        graph.release()
        count = self.zeros(plan.graph.indices.size, room)
        values = self.closed_form(UpwardArcs.of_ranked(plan), outputs, count)
        return values[plan.rank] if ranked is None else values

    def submit(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """Run one function after the other: each has its own peak of memory."""
        result = function()
        return lambda: result

    def close(self) -> None:
        """Remove the files."""
        self._inner.close()
        self._files.close()

    def zeros(self, length: int, room: int) -> IdArray:
        """Return int32 zeros: in memory if they take at most `room` bytes, else in a file."""
        if 4 * length <= room or not length:
            return np.zeros(length, np.int32)
        # The mapping keeps the content; without a name it is gone with the process, however that ends.
        with tempfile.TemporaryFile(dir=self.folder) as file:
            return np.asarray(np.memmap(file, np.int32, "w+", shape=(length,)))

    def _room(self, taken: int, what: str) -> int:
        """Return the bytes left when `taken` are; a `TooLargeError` says how many are needed."""
        need = PROGRAM_BYTES + taken + _ARC_BYTES * _MIN_SLICE_ARCS
        if need > self._limit:
            wrong = f"{what} needs {need / 1e6:,.0f} MB of memory, more than the limit of {self._limit / 1e6:,.0f} MB"
            raise TooLargeError(f"{wrong}; raise the limit, or use fewer threads (`n_jobs`)")
        return self._limit - PROGRAM_BYTES - taken


def has_ranked_file(graph: MappedGraph) -> bool:
    """Tell whether the file of a graph is in ranks as it is: nodes by descending degree."""
    degrees = np.diff(graph.indptr)
    return graph.path is not None and bool((degrees[1:] <= degrees[:-1]).all())


def ranked_from_file(graph: MappedGraph, folder: Path | None, slice_arcs: int = SLICE_ARCS) -> Plan:
    """Return a plain graph in ranks, with its arcs in a .vng file: its own if it is in ranks, else one in `folder`."""
    slice_arcs = min(slice_arcs, SLICE_ARCS)
    rank, node = (read_only(array) for array in ranking.rank_by_degree(graph.indptr))
    source: Graph = graph
    if not has_ranked_file(graph):
        assert folder is not None
        path = folder / f"ranked-{graph.hash}.vng"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            offsets = np.append(0, np.cumsum(np.diff(graph.indptr)[node]))
            write_vng_rows(path, offsets, _ranked_rows(graph, rank, node, offsets, slice_arcs))
        source = read_vng(path, verify=False)
    assert isinstance(source, MappedGraph)
    assert source.path is not None
    arcs, split = Arcs(source.indptr, source.indices), read_only(_count_upward(source, slice_arcs))
    return Plan(rank, node, RankedGraph(*arcs, split, None, None), arcs, file=str(source.path.absolute()))


def _ranked_rows(
    graph: MappedGraph, rank: IdArray, node: IdArray, offsets: OffsetArray, slice_arcs: int
) -> Iterator[IdArray]:
    """Yield the rows of the graph in ranks, in slices."""
    for first, last in cuts(offsets, slice_arcs):
        rows, split = offsets[first : last + 1] - offsets[first], np.empty(last - first, NodeId)
        columns = np.empty(rows[-1], NodeId)
        ranking.sort_rows(graph.indptr, graph.indices, rank, node[first:last], first, rows, columns, split)
        graph.release()
        yield columns


def _count_upward(graph: MappedGraph, slice_arcs: int) -> IdArray:
    """Return for each row how many of its entries are smaller than the row: of a graph in ranks, its `split`."""
    split = np.zeros(graph.n_nodes, NodeId)
    for first, last in cuts(graph.indptr, slice_arcs):
        begin, end = int(graph.indptr[first]), int(graph.indptr[last])
        owner = np.repeat(np.arange(last - first, dtype=NodeId), np.diff(graph.indptr[first : last + 1]))
        smaller = graph.indices[begin:end] < owner + NodeId(first)
        split[first:last] = np.bincount(owner[smaller], minlength=last - first)
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
