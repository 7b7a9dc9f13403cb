"""What each role looks like: size, degree, clustering, example nodes, and a line in words that follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.distinct import signatures_of
from vnestruct.types import OffsetArray, ValueArray

_FAR_LARGER = 3.0
"""A node is small compared with its neighbours if their mean degree is at least this many times its own."""


@dataclass(frozen=True)
class RoleSummary:
    """What one role looks like.

    Parameters
    ----------
    role : int
        Number of the role.
    size : int
        Number of nodes.
    share : float
        Share of all nodes.
    degree : float
        Median degree.
    degree_range : tuple of int
        Smallest and largest degree.
    clustering : float
        Median clustering coefficient: the share of a node's pairs of neighbours that are joined.
    neighbour_degree : float
        Median of the mean degree of a node's neighbours.
    mean_signature : tuple of float
        Mean of the signatures; empty if none were given.
    examples : list
        Labels of typical nodes, those nearest to the mean signature first.
    name : str
        A short name that no other role of the graph has.
    sentence : str
        What distinguishes the role from the others, in words, with the numbers behind them.
    evidence : dict
        For each measurement, its median in the role and elsewhere, and how clearly they differ, from -1 to 1.
    stability : float or None
        How well the role survives the loss of 5% of the edges, from 0 to 1; None if that is not known.
    """

    role: int
    size: int
    share: float
    degree: float
    degree_range: tuple[int, int]
    clustering: float
    neighbour_degree: float
    mean_signature: tuple[float, ...]
    examples: list[Any]
    name: str
    sentence: str
    evidence: dict[str, dict[str, float]]
    stability: float | None = None

    @property
    def brief(self) -> str:
        """The name."""
        return self.name

    @property
    def description(self) -> str:
        """The name and the sentence."""
        return f"{self.name}: {self.sentence}"


@dataclass(frozen=True)
class Facts:
    """Measurements of the nodes of a role, and of the whole graph for comparison; without a prefix, medians."""

    size: int
    degree: float
    lowest_degree: int
    highest_degree: int
    clustering: float
    lowest_clustering: float
    highest_clustering: float
    neighbour_degree: float
    graph_degree: float
    graph_high_degree: float
    """Degree that seven of eight nodes do not exceed."""


def summarise_roles(graph: Any, roles: Any, signatures: Any = None, *, n_examples: int = 3) -> list[RoleSummary]:
    """Summarise the roles of a graph.

    Parameters
    ----------
    graph : graph
        Anything `vnestruct.as_graph` takes.
    roles : array of int, shape (n,), or RoleClusterer
        Role of each node, such as ``RoleClusterer.labels_``; or the fitted clusterer, which also has the signatures.
    signatures : array of float, shape (n, d), optional
        Signatures of the nodes: examples are the nodes nearest to the mean of their role. Without signatures, they
        are the first nodes of median degree.
    n_examples : int, default 3
        Number of example nodes.

    Returns
    -------
    list of RoleSummary
        In the order of the role numbers.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> from vnestruct.roles import RoleClusterer, summarise_roles
    >>> for role in summarise_roles(star(5), RoleClusterer(n_roles=2).fit(star(5))):
    ...     print(role.role, role.size, role.examples, role.description)
    0 5 [1, 2, 3] pendant nodes: one link each, to a node of degree 5
    1 1 [0] hub: degree 5, no links among its neighbours
    """
    network = as_graph(graph)
    if hasattr(roles, "labels_"):
        signatures = roles.signatures_ if signatures is None else signatures
        roles = roles.labels_
    numbers = checked_roles(roles, network.n_nodes)
    matrix = None if signatures is None else signatures_of(network, signatures)
    wanted = whole_number("n_examples", n_examples, 0)
    clustering = clustering_coefficients(network)
    around = neighbour_degrees(network)
    return [
        _summary(network, int(role), np.flatnonzero(numbers == role), clustering, around, matrix, wanted)
        for role in np.unique(numbers)
    ]


def checked_roles(roles: Any, n_nodes: int) -> OffsetArray:
    """Return the role of each node; raise `ParameterError` if it is not one whole number per node."""
    numbers = np.asarray(roles)
    if numbers.shape != (n_nodes,) or numbers.dtype.kind not in "iu":
        wrong = f"{numbers.dtype} of shape {numbers.shape}"
        raise ParameterError(f"roles must be one whole number for each of the {n_nodes} nodes, not {wrong}")
    return numbers.astype(np.int64)


def _summary(
    graph: Graph,
    role: int,
    members: OffsetArray,
    clustering: ValueArray,
    around: ValueArray,
    signatures: ValueArray | None,
    n_examples: int,
) -> RoleSummary:
    degrees = graph.degrees[members]
    if signatures is None:
        mean, nearest = None, _nearest(members, np.abs(degrees - np.median(degrees)), n_examples)
    else:
        mean, nearest = typical_members(members, signatures, n_examples)
    facts = Facts(
        size=members.size,
        degree=float(np.median(degrees)),
        lowest_degree=int(degrees.min()),
        highest_degree=int(degrees.max()),
        clustering=float(np.median(clustering[members])),
        lowest_clustering=float(clustering[members].min()),
        highest_clustering=float(clustering[members].max()),
        neighbour_degree=float(np.median(around[members])),
        graph_degree=float(np.median(graph.degrees)),
        graph_high_degree=float(np.quantile(graph.degrees, 7 / 8)),
    )
    return RoleSummary(
        role=role,
        size=facts.size,
        share=facts.size / graph.n_nodes,
        degree=facts.degree,
        degree_range=(facts.lowest_degree, facts.highest_degree),
        clustering=facts.clustering,
        neighbour_degree=facts.neighbour_degree,
        mean_signature=() if mean is None else tuple(mean.tolist()),
        examples=graph.nodes[nearest].tolist(),
        name=f"{_kind(facts)} ({role})",
        sentence=describe(facts),
        evidence={"degree": {"role": facts.degree, "others": facts.graph_degree, "effect": 0.0}},
    )


def typical_members(
    members: OffsetArray, signatures: ValueArray, n_examples: int = 3
) -> tuple[ValueArray, OffsetArray]:
    """Return the mean signature of some nodes, and those of them that are nearest to it."""
    mean: ValueArray = signatures[members].mean(axis=0)
    return mean, _nearest(members, np.sqrt(((signatures[members] - mean) ** 2).sum(axis=1)), n_examples)


def _nearest(members: OffsetArray, distance: ValueArray, n_examples: int) -> OffsetArray:
    # Equally typical nodes stay in node order, whatever the last bits of their distances.
    return members[np.argsort(np.round(distance, 8), kind="stable")[:n_examples]]


def triangle_counts(graph: Graph) -> OffsetArray:
    """Return the number of triangles through each node; directions and weights are ignored."""
    from vnestruct.embedding.radius_one import UpwardArcs, ball_sums
    from vnestruct.execute import ThreadsEngine

    arcs = UpwardArcs.of_graph(graph)
    twice, _ = ball_sums(arcs, ThreadsEngine(1))
    by_node: OffsetArray = twice[arcs.rank] // 2
    return by_node


def clustering_coefficients(graph: Graph) -> ValueArray:
    """Return the share of pairs of neighbours that are joined; 0 for a node with fewer than two neighbours."""
    degrees = graph.degrees.astype(np.float64)
    pairs = degrees * (degrees - 1.0) / 2.0
    return triangle_counts(graph) / np.maximum(pairs, 1.0)


def neighbour_degrees(graph: Graph) -> ValueArray:
    """Return the mean degree of each node's neighbours; 0 for a node without any."""
    owner = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    sums = np.bincount(owner, graph.degrees[graph.indices], minlength=graph.n_nodes)
    means: ValueArray = sums / np.maximum(graph.degrees, 1)
    return means


