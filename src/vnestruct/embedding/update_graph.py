"""`update`: the embedding of a changed graph, at the cost of the change.

An edge matters to a node only if both of its ends are in the node's ball: in the old graph for a removed edge, in the
new graph for an added one. Those nodes, found by searching backwards from both ends, are exactly the ones whose ball
has changed. They are embedded again inside the part of the graph that their balls cover.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.embedding import parameters
from vnestruct.embedding.embed_graph import open_run
from vnestruct.embedding.neighbours import entries_of, neighbour_moments, with_neighbours
from vnestruct.embedding.parameters import Settings, checked_settings, is_entropy
from vnestruct.embedding.pipeline import Run, entropy_columns, kernel_columns, signature_matrix
from vnestruct.errors import ParameterError
from vnestruct.graph import IN, OUT, Graph
from vnestruct.graph.edit import Edited, Pair, edit
from vnestruct.io import as_graph
from vnestruct.kernels import regions
from vnestruct.types import BoolArray, IdArray, ValueArray


@dataclass(frozen=True)
class Update:
    """A changed graph, its embedding `H`, and the labels of the nodes whose rows were computed again, or are new."""

    graph: Graph
    H: ValueArray
    changed: npt.NDArray[Any]


def update(
    g: Any, H: npt.ArrayLike, *, added: Iterable[Any] = (), removed: Iterable[Any] = (),
    radius: int | None = None, kind: str | Iterable[str] = "approx", weighted: bool = False, direction: str = "all",
    aggregate: str | Iterable[str] = (), engine: str = "threads", address: str | None = None,
    n_jobs: int | None = None, tol: float = 1e-9,
) -> Update:  # fmt: skip
    """Bring an embedding up to date after edges were added or removed.

    Only rows that can have changed are computed; the result is that of embedding the changed graph from scratch. Kinds
    without a radius, which describe more than balls, are computed for all nodes.

    Parameters
    ----------
    g : graph
        The graph before the change.
    H : array, shape (number of nodes, number of columns)
        Its embedding, made with the same parameters.
    added : iterable of pairs or triples
        Added edges, as labels; unknown labels become new nodes, at the end of the node order. An edge that exists
        already is merged, as when a graph is built.
    removed : iterable of pairs
        Removed edges. Their nodes stay, isolated if need be.
    radius : int, optional
        Largest number of hops; by default derived from the number of columns of `H`.
    kind, weighted, direction, aggregate, engine, address, n_jobs, tol
        As for `embed`; they must be those of `H`.

    Examples
    --------
    >>> import vnestruct
    >>> ring = [(i, (i + 1) % 100) for i in range(100)]
    >>> H = vnestruct.embed(ring, radius=2)
    >>> result = vnestruct.update(ring, H, added=[(0, 50)])
    >>> sorted(result.changed.tolist())
    [0, 1, 49, 50, 51, 99]
    """
    graph = as_graph(g)
    before = np.asarray(H, dtype=np.float64)
    if before.ndim != 2 or before.shape[0] != graph.n_nodes:
        wrong = f"H has shape {before.shape}, but the graph has {graph.n_nodes} nodes: give one row per node"
        raise ParameterError(wrong)
    n_columns, what = before.shape[1], (kind, weighted, direction, aggregate, tol)
    if radius is None and is_entropy(kind):
        radius = max(n_columns // len(checked_settings(1, *what).on(graph).columns), 1)
    settings = checked_settings(radius, *what).on(graph)
    if len(columns := settings.columns) != n_columns:
        made = f"{len(columns)} ({', '.join(columns[:4])}, ...): pass the parameters H was made with"
        raise ParameterError(f"H has {n_columns} columns, but these parameters make {made}")
    with open_run(graph, settings, engine=engine, address=address, n_jobs=n_jobs) as run:
        change = edit(graph, added, removed)
        after = change.graph
        values = np.full((after.n_nodes, n_columns), np.nan)
        values[: graph.n_nodes] = before
        if settings.named is None:
            rows = _refresh(graph, values, change, settings, run)
        else:
            # What is said of neighbours and of the whole graph costs little more than 1-balls, for all nodes.
            found = signature_matrix(after, settings, None, run)
            rows, values = np.flatnonzero((found != values).any(axis=1)), found
    return Update(after, values, rows.astype(np.int64) if after.has_plain_labels else after.nodes[rows])


def _refresh(graph: Graph, values: ValueArray, change: Edited, settings: Settings, run: Run) -> npt.NDArray[np.intp]:
    """Compute again what the change affects, and return those rows."""
    after = change.graph
    affected = np.zeros(after.n_nodes, bool)
    affected[graph.n_nodes :] = True
    for direction in settings.directions:
        _mark_affected(graph, change, direction, settings, affected)
    n_base = len(settings.base_columns)
    rows = np.flatnonzero(affected)
    if rows.size:
        values[rows, :n_base] = recomputed(after, rows, settings, run)
    if settings.aggregates:
        # Means change where the row of a neighbour or the set of neighbours changes.
        ends = np.array(list(change.changes), dtype=np.int64).ravel()
        rows = np.flatnonzero(with_neighbours(after, np.union1d(rows, ends)))
        if rows.size:
            values[rows, n_base:] = neighbour_moments(after, values[:, :n_base], settings.aggregates, rows)
    return rows


def _mark_affected(graph: Graph, change: Edited, direction: str, settings: Settings, affected: BoolArray) -> None:
    """Mark the nodes whose ball has changed."""
    before: list[Pair] = []
    after: list[Pair] = []
    for pair, (old, new) in change.changes.items():
        if settings.weighted or any(old) != any(new):
            before += [pair] if any(old) else []
            after += [pair] if any(new) else []
        elif direction != "all":
            # Neighbours before and after: only what can be reached has changed.
            for i, ends in enumerate((pair, pair[::-1])):
                if bool(old[i]) != bool(new[i]):
                    graphs = (change.graph, graph) if new[i] else (graph, change.graph)
                    _mark_reach(*graphs, ends, direction, settings.radius, affected)
    affected[: graph.n_nodes] |= affected_by(graph, before, direction, settings.radius)
    affected |= affected_by(change.graph, after, direction, settings.radius)


def _mark_reach(with_arc: Graph, without: Graph, ends: Pair, direction: str, radius: int, affected: BoolArray) -> None:
    """Mark the nodes that reach one end of an arc sooner, through its other end, with the arc than without."""
    tail, head = ends[::-1] if direction == "in" else ends
    near, nodes = _levels(with_arc, [tail], direction, radius - 1, backwards=True)
    far, _ = _levels(without, [head], direction, radius, backwards=True)
    # Nodes that one of the graphs lacks are new, and marked already.
    nodes = nodes[nodes < far.size]
    affected[nodes[(far[nodes] < 0) | (far[nodes] > near[nodes] + 1)]] = True


def _levels(
    graph: Graph, sources: npt.ArrayLike, direction: str, radius: int, *, backwards: bool
) -> tuple[IdArray, IdArray]:
    """Return the hops between every node and the nearest of `sources` (-1 past `radius`), and the nodes within."""
    levels, queue = np.full(graph.n_nodes, -1, np.int32), np.empty(graph.n_nodes, np.int32)
    arcs = _arcs(graph, direction, backwards=backwards)
    count = regions.mark_levels(*arcs, np.asarray(sources, np.int64), radius, levels, queue)
    return levels, queue[:count]


def affected_by(graph: Graph, pairs: Sequence[Pair] | IdArray, direction: str, radius: int) -> BoolArray:
    """Return which nodes have both ends of one of `pairs` in their ball."""
    affected = np.zeros(graph.n_nodes, bool)
    if len(pairs):
        arcs = _arcs(graph, direction, backwards=True)
        regions.mark_affected(*arcs, np.array(pairs, np.int64), radius, affected)
    return affected


def _arcs(graph: Graph, direction: str, *, backwards: bool) -> tuple[Any, ...]:
    """Return offsets, ends, flags and bit of the arcs that a search follows along `direction`, or backwards."""
    if graph.directions is None or direction == "all":
        return graph.indptr, graph.indices, None, np.uint8(OUT)
    return graph.indptr, graph.indices, graph.directions, np.uint8(OUT if (direction == "out") != backwards else IN)


def recomputed(graph: Graph, rows: npt.NDArray[np.intp], settings: Settings, run: Run) -> ValueArray:
    """Return the entropy columns of `rows`, computed inside the part of the graph that their balls cover."""
    if graph.n_nodes <= parameters.SMALL_GRAPH:
        return entropy_columns(graph, settings, np.ones(graph.n_nodes, bool), run)[rows]
    covered = np.zeros(graph.n_nodes, bool)
    for direction in settings.directions:
        covered[_levels(graph, rows, direction, settings.radius, backwards=False)[1]] = True
    part, place = np.flatnonzero(covered), np.full(graph.n_nodes, -1, np.int32)
    place[part] = np.arange(part.size)
    entries = entries_of(graph, part)
    inside = covered[graph.indices[entries]]
    indptr = np.append(0, np.cumsum(inside))[np.append(0, np.cumsum(graph.degrees[part]))]
    entries = entries[inside]
    weights, directions = (None if flags is None else flags[entries] for flags in (graph.weights, graph.directions))
    local = Graph._trusted(indptr, place[graph.indices[entries]], weights, None, directions)
    wanted = np.zeros(part.size, bool)
    wanted[place[rows]] = True
    return kernel_columns(local, settings, wanted, run)[wanted]
