"""Core numbers, cut nodes and 4-cycles, against networkx and against counting by definition."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.graphs import ZOO, from_edges
from vnestruct import as_graph
from vnestruct.embedding.named_kinds import core_numbers, square_counts
from vnestruct.graph.synthetic import path
from vnestruct.kernels.reductions import cut_nodes

RANDOM = (st.integers(1, 40), st.floats(0.0, 0.3), st.integers(0, 10**6))


@given(*RANDOM)
def test_core_numbers_and_cut_nodes_are_those_of_networkx(n_nodes: int, density: float, seed: int) -> None:
    reference = nx.gnp_random_graph(n_nodes, density, seed=seed)
    graph = as_graph(reference)
    expected = nx.core_number(reference)
    assert core_numbers(graph).tolist() == [expected[node] for node in range(n_nodes)]
    cut = np.flatnonzero(cut_nodes(graph.indptr, graph.indices))
    assert set(cut.tolist()) == set(nx.articulation_points(reference))


def test_long_paths_need_no_recursion() -> None:
    graph = path(100_000)
    assert cut_nodes(graph.indptr, graph.indices).sum() == 99_998
    assert np.all(core_numbers(graph) == 1)
    empty = path(0)
    assert core_numbers(empty).size == cut_nodes(empty.indptr, empty.indices).size == 0


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.0, 1.0), st.integers(0, 10**6))
def test_squares_are_pairs_of_common_neighbours(left: int, right: int, density: float, seed: int) -> None:
    joined = np.random.default_rng(seed).random((left, right)) < density
    edges = [(u, left + v) for u, v in np.argwhere(joined).tolist()]
    found = square_counts(from_edges(edges, left + right))
    common = joined.astype(int) @ joined.T
    expected = np.zeros(left + right, int)
    for u, w in combinations(range(left), 2):
        # Any two common neighbours close a 4-cycle with u and w.
        expected[[u, w]] += common[u, w] * (common[u, w] - 1) // 2
        expected[left:][joined[u] & joined[w]] += common[u, w] - 1
    assert found.tolist() == expected.tolist()
    assert found.sum() % 4 == 0


def test_squares_of_any_graph_are_its_closed_walks() -> None:
    for name, graph in ZOO.items():
        network = nx.empty_graph(graph.n_nodes)
        network.add_edges_from(zip(np.repeat(range(graph.n_nodes), graph.degrees), graph.indices, strict=True))
        cycles = list(nx.simple_cycles(network, length_bound=4))
        expected = [sum(len(cycle) == 4 and node in cycle for cycle in cycles) for node in range(graph.n_nodes)]
        assert square_counts(graph).tolist() == expected, name