def describe(facts: Facts, *, with_degree: bool = True) -> str:
    """Describe a role in one line, by fixed rules; a number that not all of its nodes share is marked as a median.

    Examples
    --------
    >>> hubs = Facts(40, 120.0, 80, 300, 0.05, 0.0, 0.1, 9.0, 8.0, 30.0)
    >>> describe(hubs)
    'hubs: degree 120 (median), few links among their neighbours'
    >>> describe(hubs, with_degree=False)
    'hubs, few links among their neighbours'
    """
    if facts.highest_degree == 0:
        return f"{_noun(facts, 'isolated node')}: no links"
    if facts.highest_degree == 1:
        each = " each" if facts.size > 1 else ""
        return f"{_noun(facts, 'pendant node')}: one link{each}, to a node of degree {_number(facts.neighbour_degree)}"
    return f"{_kind(facts)}{f': {_degree(facts)}' if with_degree else ''}, {_links(facts)}"


def _kind(facts: Facts) -> str:
    if facts.degree >= max(facts.graph_high_degree, 2.0 * facts.graph_degree):
        return _noun(facts, "hub") if facts.clustering < 0.5 else _in_groups(facts, "dense core")
    if facts.lowest_clustering == 1.0:
        return _in_groups(facts, "clique")
    if facts.degree >= 1.5 * facts.graph_degree:
        return _noun(facts, "well-connected node")
    if facts.neighbour_degree >= _FAR_LARGER * facts.degree:
        return f"{_noun(facts, 'small node')} linked to large ones (of degree {_number(facts.neighbour_degree)})"
    if facts.highest_degree == 2 and facts.highest_clustering == 0.0:
        return _noun(facts, "link") + (" in chains" if facts.size > 1 else " in a chain")
    if facts.clustering >= 0.6:
        return _in_groups(facts, "tight group")
    return _noun(facts, "peripheral node" if facts.degree <= 0.5 * facts.graph_degree else "ordinary node")


def _degree(facts: Facts) -> str:
    if facts.lowest_degree == facts.highest_degree:
        return f"degree {facts.lowest_degree:,}"
    return f"degree {_number(facts.degree)} (median)"


def _links(facts: Facts) -> str:
    whose = "their" if facts.size > 1 else "its"
    if facts.highest_clustering == 0.0:
        return f"no links among {whose} neighbours"
    if facts.lowest_clustering == 1.0:
        return "all neighbours linked to each other"
    for limit, amount in ((0.1, "few"), (0.35, "some"), (0.65, "many")):
        if facts.clustering < limit:
            return f"{amount} links among {whose} neighbours"
    return "most neighbours linked to each other"


def _in_groups(facts: Facts, group: str) -> str:
    return f"member of a {group}" if facts.size == 1 else f"members of {group}s"


def _noun(facts: Facts, word: str) -> str:
    return word if facts.size == 1 else f"{word}s"


def _number(value: float) -> str:
    """Format a median: without decimals if it is whole or large, else with one."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"
