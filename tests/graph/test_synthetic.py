"""Synthetic graphs: counts and degrees that the mathematics dictates, and seeds that decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import generators as synthetic
from tests.graphs import edges_of, graph_strategy, weighted_copy
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph


def to_networkx(graph: Graph) -> Any:
    network = networkx.Graph(edges_of(graph))
    network.add_nodes_from(range(graph.n_nodes))
    return network


def test_fixed_families_are_the_known_ones() -> None:
    for graph, reference in [
        (synthetic.path(7), networkx.path_graph(7)),
        (synthetic.path(1), networkx.path_graph(1)),
        (synthetic.cycle(6), networkx.cycle_graph(6)),
        (synthetic.star(5), networkx.star_graph(5)),
        (synthetic.clique(6), networkx.complete_graph(6)),
        (synthetic.barbell(5, 3), networkx.barbell_graph(5, 3)),
        (synthetic.barbell(4, 0), networkx.barbell_graph(4, 0)),
        (synthetic.complete_bipartite(3, 4), networkx.complete_bipartite_graph(3, 4)),
        (synthetic.complete_multipartite([1, 2, 3]), networkx.complete_multipartite_graph(1, 2, 3)),
        (synthetic.balanced_tree(3, 3), networkx.balanced_tree(3, 3)),
        (synthetic.grid(4, 6), networkx.grid_2d_graph(4, 6)),
        (synthetic.grid(4, 6, shuffled=1), networkx.grid_2d_graph(4, 6)),
        (synthetic.hypercube(4), networkx.hypercube_graph(4)),
        (synthetic.connected_caveman(4, 5), networkx.connected_caveman_graph(4, 5)),
        (synthetic.watts_strogatz(20, 4, 0, seed=1), networkx.watts_strogatz_graph(20, 4, 0)),
    ]:
        assert graph.n_edges == reference.number_of_edges(), reference
        assert networkx.is_isomorphic(to_networkx(graph), reference), reference


def test_double_star() -> None:
    graph = synthetic.double_star(3, 5)
    assert graph.degrees.tolist() == [4, 6] + [1] * 8
    assert (0, 1) in edges_of(graph)


RANDOM: dict[str, Callable[[int], Graph]] = {
    "Erdos-Renyi": lambda seed: synthetic.erdos_renyi(50, 0.2, seed),
    "regular": lambda seed: synthetic.random_regular(50, 4, seed),
    "small world": lambda seed: synthetic.watts_strogatz(50, 6, 0.3, seed),
    "attachment": lambda seed: synthetic.barabasi_albert(50, 3, seed),
    "attachment, large": lambda seed: synthetic.barabasi_albert(3000, 3, seed),
    "power law": lambda seed: synthetic.power_law(200, 2.5, seed),
    "grid": lambda seed: synthetic.grid(6, 6, shuffled=seed),
    "perturbed": lambda seed: synthetic.perturb(synthetic.cycle(40), 5, seed),
    "rewired": lambda seed: synthetic.rewire(synthetic.cycle(40), 5, seed),
    "ring": lambda seed: synthetic.ring_of_shapes(20, [synthetic.house_shape()] * 5, "random", seed)[0],
}


def test_seeds_decide() -> None:
    for name, generate in RANDOM.items():
        graph = generate(3)
        assert graph == generate(3), name
        assert graph != generate(4), name
        # The constructor raises for arrays that are not those of a graph.
        assert Graph(graph.indptr, graph.indices) == graph, name


@given(st.integers(1, 20), st.data())
def test_regular_graphs_are_regular(n_nodes: int, data: st.DataObject) -> None:
    degree = data.draw(st.integers(0, n_nodes - 1).filter(lambda d: d * n_nodes % 2 == 0))
    assert (synthetic.random_regular(n_nodes, degree, seed=1).degrees == degree).all()


def test_attachment_counts() -> None:
    for n_nodes, attachments in [(10, 9), (10, 1), (200, 4), (5000, 5)]:
        graph = synthetic.barabasi_albert(n_nodes, attachments, seed=2)
        assert graph.n_edges == attachments * (n_nodes - attachments)
        assert graph.report.parallel_merged == graph.report.self_loops_dropped == 0
        assert networkx.is_connected(to_networkx(graph)), (n_nodes, attachments)


def test_attachment_prefers_large_degrees() -> None:
    # Degrees then follow a power law of exponent 3, P(degree >= 2m) near 1/4; uniform attachment gives 0.14.
    graph = synthetic.barabasi_albert(100_000, 5, seed=2)
    tail = [np.mean(graph.degrees >= degree) for degree in (10, 20, 40, 80)]
    expected = [5 * 6 / (d * (d + 1)) for d in (10, 20, 40, 80)]
    assert tail == pytest.approx(expected, rel=0.1)


def test_small_world_edge_count_and_kept_ends() -> None:
    for probability in (0.1, 0.5, 1.0):
        graph = synthetic.watts_strogatz(60, 6, probability, seed=1)
        assert graph.n_edges == 180
        assert graph.degrees.min() >= 3
    assert synthetic.watts_strogatz(5, 4, 1.0, seed=1).n_edges <= 10


def test_random_pairs_are_uniform() -> None:
    counts = np.zeros((6, 6))
    for seed in range(600):
        for u, v in edges_of(synthetic.erdos_renyi(6, 0.3, seed)):
            counts[u, v] += 1
    frequencies = counts[np.triu_indices(6, 1)] / 600
    assert frequencies == pytest.approx(0.3, abs=0.08)
    assert synthetic.erdos_renyi(9, 1.0, seed=1).n_edges == 36
    assert synthetic.erdos_renyi(9, 0.0, seed=1).n_edges == 0


def test_power_law_has_hubs_and_respects_its_range() -> None:
    graph = synthetic.power_law(20_000, 2.2, seed=1)
    assert graph.degrees.max() > 300
    assert synthetic.power_law(2000, 2.2, seed=1, largest_degree=30).degrees.max() <= 30


def test_basic_ring() -> None:
    graph, roles = synthetic.ring_of_shapes(30, [synthetic.house_shape()] * 10)
    assert (graph.n_nodes, graph.n_edges, np.unique(roles).size) == (80, 120, 6)
    anchors = np.flatnonzero(graph.degrees[:30] == 3)
    assert anchors.tolist() == list(range(0, 30, 3))


def test_varied_ring() -> None:
    shapes = [synthetic.fan_shape(6)] * 10 + [synthetic.star_shape(10)] * 10 + [synthetic.house_shape()] * 10
    graph, roles = synthetic.ring_of_shapes(30, shapes, "random", seed=5)
    assert (graph.n_nodes, graph.n_edges, np.unique(roles).size) == (260, 340, 13)
    assert roles.max() == 12


def test_roles_are_orbits_of_the_rooted_shape() -> None:
    for shape in (synthetic.house_shape(), synthetic.fan_shape(6), synthetic.star_shape(4)):
        rooted = networkx.Graph(shape.edges)
        rooted.add_edge(0, "ring")
        matcher = networkx.isomorphism.GraphMatcher(
            rooted, rooted, node_match=lambda first, second: first.get("root") == second.get("root")
        )
        rooted.nodes["ring"]["root"] = True
        orbits = {(u, v) for mapping in matcher.isomorphisms_iter() for u, v in mapping.items()}
        roles = shape.roles
        for u, v in orbits:
            if u != "ring":
                assert roles[u] == roles[v], shape.name
        # Coarser than orbits only where a fan's interior is one role.
        if not shape.name.startswith("fan"):
            for u in range(shape.n_nodes):
                same_role = {v for v in range(shape.n_nodes) if roles[u] == roles[v]}
                assert same_role == {v for w, v in orbits if w == u}, shape.name


@given(graph_strategy(min_nodes=2), st.data())
def test_perturbing_adds_exactly_that_many_edges(graph: Graph, data: st.DataObject) -> None:
    absent = graph.n_nodes * (graph.n_nodes - 1) // 2 - graph.n_edges
    n_added = data.draw(st.integers(0, absent))
    more = synthetic.perturb(graph, n_added, seed=1)
    assert set(edges_of(more)) > set(edges_of(graph)) or n_added == 0
    assert more.n_edges == graph.n_edges + n_added
    assert more.report.parallel_merged == more.report.self_loops_dropped == 0


def test_perturbing_is_uniform_over_absent_pairs() -> None:
    base = synthetic.star(4)
    counts = Counter(
        pair for seed in range(900) for pair in set(edges_of(synthetic.perturb(base, 1, seed))) - set(edges_of(base))
    )
    assert len(counts) == 6
    assert [count / 900 for count in counts.values()] == pytest.approx([1 / 6] * 6, abs=0.04)


def test_rewiring_moves_one_end_to_a_non_neighbour() -> None:
    graph = weighted_copy(synthetic.watts_strogatz(40, 6, 0.2, seed=1), seed=1)
    moved = synthetic.rewire(graph, 15, seed=3)
    before, after = set(edges_of(graph)), set(edges_of(moved))
    assert len(after) == len(before)
    assert len(before - after) == len(after - before) == 15
    assert graph.weights is not None
    assert moved.weights is not None
    assert sorted(moved.weights) == sorted(graph.weights)
    lost, gained = networkx.Graph(list(before - after)), networkx.Graph(list(after - before))
    matching = networkx.bipartite.hopcroft_karp_matching(
        networkx.Graph([(e, ("new", f)) for e in lost.edges for f in gained.edges if set(e) & set(f)]),
        top_nodes=list(lost.edges),
    )
    assert len(matching) == 30
    assert synthetic.rewire(graph, 0, seed=3) == graph


def test_bad_parameters() -> None:
    for generate, message in [
        (lambda: synthetic.path(-1), "`n_nodes` must be a whole number of at least 0, not -1"),
        (lambda: synthetic.cycle(2), "`n_nodes` must be a whole number of at least 3, not 2"),
        (lambda: synthetic.barbell(0, 3), "`clique_size` must .* not 0"),
        (lambda: synthetic.balanced_tree(0, 3), "`branching` must .* not 0"),
        (lambda: synthetic.complete_bipartite(-1, 3), "`size` must .* not -1"),
        (lambda: synthetic.random_regular(5, 3, seed=1), "no 3-regular graph of 5 nodes"),
        (lambda: synthetic.random_regular(4, 4, seed=1), "no 4-regular graph of 4 nodes"),
        (lambda: synthetic.watts_strogatz(10, 3, 0.1, seed=1), "neighbours is 3"),
        (lambda: synthetic.watts_strogatz(10, 4, 1.1, seed=1), "probability is 1.1"),
        (lambda: synthetic.barabasi_albert(5, 5, seed=1), "attachments is 5"),
        (lambda: synthetic.erdos_renyi(5, -0.1, seed=1), "probability=-0.1"),
        (lambda: synthetic.power_law(10, 1.0, seed=1), "exponent=1.0"),
        (lambda: synthetic.ring_of_shapes(2, []), "width is 2"),
        (lambda: synthetic.ring_of_shapes(3, [synthetic.house_shape()] * 4), "needs at least 4"),
        (lambda: synthetic.ring_of_shapes(3, [], "odd"), "placement is 'odd'"),
        (lambda: synthetic.fan_shape(2), "a fan of 2 leaves"),
        (lambda: synthetic.star_shape(0), "a star of 0 leaves"),
        (lambda: synthetic.perturb(synthetic.clique(4), 1, seed=1), "there are 0 pairs without an edge"),
        (lambda: synthetic.rewire(synthetic.path(3), 3, seed=1), "the graph has 2 edges"),
        (lambda: synthetic.rewire(synthetic.clique(4), 1, seed=1), "no non-neighbour left"),
    ]:
        with pytest.raises(ParameterError, match=message):
            generate()


def test_directed_graphs_cannot_be_perturbed() -> None:
    from vnestruct.graph import graph_from_pairs

    directed = graph_from_pairs([0], [1], directed=True)
    with pytest.raises(ParameterError, match="without_directions"):
        synthetic.perturb(directed, 0, seed=1)
