"""The entropy profile: against eigenvalues and plain loops, its symmetries, and its parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.embedding.expected import assert_close
from tests.graphs import ZOO, directed_copy, disjoint_union, graph_strategy, random_graphs, relabelled, weighted_copy
from vnestruct import Graph, GraphSet, ParameterError, UnknownNodeError, embed, profile
from vnestruct.embedding import profile_columns
from vnestruct.graph.synthetic import path, star

DECIMALS = {"atol": 1e-9, "rtol": 0.0}


def ball_entropies(matrix: np.ndarray) -> list[float]:
    """ln n, Renyi's entropies of order 2 and infinity, Q and H_hat, by the eigenvalues of L / Tr L."""
    size = np.log(len(matrix))
    if not matrix.any():
        return [size, 0.0, 0.0, 0.0, 0.0]
    values = np.linalg.eigvalsh(oracles.laplacian(matrix) / matrix.sum())
    purity = float((values**2).sum())
    least = -np.log(values[-1])
    return [size, -np.log(purity), least, 1.0 - purity, (1.0 - purity) * least]


def dense_profile(graph: Graph, steps: int, weighted: bool = False, direction: str = "all") -> np.ndarray:
    """The profile by its definition, one node and one column at a time."""
    ways = ("out", "in") if direction == "out+in" else (direction,)
    matrix = oracles.adjacency(graph, weighted)
    rows = []
    for node in range(graph.n_nodes):
        balls = [sorted(oracles.ball(graph, node, 1, way)) for way in ways]
        rows.append([value for ball in balls for value in ball_entropies(matrix[np.ix_(ball, ball)])])
    added = np.array(rows).reshape(graph.n_nodes, 5 * len(ways))
    groups = [added]
    for _ in range(steps):
        moments = np.zeros((graph.n_nodes, 2, added.shape[1]))
        for node in range(graph.n_nodes):
            near = added[sorted(oracles.neighbours(graph, node))]
            if len(near):
                moments[node] = near.mean(axis=0), near.std(axis=0)
        added = moments.reshape(graph.n_nodes, 2 * added.shape[1])
        groups.append(added)
    return np.hstack(groups)


def test_the_zoo_against_eigenvalues() -> None:
    for name, graph in ZOO.items():
        for steps in range(4):
            found = profile(graph, steps, n_jobs=1)
            assert found.shape == (graph.n_nodes, 5 * (2 ** (steps + 1) - 1))
            assert_close(found, dense_profile(graph, steps), f"{name}, {steps} steps")


def test_weights_and_directions_against_eigenvalues() -> None:
    for number, (name, graph) in enumerate(random_graphs(15, seed=3)):
        heavy = weighted_copy(graph, number)
        assert_close(profile(heavy, 1, weighted=True, n_jobs=1), dense_profile(heavy, 1, True), f"{name}, weighted")
        arcs = directed_copy(graph, number, weighted=True)
        for direction in ("all", "out", "in", "out+in"):
            for weighted in (False, True):
                found = profile(arcs, 1, weighted=weighted, direction=direction, n_jobs=1)
                wanted = dense_profile(arcs, 1, weighted, direction)
                assert_close(found, wanted, f"{name}, {direction}, weighted {weighted}")


def test_a_node_and_an_edge() -> None:
    assert (profile(ZOO["isolated nodes"]) == 0.0).all()
    np.testing.assert_array_equal(profile(path(2), 0), [[np.log(2.0), 0, 0, 0, 0]] * 2)
    assert profile(path(0)).shape == (0, 35)


def test_the_signature_is_among_the_columns() -> None:
    graph = ZOO["power law"]
    columns = profile_columns(1)
    values = profile(graph, 1)
    np.testing.assert_array_equal(values[:, columns.index("h1")], embed(graph, 1)[:, 0])
    moments = embed(graph, 1, kind="quadratic", aggregate=("mean", "std"))
    found = [columns.index(name) for name in ("quadratic", "quadratic_mean", "quadratic_std")]
    np.testing.assert_array_equal(values[:, found], moments)


