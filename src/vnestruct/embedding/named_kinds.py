"""Kinds without a radius: signatures made of 1-balls, core numbers and neighbours, in closed form.

**roles** says what a person sees in a node, each column in nats and on the same scale for every graph:

- ``log_size``: ln n, the nodes of the 1-ball: the node and its neighbours;
- ``gap``: 2 (ln n - S), with S the smallest of Renyi's entropies of the ball: about -2 ln of its density. It is large
  for brokers and hubs, whose neighbours do not know each other, and near 0 in cliques;
- ``log_links``: S = ln(2 m / n), the mean number of links that a node of the ball has inside it;
- ``log_core``: ln(1 + core number) / 2: how deeply the node is embedded in the graph;
- ``neighbours``: the mean of ln n over the neighbours, divided by 3: how well connected they are;
- ``repeats``, where sides are known: 2 ln(1 + 2 B / W), with B the 4-cycles through the node and W the walks of two
  steps that do not return: how often the node shares several neighbours with the same other nodes;
- ``balance``, with direction "out+in": ln((1 + links out) / (1 + links in)) / 2.

**profile** has five entropies of the 1-ball, and their mean and deviation over the neighbours, and those of these:
``size`` (ln n), ``collision`` (-ln Tr rho^2), ``least`` (-ln of the largest eigenvalue of rho), ``quadratic`` (Q) and
``h1`` (the approximate entropy, Q * least). ``least_mean_std`` is the deviation, over the neighbours, of their mean of
``least``.

**noisy** is for graphs with spurious or missing edges. A wrong edge changes few 1-balls, and means over neighbours
dampen the change. ``arrivals`` is ln(1 + the sum over the neighbours of 1 / degree). A step takes the ``mean``, ``std``
or ``max`` over the neighbours, or ``part``: a node's own value over the sum of itself and the largest of its
neighbours'.
"""

from collections.abc import Iterable

import numpy as np

from vnestruct import reference
from vnestruct.embedding import parameters
from vnestruct.embedding.neighbours import neighbour_moments
from vnestruct.embedding.parameters import AGGREGATES, SIZES, Settings
from vnestruct.embedding.plan import rank_graph
from vnestruct.graph import IN, OUT, Graph
from vnestruct.kernels.cores import add_squares, fill_cores
from vnestruct.types import OffsetArray, ValueArray

ROLE_COLUMNS = ("log_size", "gap", "log_links", "log_core", "neighbours")
"""Kind "roles"; then "repeats" where sides are known, or "balance" with both directions."""

ENTROPIES = ("size", "collision", "least", "quadratic", "h1")
"""The entropies of a 1-ball that kinds "profile" and "noisy" are made of."""

PROFILE_STEPS = 2  # how many steps away the 1-balls of kind "profile" may be

NOISY_WEIGHTS = {
    "h1": 1.03, "h1_part": 0.815, "h1_part_max": 0.928, "size_part": 2.54, "arrivals": 0.494, "arrivals_max": 0.294,
    "quadratic": 0.244, "collision_part_std_mean": 3.29, "least_std_mean": 0.642, "least_mean_std": 1.28,
}  # fmt: skip
"""Kind "noisy": a quantity of the 1-ball, the steps taken from it, and a weight; found by a search on noisy rings."""

_UNIT = 2.0**30  # of fixed-point logarithms, whose sums do not depend on the order of the neighbours


def named_columns(settings: Settings) -> list[str]:
    """Return the names of the columns of a named kind."""
    if settings.named == "roles":
        return [*ROLE_COLUMNS, *([settings.extra] if settings.extra else [])]
    if settings.named == "noisy":
        return list(NOISY_WEIGHTS)
    ends = ["" if one == "all" else f"_{one}" for one in settings.directions]
    columns = added = [name + end for end in ends for name in ENTROPIES]
    for _ in range(PROFILE_STEPS):
        added = [f"{name}_{moment}" for moment in AGGREGATES for name in added]
        columns = columns + added
    return columns


def is_role_signature(columns: Iterable[str]) -> bool:
    """Tell whether columns are those of kind "roles", which are in nats."""
    return tuple(columns)[: len(ROLE_COLUMNS)] == ROLE_COLUMNS


def named_rows(graph: Graph, settings: Settings, balls: ValueArray) -> ValueArray:
    """Return the rows of a named kind for all nodes, from the columns of its 1-balls."""
    if settings.named == "roles":
        return _role_rows(graph, settings, balls)
    entropies = _ball_entropies(graph, len(settings.directions), balls)
    if settings.named == "profile":
        return _profile_rows(graph, entropies)
    return _noisy_rows(graph, entropies)


def core_numbers(graph: Graph) -> OffsetArray:
    """Return for each node the largest k such that it is in a subgraph where all degrees are at least k."""
    if graph.n_nodes <= parameters.SMALL_GRAPH:
        return reference.core_numbers(graph)
    core = np.zeros(graph.n_nodes, np.int64)
    fill_cores(graph.indptr, graph.indices, core)
    return core


