from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.generators import power_law
from vnestruct import ParameterError, UnknownNodeError, embed
from vnestruct.graph.synthetic import barbell
from vnestruct.roles import SignatureIndex, similar_nodes


def brute_force(values: np.ndarray, position: int, k: int) -> list[tuple[int, float]]:
    rows = np.round(values, 8)
    distances = np.round(np.sqrt(((rows - rows[position]) ** 2).sum(axis=1)), 8)
    order = sorted((distance, node) for node, distance in enumerate(distances.tolist()) if node != position)
    return [(node, distance) for distance, node in order[:k]]


def test_exact_on_a_graph_full_of_ties() -> None:
    for k in [1, 3, 10, 100, 5000]:
        values = embed(power_law(300, 2.5, seed=2), 2)
        index = SignatureIndex(values)
        for position in range(0, 300, 7):
            assert index.similar_to(position, k) == brute_force(values, position, k), k


@given(
    st.lists(st.lists(st.integers(0, 3), min_size=2, max_size=2), min_size=1, max_size=25),
    st.data(),
)
def test_exact_on_lattice_points(rows: list[list[int]], data: st.DataObject) -> None:
    values = np.array(rows, dtype=float)
    position = data.draw(st.integers(0, len(rows) - 1))
    k = data.draw(st.integers(1, 30))
    assert similar_nodes(values, None, position, k) == brute_force(values, position, k)


def test_ties_come_in_node_order_under_their_own_labels() -> None:
    graph = barbell(4, 1)
    nodes = list("zyxwvutsr")
    assert similar_nodes(embed(graph, 1), nodes, "x", 3) == [("z", 0.0), ("y", 0.0), ("t", 0.0)]


def test_scaling_decides_which_column_counts() -> None:
    values = [[0.0, 0.0], [1.0, 0.0], [0.0, 30.0], [9.0, 100.0]]
    plain = similar_nodes(values, list("abcd"), "a", 3)
    scaled = similar_nodes(values, list("abcd"), "a", 3, scaling="standard")
    assert [node for node, _ in plain] == ["b", "c", "d"]
    deviations = np.std(values, axis=0)
    assert dict(scaled)["c"] == pytest.approx(30 / deviations[1], abs=1e-8)
    assert dict(scaled)["b"] == pytest.approx(1 / deviations[0], abs=1e-8)


def test_fewer_nodes_than_asked_for() -> None:
    assert similar_nodes([[1.0], [3.0]], ["a", "b"], "a", 10) == [("b", 2.0)]
    assert similar_nodes([[1.0]], ["a"], "a") == []


def test_errors() -> None:
    with pytest.raises(UnknownNodeError, match="node 'q' is not in the graph"):
        similar_nodes([[1.0], [2.0]], ["a", "b"], "q")
    with pytest.raises(ParameterError, match="k must be a whole number of at least 1, not 0"):
        similar_nodes([[1.0], [2.0]], ["a", "b"], "a", 0)
    with pytest.raises(ParameterError, match="1 node labels for 2 signatures"):
        similar_nodes([[1.0], [2.0]], ["a"], "a")
    with pytest.raises(ParameterError, match="scaling must be one of"):
        similar_nodes([[1.0], [2.0]], None, 0, scaling="log")
