"""What all nodes of a graph have in common, computed once and shared by every block.

A plan holds the graph in ranks, the arcs that a search follows, the nodes that must be worked on (leaves and twins
follow from others), their order, their cost, and what is known in closed form.
"""

from bisect import bisect_left
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from vnestruct.errors import EngineError, GraphFormatError, ParameterError
from vnestruct.graph import IN, OUT, Graph
from vnestruct.graph.validate import reverse_entries
from vnestruct.kernels import ranking, reductions
from vnestruct.kernels.ranking import SERIAL, Parallel
from vnestruct.kernels.workspace import Arcs, Components, RankedGraph
from vnestruct.lazy import load
from vnestruct.types import BoolArray, FlagArray, IdArray, NodeId, OffsetArray, ValueArray

_Number = TypeVar("_Number", bound=np.generic)

_FEW_TWINS = 0.05  # share of nodes that must have a twin to stand for them, or each node stands for itself
_FEW_NODES = 256  # nodes below which work needs no order, costs or shorter rows: compiling what finds them takes longer


class Plan(NamedTuple):
    """A graph made ready for kernels. All ids are ranks; ``rank`` and ``node`` translate.

    `rank_graph` rewrites the graph, `plan_ranked` finds out what follows from it.
    """

    rank: IdArray
    node: IdArray
    graph: RankedGraph
    search: Arcs
    flags: FlagArray | None = None  # direction bits per entry, seen from the other end, if balls follow them
    scale: float = 1.0  # the unit of the weights in `graph`
    file: str | None = None  # the .vng file that holds `graph` and `search`, if one does: other processes open it too
    limit: int | None = None  # bytes that each worker may take for local graphs
    parallel: Parallel = SERIAL  # of planning
    leader: IdArray = np.empty(0, NodeId)
    """Node whose signature a node shares: itself, or its twin of smallest rank. Unused for leaves."""
    leaf_of: IdArray = np.empty(0, NodeId)  # for a leaf (of the search), its only neighbour; -1 for other nodes
    components: Components = Components(np.empty(0, NodeId), np.empty(0, np.int64), np.empty(0))
    """Read-only but for `largest`, which threads fill in without a lock. That is harmless: a cell is an aligned
    float64, which hardware reads and writes whole; it goes from NaN to one value and stays; all threads compute that
    value to the same bits, since it depends on nothing but the component; one that still reads NaN computes it."""
    is_short: bool = False  # whether rows lack the nodes with 0 copies

    def __reduce__(self) -> tuple[Any, ...]:
        # Another process maps the file again, and finds what is known of whole components again, to the same bits.
        bare = self._replace(flags=None, parallel=SERIAL)
        arcs: tuple[Any, ...] = (self.graph, self.search)
        if self.file is not None:
            arcs = self.graph._replace(indptr=None, indices=None), None  # type: ignore[arg-type]
        return unpacked_plan, tuple(bare._replace(graph=arcs[0], search=arcs[1]))

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return self.rank.size

    def required(self, wanted: BoolArray) -> BoolArray:
        """Return which nodes must be worked on so that all `wanted` ones follow."""
        required: BoolArray = self.leader == np.arange(self.n_nodes, dtype=NodeId)
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

    def in_order(self, required: BoolArray) -> IdArray:
        """Return the required nodes in the order they are worked on."""
        nodes = np.flatnonzero(required).astype(NodeId)
        if self.n_nodes >= _FEW_NODES:
            nodes = reductions.order_by_neighbours(*self.search, self.graph.copies, nodes, self.parallel)
        return read_only(nodes)

    def costs(self, nodes: IdArray, radius: int) -> ValueArray:
        """Return the estimated cost of the balls of `nodes`."""
        if self.n_nodes < _FEW_NODES:
            return np.ones(nodes.size)
        copies = None if self.is_short else self.graph.copies
        costs = reductions.ball_costs(*self.search, copies, radius, self.parallel)
        costs += 1.0
        return self.parallel.take(costs, nodes)


def read_only(array: npt.NDArray[_Number]) -> npt.NDArray[_Number]:
    """Make an array read-only: kernels compile for read-only input alone, so that each compiles once."""
    array.flags.writeable = False
    return array


