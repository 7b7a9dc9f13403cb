"""What is unusual: periods unlike those before them, and nodes whose entropies do not fit their neighbourhood."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from scipy.spatial import cKDTree

from vnestruct.embedding import embed
from vnestruct.embedding.named_kinds import neighbour_means
from vnestruct.embedding.neighbours import neighbour_groups
from vnestruct.embedding.parameters import SIZES
from vnestruct.errors import ParameterError, whole_number
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.types import ArrayLike, ValueArray

_PEERS = 50  # nodes with the most similar neighbourhoods, by which a node is judged
_LEAST_SPREAD = 0.05  # ordinary variation, however alike peers are; of periods, as a share of the mean


def change_scores(values: ArrayLike, *, short: int = 7, long: int = 14) -> ValueArray:
    """Score each period by how much more it deviates from the periods before it than its predecessor did.

    The deviation of a column is its distance from the mean of a context, in units of the context's spread; columns are
    scaled to the same variance over all periods and combined by the Euclidean norm. The larger of the deviations from a
    short and a long context counts. The score is its increase over the period before, or 0.

    Parameters
    ----------
    values : array of float, shape (number of periods, number of columns)
        What describes each period, such as the entropies of the whole graph (`Period.entropies`).
    short, long : int, default 7 and 14
        Number of periods before a period that are its contexts. The first `long` scores are 0.

    Returns
    -------
    ndarray of float64, shape (number of periods,)

    Examples
    --------
    >>> import numpy as np
    >>> from vnestruct.live import change_scores
    >>> values = [[1.0], [1.1], [1.0], [1.1], [1.0], [2.0], [2.1]]
    >>> int(np.argmax(change_scores(values, short=2, long=3)))
    5
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ParameterError(f"`values` must be one row of finite numbers per period, not of shape {table.shape}")
    contexts = [whole_number("short", short, 1), whole_number("long", long, 1)]
    deviations = np.max([_deviations(table, size) for size in contexts], axis=0)
    deviations[: max(contexts)] = 0.0
    return cast(ValueArray, np.maximum(np.diff(deviations, prepend=0.0), 0.0))


def _deviations(table: ValueArray, size: int) -> ValueArray:
    """Return how far each period is from the mean of as many periods before it."""
    units = np.zeros_like(table)
    for t in range(size, len(table)):
        context = table[t - size : t]
        mean = context.mean(axis=0)
        spread = context.std(axis=0) + _LEAST_SPREAD * np.abs(mean)
        away = np.abs(table[t] - mean)
        units[t] = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0.0)
    scale = units.std(axis=0)
    units /= np.where(scale > 0.0, scale, 1.0)
    return cast(ValueArray, np.sqrt((units**2).sum(axis=1)))


@dataclass(frozen=True)
class Anomaly:
    """A node that is unlike nodes with a neighbourhood of the same size."""

    node: Any
    """Its label."""
    score: float
    """How far it is from its peers, in units of their spread."""
    sentence: str
    """In what it is unusual."""


def anomalies(g: Any, *, top: int = 10) -> list[Anomaly]:
    """Return the nodes of a graph that are most unusual, the most unusual first.

    Parameters
    ----------
    g : graph
        Anything `as_graph` takes.
    top : int, default 10
        How many to return.

    Examples
    --------
    >>> from vnestruct.live import anomalies
    >>> ladder = [(i, (i + step) % 300) for i in range(300) for step in (1, 2, 2 + i % 5)]
    >>> star = [(7, leaf) for leaf in range(500, 540)]
    >>> print(anomalies(ladder + star, top=1)[0].sentence)
    7 is nearly the centre of a star: 5 of 990 possible links among its 45 neighbours
    """
    graph = as_graph(g)
    scores = anomaly_scores(graph)
    chosen = np.argsort(-scores, kind="stable")[: whole_number("top", top, 1)]
    edges, around = _ball_edges(graph), neighbour_means(graph, graph.degrees.astype(np.float64))
    typical = float(np.median(around)) if graph.n_nodes else 0.0
    found = []
    for label, node in zip(graph.nodes[chosen].tolist(), chosen.tolist(), strict=True):
        n_groups, degree = int((np.bincount(neighbour_groups(graph, node)) > 1).sum()), int(graph.degrees[node])
        sentence = _description(degree, int(edges[node]) - degree, n_groups, float(around[node]), typical)
        found.append(Anomaly(label, float(scores[node]), f"{label} {sentence}"))
    return found


def anomaly_scores(g: Any) -> ValueArray:
    """Return how unusual the entropies of each node are, given the nodes and edges of its 1-ball.

    Distances are from the median of the 50 nodes with the most similar numbers, in units of their spread; the larger
    one of kinds "approx" and "quadratic" counts. A node with fewer than two neighbours has score 0.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import cycle
    >>> from vnestruct.live import anomaly_scores
    >>> anomaly_scores(cycle(6)).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    """
    graph = as_graph(g)
    entropies = embed(graph, 1, kind=["approx", "quadratic"])
    unlike = _unlike(entropies, np.log1p(np.column_stack([graph.degrees, _ball_edges(graph)])))
    return np.where(graph.degrees > 1, np.max(unlike, axis=1, initial=0.0), 0.0)


def _ball_edges(graph: Graph) -> ValueArray:
    """Return the number of edges of each 1-ball: the links of its node, and the triangles through it."""
    return embed(graph, 1, kind="sizes")[:, SIZES.index("edges")]


def _unlike(values: ValueArray, context: ValueArray) -> ValueArray:
    """Return the distance of each value from the median of its peers, in units of their spread."""
    n_nodes = len(values)
    if n_nodes < 2:
        return np.zeros_like(values)
    # Without the trend, the largest hubs would be anomalies only because all their peers are smaller.
    trend = np.column_stack([np.ones(n_nodes), context])
    rest = values - trend @ np.linalg.lstsq(trend, values, rcond=None)[0]
    peers = cKDTree(context).query(context, k=min(_PEERS, n_nodes))[1]
    away = np.empty_like(values)
    for column, out in zip(rest.T, away.T, strict=True):
        among = column[peers]
        middle = np.median(among, axis=1)
        spread = np.median(np.abs(among - middle[:, None]), axis=1)
        out[:] = np.round(np.abs(column - middle) / (spread + _LEAST_SPREAD), 9)
    return away


def _description(degree: int, links: int, n_groups: int, around: float, typical: float) -> str:
    """Say what the neighbourhood of a node looks like, by fixed rules from counts."""
    pairs = degree * (degree - 1) // 2
    possible = f"{links:,} of {pairs:,} possible links among its {degree} neighbours"
    if n_groups > 1:
        return f"is a bridge: {n_groups} groups among its {degree} neighbours have no link to each other"
    if links >= 0.8 * pairs:
        return f"is nearly the centre of a clique: {possible}"
    if links > 0.05 * pairs:
        return f"has an unusual neighbourhood: {possible}"
    if around < 2.0 * typical:
        return f"is nearly the centre of a star: {possible}"
    return f"is a bridge: {links:,} links among its {degree} neighbours, which have {around:,.0f} links on average"
