"""Core numbers and cut nodes are those of networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vnestruct import as_graph
from vnestruct.graph.synthetic import path
from vnestruct.kernels.reductions import cut_nodes
from vnestruct.roles.summary import core_numbers


@given(st.integers(1, 40), st.floats(0.0, 0.3), st.integers(0, 10**6))
def test_random_graphs(n_nodes: int, density: float, seed: int) -> None:
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