def rank_graph(graph: Graph, *, weighted: bool = False, direction: str = "all", parallel: Parallel = SERIAL) -> Plan:
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
    return Plan(rank, node, RankedGraph(indptr, indices, split, weights, None), search, flags, scale, parallel=parallel)


def plan_ranked(ranked: Plan, *, reduce_leaves: bool, collapse: bool = False, with_components: bool = True) -> Plan:
    """Find out which nodes of a ranked graph must be worked on.

    With `reduce_leaves`, the (r-1)-ball of a leaf's neighbour may stand for the r-ball of the leaf. With `collapse`,
    one row may stand for all its twins inside balls. That takes an unweighted graph, balls that follow all edges, and
    radius 1 known beforehand. Components can be left to another thread: there are none in a plan without them.
    """
    indptr, indices = ranked.graph.indptr, ranked.graph.indices
    leaf_of = np.full(ranked.n_nodes, -1, NodeId)
    if reduce_leaves and ranked.flags is None:
        # Ranks descend by degree: the leaves are the last before the nodes without edges.
        end = int(np.searchsorted(indptr, indices.size))
        begin = bisect_left(range(end), indices.size - end, key=lambda r: indptr[r] - r)
        leaf_of[begin:end] = indices[indptr[begin] :]
    leader, copies = _twins(ranked, read_only(leaf_of), collapse)
    plan = ranked._replace(leader=leader, leaf_of=leaf_of, graph=ranked.graph._replace(copies=copies))
    if copies is not None and copies.size >= _FEW_NODES and ranked.file is None:
        # The same ids: whether the rows of the others are there changes no bit. A file is left as it is.
        rows, columns, split = reductions.rows_of_leaders(indptr, indices, copies, ranked.parallel)
        search = Arcs(read_only(rows), read_only(columns))
        plan = plan._replace(graph=RankedGraph(*search, read_only(split), None, copies), search=search, is_short=True)
    return plan._replace(components=find_components(ranked)) if with_components else plan


def unpacked_plan(*fields: Any) -> Plan:
    """Make a plan from its parts in another process; a graph that stayed behind is mapped from its file."""
    plan = Plan(*fields)
    if plan.file is not None:
        try:
            mapped = load("vnestruct.io.vng:read_vng")(plan.file, verify=False)
        except GraphFormatError as error:
            raise EngineError(f"{error}; workers need it on storage that all machines share") from error
        search = Arcs(mapped.indptr, mapped.indices)
        graph = plan.graph._replace(indptr=mapped.indptr, indices=mapped.indices)
        plan = plan._replace(search=search, graph=graph)
    return plan._replace(components=_unfilled(*plan.components[:2]))


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


def _twins(ranked: Plan, leaf_of: IdArray, collapse: bool) -> tuple[IdArray, IdArray | None]:
    """Return (leader of each node, copies of each node as in `RankedGraph`)."""
    graph, parallel = ranked.graph, ranked.parallel
    leader = np.arange(ranked.n_nodes, dtype=NodeId)
    copies = np.ones_like(leader)
    # Leaves need no leader of their own, but those of one neighbour are twins inside balls.
    skipped = read_only(np.full(leaf_of.size, -1, NodeId)) if collapse else leaf_of
    keys = reductions.neighbourhood_keys(graph.indptr, graph.indices, parallel)
    rows = reductions.TwinRows(graph.indptr, graph.indices, graph.weights, ranked.flags, skipped)

    def join(closed: bool, one: int) -> None:
        reductions.join_twins(rows, keys[closed], closed, one, parallel.number, leader, copies)

    # Both sorts at once: no node has twins of both, of which one would be joined to the other.
    parallel.map(join, [False] * parallel.number + [True] * parallel.number, [*range(parallel.number)] * 2)
    few = not collapse or np.count_nonzero(copies == 0) < _FEW_TWINS * copies.size
    return read_only(leader), None if few else read_only(copies)


def find_components(ranked: Plan) -> Components:
    """Return the components of a graph in ranks."""
    of, size = reductions.label_components(ranked.graph.indptr, ranked.graph.indices)
    return _unfilled(read_only(of), read_only(size))


def _unfilled(of: IdArray, size: OffsetArray) -> Components:
    # Values are filled in by whoever meets a whole component first: all compute the same bits.
    return Components(of, size, np.full(size.size, np.nan))
