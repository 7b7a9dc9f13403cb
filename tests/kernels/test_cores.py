"""Core numbers, cut nodes and 4-cycles, against networkx and against counting by definition."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests import oracles
from tests.graphs import ZOO, graph_strategy
from vnestruct import Graph, as_graph
from vnestruct.embedding.named_kinds import core_numbers, square_counts
from vnestruct.graph.synthetic import path
from vnestruct.kernels.reductions import cut_nodes


@given(st.integers(1, 40), st.floats(0.0, 0.3), st.integers(0, 10**6))
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


def check_squares(graph: Graph) -> None:
    """Two common neighbours of a node and any other one close a 4-cycle with both."""
    adjacency = oracles.adjacency(graph)
    common = adjacency @ adjacency * (1 - np.eye(graph.n_nodes))
    assert square_counts(graph).tolist() == (common * (common - 1) / 2).sum(axis=1).tolist()


def test_squares_of_the_zoo() -> None:
    for graph in ZOO.values():
        check_squares(graph)


@given(graph_strategy(max_nodes=14))
def test_squares_of_any_graph(graph: Graph) -> None:
    check_squares(graph)
