"""The back end for graphs of which only the nodes fit into memory.

Arcs stay in mapped files, and the graph is rewritten in ranks slice by slice, into files that are mapped in turn.
Memory is taken for the nodes and for one slice of arcs. Row r of the graph in ranks holds the ranks of the neighbours
of node ``node[r]``, ascending; nodes of equal degree keep their order, so a slice sweeps through the file.
"""

import secrets
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from vnestruct.embedding.backends import BackendRequest, Submit
from vnestruct.embedding.backends.threads import ThreadsBackend, at_once
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked, frozen
from vnestruct.embedding.radius_one import UpwardArcs, radius_one
from vnestruct.errors import Message, Parameter, ParameterError, TooLargeError
from vnestruct.files.strays import temporary_folder
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph, read_vng
from vnestruct.io.vng_layout import write_vng_rows
from vnestruct.kernels import ranking
from vnestruct.kernels.workspace import Arcs, RankedGraph
from vnestruct.types import IdArray, NodeId, OffsetArray, ValueArray

PROGRAM_BYTES = 250 << 20  # the interpreter, its libraries and compiled kernels
SLICE_ARCS = 1 << 21  # arcs of a slice where memory is not limited
_LEAST_SLICE_ARCS = 1 << 16
_ARC_BYTES = 48  # bytes per arc while a slice of the graph is rewritten
_FIRST_BYTES = 100  # bytes per node while radius 1 is computed, and 4 more per thread
_PLAN_BYTES = 130  # bytes per node while a plan is made, 24 more per column, and 32 more per worker


