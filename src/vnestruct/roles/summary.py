"""What each role looks like, in plain numbers: size, degree, clustering, example nodes, and one line of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.description import Facts, describe
from vnestruct.roles.distinct import checked_signatures
from vnestruct.roles.surroundings import clustering_coefficients, neighbour_degrees
from vnestruct.types import OffsetArray, ValueArray


@dataclass(frozen=True)
class RoleSummary:
    """One role.

    Parameters
    ----------
    role : int
        Its number.
    size : int
        Number of its nodes.
    share : float
        Share of all nodes.
    degree : float
        Median degree.
    degree_range : tuple of int
        Smallest and largest degree.
    clustering : float
        Median clustering coefficient: of a node's pairs of neighbours, the share that is joined.
    neighbour_degree : float
        Median of the mean degree of a node's neighbours.
    mean_signature : tuple of float
        Mean of the signatures; empty if none were given.
    examples : list
        Labels of typical nodes, those nearest to the mean signature first.
    description : str
        One line in words, chosen from the numbers above.
    brief : str
        The same without the degree.
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
    description: str
    brief: str


def summarise_roles(graph: Any, roles: Any, signatures: Any = None, *, n_examples: int = 3) -> list[RoleSummary]:
    """Summarise the roles of a graph.

    Parameters
    ----------
    graph : graph
        Anything `vnestruct.as_graph` takes.
    roles : array of int, shape (n,), or RoleClusterer
        Role of each node, such as ``RoleClusterer.labels_``; or the fitted clusterer, which has the signatures too.
    signatures : array of float, shape (n, d), optional
        Signatures of the nodes: examples are then the nodes nearest to the mean of their role. Without, they are
        the first nodes of median degree.
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
    matrix = None if signatures is None else checked_signatures(signatures)
    if matrix is not None and len(matrix) != network.n_nodes:
        raise ParameterError(f"there are {len(matrix)} signatures for {network.n_nodes} nodes; give one row a node")
    wanted = whole_number("n_examples", n_examples, 0)
    clustering = clustering_coefficients(network)
    around = neighbour_degrees(network)
    return [
        _summary(network, int(role), np.flatnonzero(numbers == role), clustering, around, matrix, wanted)
        for role in np.unique(numbers)
    ]


def checked_roles(roles: Any, n_nodes: int) -> OffsetArray:
    """Return the role of each node, or say what is wrong with it."""
    numbers = np.asarray(roles)
    if numbers.shape != (n_nodes,) or numbers.dtype.kind not in "iu":
        raise ParameterError(
            f"roles must be one whole number for each of the {n_nodes} nodes, "
            f"not {numbers.dtype} of shape {numbers.shape}"
        )
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
    mean = None if signatures is None else signatures[members].mean(axis=0)
    if signatures is None or mean is None:
        distance = np.abs(degrees - np.median(degrees))
    else:
        distance = np.sqrt(((signatures[members] - mean) ** 2).sum(axis=1))
    # Equally typical nodes in node order, whatever the last bits of their distance.
    nearest = members[np.argsort(np.round(distance, 8), kind="stable")[:n_examples]]
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
        description=describe(facts),
        brief=describe(facts, with_degree=False),
    )
