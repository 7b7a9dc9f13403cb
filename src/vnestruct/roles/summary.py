"""What each role looks like: size, degree, clustering, example nodes, and a line in words that follows from them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.checks import whole_number
from vnestruct.datasets.collection import ragged_ranges
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.distinct import signatures_of
from vnestruct.roles.names import describe_roles
from vnestruct.types import OffsetArray, ValueArray


@dataclass(frozen=True)
class RoleSummary:
    """What one role looks like.

    Parameters
    ----------
    role, size : int
        Number of the role, and number of its nodes.
    share : float
        Share of all nodes.
    degree, clustering, neighbour_degree : float
        Medians of the degree, of the clustering coefficient (the share of a node's pairs of neighbours that are
        joined), and of the mean degree of a node's neighbours.
    degree_range : tuple of int
        Smallest and largest degree.
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


def summarise_roles(graph: Any, roles: Any, signatures: Any = None, *, n_examples: int = 3) -> list[RoleSummary]:
    """Summarise the roles of a graph.

    Parameters
    ----------
    graph : graph
        Anything `vnestruct.as_graph` takes.
    roles : array of int, shape (n,), or RoleClusterer
        Role of each node, such as ``RoleClusterer.labels_``; or the fitted clusterer, which also has the signatures and
        measures the stability of each role.
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
    ...     print(role.role, role.size, role.examples, role.name)
    0 5 [1, 2, 3] leaves
    1 1 [0] hub
    """
    network = as_graph(graph)
    stability: tuple[float | None, ...] | None = None
    if hasattr(roles, "labels_"):
        signatures = roles.signatures_ if signatures is None else signatures
        stability = roles.quality(network).role_stability
        roles = roles.labels_
    numbers = checked_roles(roles, network.n_nodes)
    matrix = None if signatures is None else signatures_of(network, signatures)
    wanted = whole_number("n_examples", n_examples, 0)
    present, places = np.unique(numbers, return_inverse=True)
    places = places.reshape(-1)
    measures = node_measures(network)
    if matrix is not None:
        measures["entropy"] = matrix[:, -1]
    words = describe_roles(measures, places, role_links(network, places, present.size))
    summaries = []
    for place, role in enumerate(present.tolist()):
        members = np.flatnonzero(places == place)
        degrees = network.degrees[members]
        medians = {n: float(np.median(measures[n][members])) for n in ("degree", "clustering", "neighbour_degree")}
        found: dict[str, Any] = words[place] | medians | {"stability": stability and stability[role]}
        values, centre = measures["degree"][:, None], np.array([np.median(degrees)])
        if matrix is not None:
            values, centre = matrix, matrix[members].mean(axis=0)
        found["mean_signature"] = () if matrix is None else tuple(centre.tolist())
        found["examples"] = network.nodes[nearest_members(members, values, centre, wanted)].tolist()
        extent = (int(degrees.min()), int(degrees.max()))
        summaries.append(RoleSummary(role, members.size, members.size / network.n_nodes, degree_range=extent, **found))
    return summaries


def checked_roles(roles: Any, n_nodes: int) -> OffsetArray:
    """Return the role of each node; raise `ParameterError` if it is not one whole number per node."""
    numbers = np.asarray(roles)
    if numbers.shape != (n_nodes,) or numbers.dtype.kind not in "iu":
        wrong = f"{numbers.dtype} of shape {numbers.shape}"
        raise ParameterError(f"roles must be one whole number for each of the {n_nodes} nodes, not {wrong}")
    return numbers.astype(np.int64)


def role_links(graph: Graph, roles: OffsetArray, n_roles: int) -> ValueArray:
    """Return how many arcs lead from each role to each other."""
    pairs = np.repeat(roles, graph.degrees) * n_roles + roles[graph.indices]
    return np.bincount(pairs, minlength=n_roles * n_roles).reshape(n_roles, n_roles).astype(np.float64)


def nearest_members(members: OffsetArray, values: ValueArray, centre: ValueArray, n_nearest: int) -> OffsetArray:
    """Return those of some nodes whose rows of values are nearest to a centre."""
    distance = np.sqrt(((values[members] - centre) ** 2).sum(axis=1))
    # Equally typical nodes stay in node order, whatever the last bits of their distances.
    return members[np.argsort(np.round(distance, 8), kind="stable")[:n_nearest]]


def triangle_counts(graph: Graph) -> OffsetArray:
    """Return the number of triangles through each node; directions and weights are ignored."""
    from vnestruct.embedding.radius_one import UpwardArcs, ball_sums
    from vnestruct.execute import ThreadsEngine

    arcs = UpwardArcs.of_graph(graph)
    twice, _ = ball_sums(arcs, ThreadsEngine(1))
    return twice[arcs.rank] // 2


def neighbour_means(graph: Graph, values: ValueArray | OffsetArray) -> ValueArray:
    """Return the mean of a value over each node's neighbours; 0 for a node without any."""
    owner = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return np.bincount(owner, values[graph.indices], minlength=graph.n_nodes) / np.maximum(graph.degrees, 1)


def node_measures(graph: Graph) -> dict[str, ValueArray]:
    """Return what roles are described by, for each node; directions and weights are ignored."""
    from vnestruct.kernels.reductions import cut_nodes

    degrees = graph.degrees.astype(np.float64)
    # The share of pairs of neighbours that are joined.
    clustering = triangle_counts(graph) / np.maximum(degrees * (degrees - 1.0) / 2.0, 1.0)
    return {
        "degree": degrees,
        "clustering": clustering,
        "neighbour_degree": neighbour_means(graph, graph.degrees),
        "neighbour_clustering": neighbour_means(graph, clustering),
        "core": core_numbers(graph),
        "cut": cut_nodes(graph.indptr, graph.indices).astype(np.float64),
    }


def core_numbers(graph: Graph) -> ValueArray:
    """Return for each node the largest k such that it is in a subgraph where all degrees are at least k."""
    # Nodes are removed by ascending degree in what is left of the graph.
    degrees, core, left = graph.degrees.copy(), np.zeros(graph.n_nodes), np.ones(graph.n_nodes, bool)
    level = 0
    while left.any():
        level = max(level, int(degrees[left].min()))
        removed = np.flatnonzero(left & (degrees <= level))
        while removed.size:
            core[removed], left[removed] = level, False
            ends = graph.indices[ragged_ranges(graph.indptr[removed], graph.degrees[removed])]
            np.subtract.at(degrees, ends, 1)
            removed = np.unique(ends[left[ends] & (degrees[ends] <= level)])
    return core