@dataclass(frozen=True)
class Budget:
    """A limit in bytes, and a folder on disk for what does not fit.

    The limit counts memory of the process's own. Pages of mapped files come on top only while nobody else needs them:
    the system takes them back at any time.
    """

    limit: int
    folder: Path

    def room(self, taken: int, what: str) -> int:
        """Return the bytes left when `taken` are; a `TooLargeError` says how many are needed."""
        need = PROGRAM_BYTES + taken + _ARC_BYTES * _LEAST_SLICE_ARCS
        if need > self.limit:
            wrong = f"{what} needs {need / 1e6:,.0f} MB of memory, more than the limit of {self.limit / 1e6:,.0f} MB"
            raise TooLargeError(Message(wrong, "; raise the limit, or use fewer threads (", Parameter("n_jobs"), ")"))
        return self.limit - PROGRAM_BYTES - taken

    def slice_arcs(self, room: int) -> int:
        """Return how many arcs to rewrite at a time."""
        return int(min(max(room // _ARC_BYTES, _LEAST_SLICE_ARCS), SLICE_ARCS))

    def zeros(self, length: int, room: int) -> IdArray:
        """Return int32 zeros: in memory if they take at most `room` bytes, else in a file."""
        if 4 * length <= room or not length:
            return np.zeros(length, np.int32)
        path = self.folder / f"counts-{secrets.token_hex(4)}"
        counts = np.asarray(np.memmap(path, np.int32, "w+", shape=(length,)))
        # The mapping keeps the content; without a name it is gone with the process, however that ends.
        path.unlink()
        return counts


class OutOfCoreBackend:
    """Keeps what grows with the edges in files, and has another back end run the blocks.

    The request has the memory limit, and a graph that is mapped from a file.
    """

    def __init__(self, inner: ThreadsBackend, request: BackendRequest) -> None:
        if not isinstance(request.graph, MappedGraph):
            wrong = " needs a graph that is mapped from a .vng file; convert it first"
            raise ParameterError(Message(Parameter("max_memory"), wrong))
        assert request.max_memory is not None
        self._inner = inner
        self._files = ExitStack()
        folder = self._files.enter_context(temporary_folder(Path(tempfile.gettempdir())))
        self.budget = Budget(request.max_memory, folder)
        self.fingerprint, self.machine, self.threads = inner.fingerprint, inner.machine, inner.threads
        self.run, self.workers = inner.run, inner.workers

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Ranked:
        """Rewrite a graph in ranks, in a file if it is plain."""
        plain = is_plain(graph, settings, direction)
        n_workers = self._inner.n_workers
        taken = graph.n_nodes * (_PLAN_BYTES + 24 * len(settings.base_columns) + 32 * n_workers)
        if not plain:
            # Weights and directions are rewritten in memory, together with what they are made from.
            taken += graph.indices.size * (32 if settings.weighted else 12)
        room = self.budget.room(taken, "this graph")
        if plain and isinstance(graph, MappedGraph):
            folder = self._inner.plans or self.budget.folder
            ranked = ranked_from_file(graph, folder, self.budget.slice_arcs(room))
        else:
            ranked = self._inner.rank(graph, settings, direction)
        return ranked._replace(may_collapse=self._inner.may_collapse, limit=room // n_workers)

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Ranked | None = None) -> ValueArray:
        """Return radius 1 of every node of a plain graph: by rank if the graph is given in ranks, else by node."""
        assert isinstance(graph, MappedGraph)
        per_node = _FIRST_BYTES + 16 * (len(outputs) - 1) + 4 * self.threads.n_workers
        room = self.budget.room(graph.n_nodes * per_node, "radius 1 of this graph")
        arcs = upward_arcs(graph, self.budget, room)
        graph.release()
        values = radius_one(arcs, outputs, self.threads, self.budget.zeros(arcs.indices.size, room))
        return values[arcs.rank] if ranked is None else values

    def background(self) -> AbstractContextManager[Submit]:
        """Run one function after the other: each has its own peak of memory."""
        return nullcontext(at_once)

    def close(self) -> None:
        """Remove the files."""
        self._inner.close()
        self._files.close()


def is_plain(graph: Graph, settings: Settings, direction: str) -> bool:
    """Tell whether a graph in ranks is nothing but its arcs."""
    return not settings.weighted and (direction == "all" or not graph.directed)


def has_ranked_file(graph: Graph) -> bool:
    """Tell whether a graph is mapped from a file that is in ranks as it is: nodes by descending degree."""
    degrees = np.diff(graph.indptr)
    return isinstance(graph, MappedGraph) and graph.path is not None and bool((degrees[1:] <= degrees[:-1]).all())


def ranked_from_file(graph: Graph, folder: Path | None, slice_arcs: int = SLICE_ARCS) -> Ranked:
    """Return a plain graph in ranks, with its arcs in a .vng file: its own if it is in ranks, else one in `folder`."""
    rank, node = (frozen(array) for array in ranking.rank_by_degree(graph.indptr))
    source = graph
    if not has_ranked_file(graph):
        assert folder is not None
        path = folder / f"ranked-{graph.hash}.vng"
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            write_vng_rows(path, *ranked_rows(graph, rank, node, slice_arcs))
        source = read_vng(path, verify=False)
    split = frozen(count_upward(source, slice_arcs))
    arcs = Arcs(source.indptr, source.indices)
    assert isinstance(source, MappedGraph)
    assert source.path is not None
    return Ranked(rank, node, RankedGraph(*arcs, split, None, None), arcs, None, str(source.path.absolute()))


def ranked_rows(
    graph: Graph, rank: IdArray, node: IdArray, slice_arcs: int, *, upward: bool = False
) -> tuple[OffsetArray, Iterator[IdArray]]:
    """Return the row offsets of the graph in ranks, and its rows in slices; with `upward` only smaller neighbours.

    Offsets of `upward` rows are known once all slices have been taken.
    """
    offsets = np.zeros(graph.n_nodes + 1, np.int64)
    np.cumsum(np.diff(graph.indptr)[node], out=offsets[1:])
    lengths = np.zeros_like(offsets) if upward else None
    return offsets if lengths is None else lengths, _slices(graph, rank, node, offsets, slice_arcs, lengths)


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


def upward_arcs(graph: MappedGraph, budget: Budget, room: int) -> UpwardArcs:
    """Return the arcs to larger degree alone, in a file: what radius 1 needs."""
    rank, node = (frozen(array) for array in ranking.rank_by_degree(graph.indptr))
    path = budget.folder / f"upward-{secrets.token_hex(4)}"
    offsets, rows = ranked_rows(graph, rank, node, budget.slice_arcs(room), upward=True)
    with path.open("wb") as file:
        for part in rows:
            file.write(part.data)
    n_arcs = int(offsets[-1])
    indices = np.asarray(np.memmap(path, NodeId, "r", shape=(n_arcs,))) if n_arcs else np.empty(0, NodeId)
    path.unlink()
    split = frozen(np.diff(offsets).astype(np.int32))
    return UpwardArcs(rank, frozen(offsets), frozen(indices), split, frozen(np.diff(graph.indptr)[node]))


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
