"""The part of a graph that a picture can show: all of a small graph, the surroundings of the hubs of a large one."""

import numpy as np

from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import OffsetArray

ALL_NODES = 5_000  # a graph up to this size is drawn whole
_EDGES_PER_NODE = 24  # and up to so many times as many edges
EXCERPT_NODES = 900  # nodes of the excerpt of a larger one
_FAN_OUT = 8  # most neighbours that one node adds to the excerpt


def choose_excerpt(
    graph: Graph, roles: OffsetArray, *, whole: int = ALL_NODES, limit: int = EXCERPT_NODES, seed: int = 0
) -> OffsetArray:
    """Return the positions of the nodes to draw, ascending.

    A large graph is searched breadth first from the node of largest degree of every role; each node adds a few of its
    neighbours, those of rare roles first, so that every role is shown with its surroundings and its links. The graph is
    drawn whole up to `whole` nodes and 24 times as many edges, otherwise `limit` nodes.
    """
    if graph.n_nodes <= whole and graph.n_edges <= _EDGES_PER_NODE * whole:
        return np.arange(graph.n_nodes)
    limit = min(limit, whole)
    generator = np.random.default_rng(seed)
    degrees = graph.degrees
    order = np.argsort(-degrees, kind="stable")
    queue = [int(order[np.argmax(roles[order] == role)]) for role in np.unique(roles)]
    queue.sort(key=lambda node: -int(degrees[node]))
    chosen = dict.fromkeys(queue[:limit])
    drawn = np.bincount(roles[list(chosen)], minlength=int(roles.max()) + 1)
    shares = np.bincount(roles) / graph.n_nodes
    for node in queue:
        if len(chosen) >= limit:
            break
        row = generator.permutation(graph.indices[graph.indptr[node] : graph.indptr[node + 1]])
        # First come roles that the excerpt has too few of, measured by their share in the graph.
        row = row[np.argsort(drawn[roles[row]] / shares[roles[row]], kind="stable")]
        room = min(_FAN_OUT, limit - len(chosen))
        fresh = [neighbour for neighbour in row.tolist() if neighbour not in chosen][:room]
        for neighbour in fresh:
            chosen[neighbour] = None
            drawn[roles[neighbour]] += 1
        queue.extend(fresh)
    return np.sort(np.fromiter(chosen, np.int64))


def induced_subgraph(graph: Graph, positions: OffsetArray) -> Graph:
    """Return the graph among some nodes, numbered in the order given; directions and weights are left out."""
    place = np.full(graph.n_nodes, -1, np.int64)
    place[positions] = np.arange(positions.size)
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    inside = (place[source] >= 0) & (place[graph.indices] >= 0) & (source < graph.indices)
    return graph_from_ids(place[source[inside]], place[graph.indices[inside]], n_nodes=positions.size)
