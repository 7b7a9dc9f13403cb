"""The zoo: small graphs that have caught mistakes, random graphs of five kinds, and Hypothesis strategies.

Each graph has at most about 60 nodes, so that the dense oracle is quick.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import numpy as np
from hypothesis import strategies as st

from tests import generators as synthetic
from vnestruct.graph import Graph, GraphSet, graph_from_ids, graph_from_pairs

Edges = list[tuple[int, int]]


def from_edges(edges: Edges, n_nodes: int) -> Graph:
    """A graph of given edges on 0..n_nodes-1."""
    source = np.array([u for u, _ in edges], dtype=np.int64)
    target = np.array([v for _, v in edges], dtype=np.int64)
    return graph_from_ids(source, target, n_nodes=n_nodes)


def edges_of(graph: Graph) -> Edges:
    """The edges u < v of a graph, by position."""
    rows = graph.sources
    return [(u, v) for u, v in zip(rows.tolist(), graph.indices.tolist(), strict=True) if u < v]


def disjoint_union(*graphs: Graph) -> Graph:
    """Several graphs side by side, without labels or weights."""
    edges: Edges = []
    first = 0
    for graph in graphs:
        edges += [(u + first, v + first) for u, v in edges_of(graph)]
        first += graph.n_nodes
    return from_edges(edges, first)


def relabelled(graph: Graph, seed: int) -> tuple[Graph, np.ndarray]:
    """The same graph with its nodes in another order, and the new position of each node."""
    place = np.random.default_rng(seed).permutation(graph.n_nodes)
    return from_edges([(int(place[u]), int(place[v])) for u, v in edges_of(graph)], graph.n_nodes), place


def lollipop(size: int, tail: int) -> Graph:
    """A clique with a path hanging on it."""
    return synthetic.from_networkx(nx.lollipop_graph(size, tail))


def wheel(rim: int) -> Graph:
    """A cycle whose nodes are all joined to one more node."""
    return from_edges(edges_of(synthetic.cycle(rim)) + [(node, rim) for node in range(rim)], rim + 1)


def petersen() -> Graph:
    """The Petersen graph: 3-regular and symmetric, its ball of radius 2 is everything."""
    return synthetic.from_networkx(nx.petersen_graph())


def tied_hubs(leaves: int, distance: int) -> Graph:
    """Two equal stars, centres joined by a path: the top eigenvector is antisymmetric or nearly tied."""
    edges = [(node, node + 1) for node in range(distance)]
    first = distance + 1
    edges += [(0, first + leaf) for leaf in range(leaves)]
    edges += [(distance, first + leaves + leaf) for leaf in range(leaves)]
    return from_edges(edges, first + 2 * leaves)


def hubs_apart(leaves: int) -> Graph:
    """A centre between two equal hubs: without the centre, its ball falls into halves with one hub each."""
    edges = [(0, 1), (0, 2)]
    edges += [(1, 3 + leaf) for leaf in range(leaves)] + [(2, 3 + leaves + leaf) for leaf in range(leaves)]
    return from_edges(edges, 3 + 2 * leaves)


def nearly_tied_hubs(leaves: int) -> Graph:
    """Two stars joined, one with one leaf more."""
    return synthetic.double_star(leaves, leaves + 1)


def friendship(triangles: int) -> Graph:
    """Triangles that share one node."""
    return synthetic.from_networkx(nx.windmill_graph(triangles, 3))


def twins() -> Graph:
    """Open twins (same neighbours) and closed twins (adjacent, same neighbours) among ordinary nodes."""
    edges = [(0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4), (3, 5)]
    edges += [(5, 6), (5, 7), (6, 7), (6, 8), (7, 8), (8, 9)]
    return from_edges(edges, 10)


def caterpillar(spine: int, legs: int) -> Graph:
    """A path whose every node carries leaves."""
    edges = [(node, node + 1) for node in range(spine - 1)]
    edges += [(node, spine + node * legs + leg) for node in range(spine) for leg in range(legs)]
    return from_edges(edges, spine * (1 + legs))


def clique_minus_matching(pairs: int) -> Graph:
    """The cocktail-party graph: regular, no dominating node, many equal eigenvalues."""
    return synthetic.complete_multipartite([2] * pairs)


def cycle_with_chords(n_nodes: int, chords: int) -> Graph:
    """A cycle with a few chords at node 0."""
    step = n_nodes // (chords + 2)
    return from_edges(edges_of(synthetic.cycle(n_nodes)) + [(0, step * (i + 1)) for i in range(chords)], n_nodes)


ZOO: dict[str, Graph] = {
    "empty": from_edges([], 0),
    "one node": from_edges([], 1),
    "isolated nodes": from_edges([], 5),
    "one edge": synthetic.path(2),
    "edge and isolated node": from_edges([(0, 2)], 3),
    "disconnected": disjoint_union(synthetic.cycle(5), synthetic.star(4), synthetic.path(1), synthetic.clique(4)),
    "self-loops": from_edges([(0, 0), (0, 1), (1, 2), (2, 2), (2, 0), (3, 3)], 4),
    "parallel edges": from_edges([(0, 1), (1, 0), (0, 1), (1, 2), (2, 3), (3, 2)], 4),
    "triangle": synthetic.clique(3),
    "path": synthetic.path(12),
    "long path": synthetic.path(50),
    "cycle": synthetic.cycle(11),
    "even cycle": synthetic.cycle(12),
    "star": synthetic.star(9),
    "double star": synthetic.double_star(6, 6),
    "nearly tied hubs": nearly_tied_hubs(7),
    "clique": synthetic.clique(8),
    "barbell": synthetic.barbell(6, 3),
    "cliques touching": synthetic.barbell(5, 0),
    "complete bipartite": synthetic.complete_bipartite(4, 6),
    "balanced bipartite": synthetic.complete_bipartite(5, 5),
    "complete multipartite": synthetic.complete_multipartite([2, 3, 4]),
    "cocktail party": clique_minus_matching(5),
    "binary tree": synthetic.balanced_tree(2, 4),
    "ternary tree": synthetic.balanced_tree(3, 3),
    "caterpillar": caterpillar(8, 3),
    "grid": synthetic.grid(5, 7),
    "shuffled grid": synthetic.grid(6, 6, shuffled=4),
    "hypercube": synthetic.hypercube(4),
    "regular": synthetic.random_regular(24, 3, seed=5),
    "dense regular": synthetic.random_regular(14, 9, seed=5),
    "watts strogatz": synthetic.watts_strogatz(30, 4, 0.15, seed=3),
    "barabasi albert": synthetic.barabasi_albert(40, 3, seed=3),
    "erdos renyi": synthetic.erdos_renyi(40, 0.1, seed=3),
    "power law": synthetic.power_law(50, 2.2, seed=3),
    "caveman": synthetic.connected_caveman(5, 5),
    "two hubs joined": tied_hubs(8, 1),
    "two hubs two apart": tied_hubs(8, 2),
    "two hubs three apart": tied_hubs(8, 3),
    "hubs apart": hubs_apart(9),
    "tied hubs in two components": disjoint_union(synthetic.star(9), synthetic.star(9)),
    "lollipop": lollipop(7, 5),
    "wheel": wheel(9),
    "petersen": petersen(),
    "friendship": friendship(5),
    "twins": twins(),
    "cycle with chords": cycle_with_chords(40, 4),
    "house ring": synthetic.ring_of_shapes(12, [synthetic.house_shape()] * 4)[0],
    "fan ring": synthetic.ring_of_shapes(9, [synthetic.fan_shape(5), synthetic.star_shape(4)] * 2, "random", 1)[0],
}


def weighted_copy(graph: Graph, seed: int) -> Graph:
    """The same edges with random weights over six orders of magnitude, a third of them tied at 1."""
    generator = np.random.default_rng(seed)
    edges = np.array(edges_of(graph), dtype=np.int64).reshape(-1, 2)
    weights = 10.0 ** generator.uniform(-3, 3, len(edges))
    weights[generator.random(len(edges)) < 1 / 3] = 1.0
    return graph_from_ids(edges[:, 0], edges[:, 1], weights, n_nodes=graph.n_nodes)


def directed_copy(graph: Graph, seed: int, weighted: bool = False) -> Graph:
    """The same pairs as arcs: a third one way, a third the other way, a third both ways."""
    generator = np.random.default_rng(seed)
    edges = np.array(edges_of(graph), dtype=np.int64).reshape(-1, 2)
    way = generator.integers(3, size=len(edges))
    arcs = np.concatenate([edges[way != 1], edges[way != 0][:, ::-1]])
    weights = generator.uniform(0.1, 5, len(arcs)) if weighted else None
    return graph_from_ids(arcs[:, 0], arcs[:, 1], weights, n_nodes=graph.n_nodes, directed=True)


def blown_up(graph: Graph, seed: int, largest: int = 6) -> Graph:
    """Each node replaced by up to `largest` twins, joined to one another or not, ids shuffled."""
    generator = np.random.default_rng(seed)
    sizes = generator.integers(1, largest + 1, graph.n_nodes) ** generator.integers(0, 2, graph.n_nodes)
    ends = np.cumsum(sizes)
    groups = [range(int(end - size), int(end)) for size, end in zip(sizes, ends, strict=True)]
    edges = [(a, b) for u, v in edges_of(graph) for a in groups[u] for b in groups[v]]
    for group, is_joined in zip(groups, generator.integers(0, 2, graph.n_nodes), strict=True):
        if is_joined:
            edges += [(a, b) for a in group for b in group if a < b]
    return relabelled(from_edges(edges, int(ends[-1]) if sizes.size else 0), seed)[0]


def random_graphs(count: int, seed: int) -> Iterator[tuple[str, Graph]]:
    """Yield `count` named random graphs of five kinds in turn; a name tells how to make the graph again."""
    kinds = (_random_regular, _small_world_with_tied_hubs, _random_pairs, _preferential, _chorded)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        graph_seed = seed * 1_000_003 + number
        yield f"{kind.__name__[1:]} seed {graph_seed}", kind(graph_seed)


def _random_regular(seed: int) -> Graph:
    generator = np.random.default_rng(seed)
    degree = int(generator.integers(2, 7))
    n_nodes = 2 * int(generator.integers(degree // 2 + 2, 25))
    return synthetic.random_regular(n_nodes, degree, seed=seed)


def _small_world_with_tied_hubs(seed: int) -> Graph:
    generator = np.random.default_rng(seed)
    n_nodes = int(generator.integers(20, 45))
    edges = edges_of(synthetic.watts_strogatz(n_nodes, 4, float(generator.uniform(0, 0.3)), seed=seed))
    hubs = generator.choice(n_nodes, 2, replace=False).tolist()
    leaves = int(generator.integers(4, 8))
    edges += [(hub, n_nodes + place * leaves + leaf) for place, hub in enumerate(hubs) for leaf in range(leaves)]
    return from_edges(edges, n_nodes + 2 * leaves)


def _random_pairs(seed: int) -> Graph:
    generator = np.random.default_rng(seed)
    n_nodes = int(generator.integers(5, 50))
    return synthetic.erdos_renyi(n_nodes, min(1.0, float(generator.uniform(0.5, 6)) / n_nodes), seed=seed)


def _preferential(seed: int) -> Graph:
    generator = np.random.default_rng(seed)
    attachments = int(generator.integers(1, 5))
    return synthetic.barabasi_albert(int(generator.integers(attachments + 2, 50)), attachments, seed=seed)


def _chorded(seed: int) -> Graph:
    generator = np.random.default_rng(seed)
    if generator.random() < 0.5:
        base = synthetic.balanced_tree(int(generator.integers(2, 4)), 3)
    else:
        base = synthetic.grid(int(generator.integers(2, 7)), int(generator.integers(2, 8)), shuffled=seed)
    absent = base.n_nodes * (base.n_nodes - 1) // 2 - base.n_edges
    return synthetic.perturb(base, min(int(generator.integers(0, 5)), absent), seed=seed)


def write_collection(folder: Path, graphs: GraphSet) -> None:
    """Write graphs of classes 0, 1, ... in the TU Dortmund layout; the folder has the name of the collection."""
    folder.mkdir(parents=True)
    graph = graphs.graph
    arcs = np.column_stack([graph.sources, graph.indices])
    parts = {"A": arcs + 1, "graph_indicator": graphs.membership + 1, "graph_labels": graphs.labels}
    for part, values in parts.items():
        np.savetxt(folder / f"{folder.name}_{part}.txt", values, "%d", delimiter=", ")


@st.composite
def graph_strategy(
    draw: st.DrawFn,
    max_nodes: int = 12,
    weighted: bool | None = False,
    directed: bool | None = False,
    min_nodes: int = 0,
) -> Graph:
    """Small graphs, from empty to complete; None for `weighted` or `directed` draws either kind."""
    n_nodes = draw(st.integers(min_nodes, max_nodes))
    with_weights = draw(st.booleans()) if weighted is None else weighted
    with_directions = draw(st.booleans()) if directed is None else directed
    pairs = [(u, v) for u in range(n_nodes) for v in range(n_nodes) if u < v or (with_directions and u > v)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=40)) if pairs else []
    weight = st.sampled_from([1.0, 2.0, 0.5]) | st.floats(1e-3, 1e3)
    weights = [draw(weight) for _ in chosen] if with_weights else None
    return graph_from_pairs(
        [u for u, _ in chosen],
        [v for _, v in chosen],
        weights,
        nodes=range(n_nodes),
        directed=with_directions,
    )