@settings(max_examples=60, deadline=None)
@given(graph_strategy(weighted=None), graph_strategy(), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_order_and_company_do_not_matter(graph: Graph, other: Graph, steps: int, seed: int) -> None:
    alone = profile(graph, steps, n_jobs=1)
    together = profile(disjoint_union(graph, other), steps, n_jobs=1)
    np.testing.assert_allclose(together, np.vstack([alone, profile(other, steps, n_jobs=1)]), **DECIMALS)
    moved, place = relabelled(graph, seed)
    np.testing.assert_allclose(profile(moved, steps, n_jobs=1)[place], alone, **DECIMALS)


@settings(max_examples=60, deadline=None)
@given(graph_strategy(min_nodes=1, weighted=None), st.floats(1e-3, 1e3))
def test_entropies_are_ordered_and_have_no_unit(graph: Graph, unit: float) -> None:
    weighted = graph.weights is not None
    size, collision, least, quadratic, approximate = profile(graph, 0, weighted=weighted, n_jobs=1).T
    for low, high in ((least, collision), (collision, size), (approximate, least), (quadratic, np.ones_like(size))):
        assert (low <= high + 1e-9).all()
    if weighted:
        scaled = Graph(graph.indptr, graph.indices, graph.weights * unit, graph.nodes)
        same = np.column_stack([size, collision, least, quadratic, approximate])
        np.testing.assert_allclose(profile(scaled, 0, weighted=True, n_jobs=1), same, **DECIMALS)


def test_equal_neighbours_do_not_deviate() -> None:
    # The deviation of equal values is 0, not the root of a rounding error.
    for name in ("cycle", "petersen", "hypercube", "clique"):
        values = profile(ZOO[name], 3)
        deviations = [i for i, column in enumerate(profile_columns(3)) if "_std" in column]
        assert np.abs(values[:, deviations]).max() < 1e-14, name


def test_some_nodes_and_sets_of_graphs() -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("b", "d")]
    everything = profile(edges)
    np.testing.assert_array_equal(profile(edges, nodes=["d", "a"]), everything[[3, 0]])
    with pytest.raises(UnknownNodeError):
        profile(edges, nodes=["x"])
    union = GraphSet.from_graphs([star(4), path(5)])
    np.testing.assert_array_equal(profile(union), np.vstack([profile(star(4)), profile(path(5))]))
    table = np.array([[0, 1], [1, 2]])
    np.testing.assert_array_equal(profile(table, 1), profile(path(3), 1))


def test_runs_agree_to_the_last_bit(tmp_path: Any) -> None:
    graph = weighted_copy(ZOO["barabasi albert"], 1)
    wanted = profile(graph, weighted=True, n_jobs=1)
    np.testing.assert_array_equal(profile(graph, weighted=True, n_jobs=3), wanted)
    for _ in range(2):
        np.testing.assert_array_equal(profile(graph, weighted=True, checkpoint=tmp_path / "run"), wanted)


def test_names_of_columns() -> None:
    base = ["size", "collision", "least", "quadratic", "h1"]
    assert profile_columns(0) == base
    assert profile_columns(1)[5:] == [f"{name}_mean" for name in base] + [f"{name}_std" for name in base]
    both = profile_columns(2, "out+in")
    assert len(both) == len(set(both)) == 70
    assert both[0] == "size_out"
    assert both[9] == "h1_in"
    assert both[-1] == "h1_in_std_std"


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({"steps": -1}, "steps must be a whole number of at least 0, not -1"),
        ({"steps": 1.5}, "steps must be a whole number"),
        ({"direction": "up"}, "direction must be one of"),
        ({"weighted": "yes"}, "weighted must be True or False"),
        ({"engine": "abacus"}, "engine must be one of"),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        profile(star(3), **parameters)
