"""What all nodes of a graph have in common, computed once and shared by every block.

A plan holds the graph in ranks, the arcs that a search follows, the nodes that must be worked on (leaves and twins
follow from others), their order, their cost, and what is known in closed form.
"""

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from vnestruct import io
from vnestruct.errors import EngineError, GraphFormatError, ParameterError
from vnestruct.graph import IN, OUT, Graph
from vnestruct.graph.validate import reverse_entries
from vnestruct.kernels import ranking, reductions
from vnestruct.kernels.workspace import Arcs, Components, RankedGraph
from vnestruct.sharing import SERIAL, Parallel
from vnestruct.types import IdArray, NodeId, OffsetArray, ValueArray

_Number = TypeVar("_Number", bound=np.generic)

ORDER_DEPTH = 3  # neighbours that decide which nodes are worked on side by side
_FEW_TWINS = 0.05  # share of nodes that must have a twin to stand for them, or each node stands for itself
_FEW_NODES = 256  # nodes below which work needs no order, costs or shorter rows: compiling what finds them takes longer


class Ranked(NamedTuple):
    """A graph in ranks; ``rank`` and ``node`` translate between nodes and ranks."""

    rank: IdArray
    node: IdArray
    graph: RankedGraph
    search: Arcs
    flags: npt.NDArray[np.uint8] | None  # direction bits per entry, seen from the other end, if balls follow them
    file: str | None = None  # the .vng file that holds the graph in ranks, where one does
    limit: int | None = None  # bytes that each worker may take for local graphs
    may_copy: bool = True  # whether there is memory for a second copy, without the rows of twins
    scale: float = 1.0  # the unit of the weights in `graph`
    order_depth: int = ORDER_DEPTH
    parallel: Parallel = SERIAL  # of planning
    device: Any = None  # `kernels.cuda.DeviceRows`, which plan instead of the CPU, and return None where they cannot


