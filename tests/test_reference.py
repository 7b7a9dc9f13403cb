"""The definition: known entropies, balls, and answers for small graphs that wait for no compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, weighted_copy
from vnestruct import LiveGraph, as_graph, embed, reference, update
from vnestruct.embedding import parameters
from vnestruct.graph import Graph, graph_from_pairs

KINDS = ("approx", "exact", "quadratic", "normalized", "punctured", "unscaled")
SMALL = [name for name, graph in ZOO.items() if 0 < graph.n_nodes <= parameters.SMALL_GRAPH]


CLIQUE, EDGE = (np.ones((n, n)) - np.eye(n) for n in (5, 2))
STAR = np.outer(np.arange(5) == 0, np.arange(5) > 0) + np.outer(np.arange(5) > 0, np.arange(5) == 0) * 1.0
SHARES = np.array([1, 1, 1, 5]) / 8
OF_STAR = {"exact": -(SHARES * np.log(SHARES)).sum()}


@for_each(
    ("matrix", "expected"),
    [
        (CLIQUE, {"exact": np.log(4), "quadratic": 0.75, "approx": 0.75 * np.log(4), "unscaled": -0.75 * np.log(5)}),
        (CLIQUE, {"nodes": 5, "edges": 10, "squares": 80, "largest": 5}),
        (EDGE, dict.fromkeys(("exact", "approx", "quadratic", "unscaled"), 0)),
        (STAR, OF_STAR),
        (STAR * 1e-200, OF_STAR),
        (np.zeros((3, 3)), {"exact": 0}),
    ],
)
def test_entropies_of_cliques_stars_and_edges(matrix: np.ndarray, expected: dict[str, float]) -> None:
    found = reference.measures(matrix)
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@for_each("name", SMALL)
def test_balls_cores_cut_nodes_and_squares(name: str) -> None:
    for graph in (ZOO[name], directed_copy(ZOO[name], seed=1)):
        for direction in ("all", "out", "in"):
            for r, members in enumerate(reference.balls(graph, 3, direction), 1):
                for v in range(graph.n_nodes):
                    assert set(np.flatnonzero(members[v])) == oracles.ball(graph, v, r, direction)
    network = nx.from_numpy_array(reference.adjacency(ZOO[name]))
    assert reference.core_numbers(ZOO[name]).tolist() == list(nx.core_number(network).values())
    assert set(np.flatnonzero(reference.cut_nodes(ZOO[name]))) == set(nx.articulation_points(network))
    if nx.is_bipartite(network):
        # Each 4-cycle of a graph without triangles has four nodes.
        square = np.linalg.matrix_power(reference.adjacency(ZOO[name]), 2)
        pairs = np.triu(square * (square - 1) / 2, 1).sum()
        assert reference.square_counts(ZOO[name]).sum() == pytest.approx(2 * pairs)


def test_mutual_arcs_are_one_edge_whose_weights_add() -> None:
    mutual = graph_from_pairs(["a", "b", "b"], ["b", "a", "c"], [2, 3, 1], directed=True)
    assert reference.adjacency(mutual, weighted=True).tolist() == [[0, 5, 0], [5, 0, 1], [0, 1, 0]]
    assert reference.adjacency(mutual).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    # A directed ball holds all edges between its nodes.
    triangle = graph_from_pairs(["a", "a", "c"], ["b", "c", "b"], directed=True)
    assert oracles.signature(triangle, 1, direction="out+in")[0].tolist() == [oracles.entropy(triangle), 0]


@for_each("name", SMALL)
@for_each("options", [{}, {"weighted": True}, {"direction": "out+in"}])
def test_kernels_agree(name: str, options: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    graph = directed_copy(weighted_copy(ZOO[name], seed=1), seed=2, weighted=True)
    kinds = [{"radius": 3, "kind": KINDS, "aggregate": "mean"}, {"kind": "profile"}]
    kinds += [{"kind": "roles"}, {"kind": "noisy"}] if not options else []
    found = [embed(graph, **kind, **options) for kind in kinds]  # type: ignore[arg-type]
    monkeypatch.setattr(parameters, "SMALL_GRAPH", 0)
    for rows, kind in zip(found, kinds, strict=True):
        np.testing.assert_allclose(rows, embed(graph, **kind, **options), rtol=0, atol=1e-9)  # type: ignore[arg-type]


def test_a_changed_graph_a_live_one_and_a_collection_agree() -> None:
    graph, edge = ZOO["power law"], [(0, 49)]
    changed = update(graph, embed(graph, 2), added=edge)
    np.testing.assert_allclose(changed.H, embed(changed.graph, 2), rtol=0, atol=1e-9)
    live = LiveGraph(graph, 1)
    live.apply(edge)
    np.testing.assert_allclose(live.signatures(), embed(changed.graph, 1), rtol=0, atol=1e-9)
    large = embed([graph, ZOO["barabasi albert"]], 2)
    np.testing.assert_allclose(large[: graph.n_nodes], embed(graph, 2), rtol=0, atol=1e-9)


def test_some_rows_and_parts(tmp_path: Path) -> None:
    graph = as_graph(nx.karate_club_graph(), weight=False)
    rows = embed(graph, 2)
    assert np.array_equal(embed(graph, 2, nodes=[33, 0]), rows[[33, 0]])
    parts = [embed(graph, 2, part=(k, 2), checkpoint=tmp_path) for k in (1, 2)]
    assert np.array_equal(np.isnan(parts[0]), ~np.isnan(parts[1]))
    assert np.array_equal(embed(graph, 2, checkpoint=tmp_path), rows)
    assert embed(Graph([0], []), 2).shape == (0, 2)


FIRST = """
import networkx, sys, vnestruct
from vnestruct import explain, similar_nodes, RoleClusterer
club = networkx.karate_club_graph()
vnestruct.embed(club, 2)
for kind in ("roles", "profile", "noisy"):
    vnestruct.embed(club, kind=kind)
model = RoleClusterer().fit(club)
explain(club, 0, 33)
similar_nodes(club, 0)
"""


def test_small_graphs_compile_nothing(tmp_path: Path) -> None:
    caches = {"NUMBA_CACHE_DIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", FIRST], env=os.environ | caches, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