def square_counts(graph: Graph) -> OffsetArray:
    """Return the number of 4-cycles through each node, of a graph with two sides."""
    if graph.n_nodes <= parameters.SMALL_GRAPH:
        return reference.square_counts(graph)
    ranked = rank_graph(graph)
    squares = np.zeros(graph.n_nodes, np.int64)
    add_squares(ranked.graph.indptr, ranked.graph.indices, squares)
    return squares[ranked.rank]


def neighbour_means(graph: Graph, values: ValueArray) -> ValueArray:
    """Return the mean of values from 0 to 2^33 over each node's neighbours, whatever their order; 0 without any."""
    fixed = np.rint(values * _UNIT).astype(np.int64)
    sums, rows = np.zeros(graph.n_nodes, np.int64), graph.degrees > 0
    if rows.any():
        sums[rows] = np.add.reduceat(fixed[graph.indices], graph.indptr[:-1][rows])
    return sums / (np.maximum(graph.degrees, 1) * _UNIT)


def _role_rows(graph: Graph, settings: Settings, balls: ValueArray) -> ValueArray:
    n_nodes, n_edges = graph.degrees + 1.0, balls[:, SIZES.index("edges")]
    log_size = np.log(n_nodes)
    # A node by itself has no links, and all of its columns are 0.
    log_links = np.log(np.where(n_edges > 0, 2.0 * n_edges / n_nodes, 1.0))
    columns = [
        log_size, 2.0 * (log_size - log_links), log_links,
        np.log1p(core_numbers(graph)) / 2.0, neighbour_means(graph, log_size) / 3.0,
    ]  # fmt: skip
    if settings.extra == "repeats":
        columns.append(2.0 * np.log1p(2.0 * square_counts(graph) / np.maximum(_two_step_walks(graph), 1.0)))
    elif settings.extra == "balance":
        columns.append(np.log((1.0 + arc_counts(graph, OUT)) / (1.0 + arc_counts(graph, IN))) / 2.0)
    return np.column_stack(columns)


def arc_counts(graph: Graph, direction: int) -> ValueArray:
    """Return the number of links of each node in the direction OUT or IN; without directions, of all its links."""
    if graph.directions is None:
        return graph.degrees.astype(np.float64)
    counts = np.concatenate([[0], np.cumsum(graph.directions & direction > 0)])
    return np.diff(counts[graph.indptr]).astype(np.float64)


def _two_step_walks(graph: Graph) -> ValueArray:
    """Return the number of walks of two steps from each node that do not return to it."""
    ends = np.concatenate([[0], np.cumsum(graph.degrees[graph.indices] - 1)])
    return np.diff(ends[graph.indptr]).astype(np.float64)


def _ball_entropies(graph: Graph, n_directions: int, balls: ValueArray) -> ValueArray:
    """Return the `ENTROPIES` of every 1-ball, one group of columns per direction."""
    columns: list[ValueArray] = []
    for approximate, nodes, _, _, quadratic, _ in balls.reshape(graph.n_nodes, 1 + len(SIZES), n_directions).T:
        # H_hat is Q times the least entropy. Q is 0 only for one edge or none, where all entropies are 0.
        least = approximate / np.where(quadratic > 0.0, quadratic, 1.0)
        columns += [np.log1p(nodes - 1.0), -np.log1p(-quadratic), least, quadratic, approximate]
    return np.column_stack(columns)


def _profile_rows(graph: Graph, entropies: ValueArray) -> ValueArray:
    groups = [entropies]
    for _ in range(PROFILE_STEPS):
        groups.append(neighbour_moments(graph, groups[-1], AGGREGATES))
    return np.hstack(groups)


def _noisy_rows(graph: Graph, entropies: ValueArray) -> ValueArray:
    owner = graph.sources
    arrivals = np.bincount(owner, 1.0 / graph.degrees[graph.indices], minlength=graph.n_nodes)
    known = {"arrivals": np.log1p(arrivals)} | dict(zip(ENTROPIES, entropies.T, strict=True))
    for path in NOISY_WEIGHTS:
        quantity, *steps = path.split("_")
        for step in steps:
            before, quantity = quantity, f"{quantity}_{step}"
            if quantity not in known:
                known[quantity] = _over_neighbours(graph, known[before], step)
    return np.column_stack([weight * known[path] for path, weight in NOISY_WEIGHTS.items()])


def _over_neighbours(graph: Graph, values: ValueArray, step: str) -> ValueArray:
    """Take a step; a node without neighbours has 0."""
    if step in ("mean", "std"):
        return neighbour_moments(graph, values[:, None], (step,))[:, 0]
    extremes = np.zeros(graph.n_nodes)
    rows = graph.degrees > 0
    if rows.any():
        extremes[rows] = np.maximum.reduceat(values[graph.indices], graph.indptr[:-1][rows])
    if step == "max":
        return extremes
    both = values + extremes
    return np.divide(values, both, out=np.zeros(graph.n_nodes), where=both > 0.0)
