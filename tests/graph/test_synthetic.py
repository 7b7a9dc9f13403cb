"""Synthetic graphs: counts and degrees that the mathematics dictates, and seeds that decide."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import networkx
import numpy as np
import pytest

from tests.cases import for_each
from tests.graphs import directed_copy, edges_of
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, graph_from_object, synthetic


@for_each(
    ("graph", "reference"),
    [
        (synthetic.path(7), networkx.path_graph(7)),
        (synthetic.cycle(6), networkx.cycle_graph(6)),
        (synthetic.star(5), networkx.star_graph(5)),
        (synthetic.clique(6), networkx.complete_graph(6)),
        (synthetic.barbell(5, 3), networkx.barbell_graph(5, 3)),
        (synthetic.grid(4, 6), networkx.grid_2d_graph(4, 6)),
        (synthetic.grid(4, 6, shuffled=1), networkx.grid_2d_graph(4, 6)),
    ],
)
def test_families_are_the_known_ones(graph: Graph, reference: Any) -> None:
    network = networkx.Graph(edges_of(graph))
    network.add_nodes_from(range(graph.n_nodes))
    assert networkx.is_isomorphic(network, reference)


@for_each(
    "generate",
    [
        lambda seed: synthetic.barabasi_albert(50, 3, seed),
        lambda seed: synthetic.barabasi_albert(3000, 3, seed),
        lambda seed: synthetic.grid(6, 6, shuffled=seed),
        lambda seed: synthetic.lose_edges(synthetic.clique(9), 0.3, seed),
    ],
)
def test_seeds_decide(generate: Callable[[int], Graph]) -> None:
    graph = generate(3)
    assert graph == generate(3) != generate(4)
    # The constructor raises for arrays that are not those of a graph.
    assert Graph(graph.indptr, graph.indices) == graph


@for_each(("n_nodes", "attachments"), [(10, 9), (10, 1), (200, 4), (5000, 5)])
def test_attachment_counts(n_nodes: int, attachments: int) -> None:
    graph = synthetic.barabasi_albert(n_nodes, attachments, seed=2)
    assert graph.n_edges == attachments * (n_nodes - attachments)
    assert graph.report.parallel_merged == graph.report.self_loops_dropped == 0
    assert networkx.is_connected(networkx.Graph(edges_of(graph)))


def test_attachment_prefers_large_degrees() -> None:
    # Degrees then follow a power law of exponent 3, P(degree >= 2m) near 1/4; uniform attachment gives 0.14.
    graph = synthetic.barabasi_albert(100_000, 5, seed=2)
    tail = [np.mean(graph.degrees >= degree) for degree in (10, 20, 40, 80)]
    expected = [5 * 6 / (d * (d + 1)) for d in (10, 20, 40, 80)]
    assert tail == pytest.approx(expected, rel=0.1)


def test_lost_edges_take_their_arcs_and_weights_along() -> None:
    graph = directed_copy(synthetic.grid(9, 9), seed=1, weighted=True)
    fewer = synthetic.lose_edges(graph, 0.4, seed=2)
    assert (fewer.n_nodes, 0 < fewer.n_edges < graph.n_edges) == (graph.n_nodes, True)
    source, target, weights = graph.edges()
    arcs = dict(zip(zip(source.tolist(), target.tolist(), strict=True), weights, strict=True))
    for u, v, weight in zip(*fewer.edges(), strict=True):
        assert arcs[u, v] == weight
    assert graph_from_object(fewer) is fewer


@for_each(
    ("generate", "named"),
    [
        (lambda: synthetic.path(-1), "`n_nodes` .* -1"),
        (lambda: synthetic.cycle(2), "`n_nodes` .* 2"),
        (lambda: synthetic.barbell(0, 3), "`clique_size` .* 0"),
        (lambda: synthetic.barabasi_albert(5, 5, seed=1), "attachments .* 5"),
    ],
)
def test_bad_parameters(generate: Callable[[], Graph], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        generate()