@dataclass(frozen=True)
class Plan:
    """A graph made ready for kernels. All ids are ranks; ``rank`` and ``node`` translate."""

    rank: IdArray
    node: IdArray
    graph: RankedGraph
    search: Arcs
    leader: IdArray
    """Node whose signature a node shares: itself, or its twin of smallest rank. What leads a leaf does not matter."""
    leaf_of: IdArray  # for a leaf (of the search), its only neighbour; -1 for other nodes
    components: Components
    """Read-only but for `largest`, which threads fill in without a lock. That is harmless: a cell is an aligned
    float64, which hardware reads and writes whole; it goes from NaN to one value and stays; all threads compute that
    value to the same bits, since it depends on nothing but the component; one that still reads NaN computes it."""
    file: str | None = None  # the .vng file that holds `graph` and `search`, if one does: other processes open it too
    scale: float = 1.0  # the unit of the weights in `graph`
    parallel: Parallel = SERIAL  # of planning
    device: Any = None  # as in `Ranked`; stays behind when a plan goes to another process
    is_short: bool = False  # whether rows lack the nodes with 0 copies

    def __reduce__(self) -> tuple[Any, ...]:
        arcs = (self.graph, self.search) if self.file is None else (self.graph.split, self.graph.copies)
        nodes = (self.rank, self.node, self.leader, self.leaf_of)
        return unpacked_plan, (nodes, self.components[:2], self.file, self.scale, *arcs)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.rank.size

    def required(self, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Return which nodes must be worked on so that all `wanted` ones follow."""
        required: npt.NDArray[np.bool_] = self.leader == np.arange(self.n_nodes, dtype=NodeId)
        if not wanted.all():
            required[:] = False
            centres = np.flatnonzero(wanted)
            centres = np.where(self.leaf_of[centres] >= 0, self.leaf_of[centres], centres)
            # The host of a leaf is a leaf itself in an isolated edge only: then radius 1 says it all.
            required[self.leader[centres]] = True
        has_edges = np.diff(self.graph.indptr) > 0
        if self.graph.copies is not None:
            # A clique that is a component has left one node, joined to the twins it stands for alone.
            has_edges |= self.graph.copies < 0
        return required & (self.leaf_of < 0) & has_edges

    def in_order(self, required: npt.NDArray[np.bool_], depth: int = ORDER_DEPTH) -> IdArray:
        """Return the required nodes in the order they are worked on, by `depth` neighbours."""
        nodes = np.flatnonzero(required).astype(NodeId)
        if self.n_nodes >= _FEW_NODES and depth:
            nodes = reductions.order_by_neighbours(*self.search, self.graph.copies, nodes, depth, self.parallel)
        return read_only(nodes)

    def costs(self, nodes: IdArray, radius: int) -> ValueArray:
        """Return the estimated cost of the balls of `nodes`."""
        if self.n_nodes < _FEW_NODES:
            return np.ones(nodes.size)
        costs = None if self.device is None else self.device.ball_costs(self.graph.copies, radius)
        if costs is None:
            copies = None if self.is_short else self.graph.copies
            costs = reductions.ball_costs(*self.search, copies, radius, self.parallel)
        costs += 1.0
        return self.parallel.take(costs, nodes)


def read_only(array: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Make an array read-only: kernels compile for read-only input alone, so that each compiles once."""
    array.flags.writeable = False
    return array


def rank_graph(graph: Graph, *, weighted: bool = False, direction: str = "all", parallel: Parallel = SERIAL) -> Ranked:
    """Rewrite a graph in ranks of degree; balls follow "all" arcs, or those of the direction "out" or "in"."""
    arcs = graph.indptr, graph.indices
    rank, node = map(read_only, ranking.rank_by_degree(graph.indptr))
    rows, columns, splits = ranking.ranked_rows(*arcs, rank, node, parallel)
    indptr, indices, split = read_only(rows), read_only(columns), read_only(splits)
    search, weights, flags, scale = Arcs(indptr, indices), None, None, 1.0
    if weighted:
        values, scale = pair_weights(graph)
        weights = read_only(ranking.ranked_values(*arcs, values, rank, node, indptr))
    if graph.directions is not None and direction != "all":
        # Flags arrive as the other end sees them, so OUT and IN trade places.
        flags = read_only(ranking.ranked_values(*arcs, graph.directions, rank, node, indptr))
        rows, columns = ranking.chosen_arcs(indptr, indices, flags, IN if direction == "out" else OUT)
        search = Arcs(read_only(rows), read_only(columns))
    rows_in_ranks = RankedGraph(indptr, indices, split, weights, None)
    return Ranked(rank, node, rows_in_ranks, search, flags, scale=scale, parallel=parallel)


def plan_ranked(ranked: Ranked, *, reduce_leaves: bool, collapse: bool = False, with_components: bool = True) -> Plan:
    """Find out which nodes of a ranked graph must be worked on.

    With `reduce_leaves`, the (r-1)-ball of a leaf's neighbour may stand for the r-ball of the leaf. With `collapse`,
    one row may stand for all its twins inside balls. That takes an unweighted graph, balls that follow all edges, and
    radius 1 known beforehand. Components can be left to another thread: there are none in a plan without them.
    """
    indptr, indices = ranked.graph.indptr, ranked.graph.indices
    leaf_of = np.full(ranked.rank.size, -1, np.int32)
    if reduce_leaves and ranked.flags is None:
        # Ranks descend by degree: the leaves are the last before the nodes without edges.
        end = int(np.searchsorted(indptr, indices.size))
        begin = bisect_left(range(end), indices.size - end, key=lambda r: indptr[r] - r)
        leaf_of[begin:end] = indices[indptr[begin] :]
    read_only(leaf_of)
    leader, copies = _twins(ranked, leaf_of, collapse)
    graph = ranked.graph._replace(copies=copies)
    search, is_short = ranked.search, False
    if copies is not None and copies.size >= _FEW_NODES and ranked.file is None and ranked.may_copy:
        # The same ids: whether the rows of the others are there changes no bit. A file is left as it is.
        rows, columns, split = reductions.rows_of_leaders(indptr, indices, copies, ranked.parallel)
        search, is_short = Arcs(read_only(rows), read_only(columns)), True
        graph = RankedGraph(*search, read_only(split), None, copies)
    found = find_components(ranked) if with_components else _unfilled(leader[:0], indptr[:0])
    known = found, ranked.file, ranked.scale, ranked.parallel, ranked.device, is_short
    return Plan(ranked.rank, ranked.node, graph, search, leader, leaf_of, *known)


def unpacked_plan(
    nodes: tuple[IdArray, ...], components: tuple[IdArray, OffsetArray], file: str | None, scale: float, *arcs: Any
) -> Plan:
    """Make a plan from its parts, here or in another process: its graph comes along, or is mapped from its file."""
    if file is None:
        graph, search = arcs
    else:
        try:
            mapped = io.read_vng(file, verify=False)
        except GraphFormatError as error:
            raise EngineError(f"{error}; workers need it on storage that all machines share") from error
        search = Arcs(mapped.indptr, mapped.indices)
        split, copies = arcs
        graph = RankedGraph(mapped.indptr, mapped.indices, split, None, copies)
    # What is known of whole components is found again, to the same bits: what is shared can only be read.
    rank, node, leader, leaf_of = nodes
    return Plan(rank, node, graph, search, leader, leaf_of, _unfilled(*components), file, scale)


def pair_weights(graph: Graph) -> tuple[ValueArray, float]:
    """Return one weight per pair of neighbours, at most 1, and their unit: a power of two, so that it costs no bit.

    Of a directed graph, the weights of both directions are added. Few entropies depend on the unit; without it squares
    would overflow or vanish.
    """
    if graph.weights is None:
        remedy = "name the weight column or attribute when building it (`weight=...`), or leave out `weighted`"
        raise ParameterError(f"`weighted=True`, but the graph has no weights: {remedy}")
    _, exponent = np.frexp(graph.weights.max(initial=0.0))
    exponent = min(int(exponent), 1022)  # twice the unit is still a number
    total: ValueArray = np.ldexp(graph.weights, -exponent)
    scale = np.ldexp(1.0, exponent)
    if graph.directions is not None:
        total = 0.5 * (total + total[reverse_entries(graph.indptr, graph.indices)])
        scale *= 2.0
    return read_only(total), float(scale)


def _twins(ranked: Ranked, leaf_of: IdArray, collapse: bool) -> tuple[IdArray, IdArray | None]:
    """Return (leader of each node, copies of each node as in `RankedGraph`)."""
    # Leaves need no leader of their own, but those of one neighbour are twins inside balls.
    skipped = read_only(np.full(leaf_of.size, -1, np.int32)) if collapse else leaf_of
    found = None if ranked.device is None else ranked.device.twins(leaves=skipped.max(initial=-1) < 0)
    leader, copies = _join_twins(ranked, skipped) if found is None else found
    few = not collapse or np.count_nonzero(copies == 0) < _FEW_TWINS * copies.size
    return read_only(leader), None if few else read_only(copies)


def _join_twins(ranked: Ranked, skipped: IdArray) -> tuple[IdArray, IdArray]:
    graph, parallel = ranked.graph, ranked.parallel
    leader = np.arange(graph.indptr.size - 1, dtype=np.int32)
    copies = np.ones_like(leader)
    keys = reductions.neighbourhood_keys(graph.indptr, graph.indices, parallel)
    rows = (graph.indptr, graph.indices, graph.weights, ranked.flags, skipped)

    def join(closed: bool, one: int) -> None:
        reductions.join_twins(*rows, keys[closed], closed, one, parallel.number, leader, copies)

    # Both sorts at once: no node has twins of both, of which one would be joined to the other.
    parallel.map(join, [False] * parallel.number + [True] * parallel.number, [*range(parallel.number)] * 2)
    return leader, copies


def find_components(ranked: Ranked) -> Components:
    """Return the components of a graph in ranks."""
    of, size = reductions.label_components(ranked.graph.indptr, ranked.graph.indices)
    return _unfilled(read_only(of), read_only(size))


def _unfilled(of: IdArray, size: OffsetArray) -> Components:
    # Values are filled in by whoever meets a whole component first: all compute the same bits.
    return Components(of, size, np.full(size.size, np.nan))
