"""Synthetic graphs: the known families, and random graphs that their seeds decide."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from tests.generators import from_networkx
from tests.graphs import edges_of
from vnestruct.errors import ParameterError
from vnestruct.graph import synthetic

FAMILIES = [
    (synthetic.path(7), nx.path_graph(7)),
    (synthetic.path(1), nx.path_graph(1)),
    (synthetic.cycle(6), nx.cycle_graph(6)),
    (synthetic.star(5), nx.star_graph(5)),
    (synthetic.clique(6), nx.complete_graph(6)),
    (synthetic.barbell(5, 3), nx.barbell_graph(5, 3)),
    (synthetic.barbell(4, 0), nx.barbell_graph(4, 0)),
    (synthetic.grid(4, 6), nx.grid_2d_graph(4, 6)),
]


@pytest.mark.parametrize(("graph", "known"), FAMILIES, ids=str)
def test_families_are_the_known_ones(graph: synthetic.Graph, known: nx.Graph) -> None:
    assert nx.is_isomorphic(nx.Graph(edges_of(graph)), nx.Graph(list(known.edges)))
    assert graph.n_nodes == len(known)


def test_seeds_decide() -> None:
    for generate in (
        lambda seed: synthetic.barabasi_albert(50, 3, seed),
        lambda seed: synthetic.barabasi_albert(3000, 3, seed),
        lambda seed: synthetic.grid(6, 6, shuffled=seed),
    ):
        assert generate(3) == generate(3) != generate(4)
    shuffled = synthetic.grid(4, 6, shuffled=1)
    assert nx.is_isomorphic(nx.Graph(edges_of(shuffled)), nx.grid_2d_graph(4, 6))
    assert from_networkx(nx.grid_2d_graph(4, 6)) == synthetic.grid(4, 6)


@pytest.mark.parametrize(("n_nodes", "attachments"), [(10, 9), (10, 1), (200, 4), (5000, 5)])
def test_attachment_counts(n_nodes: int, attachments: int) -> None:
    graph = synthetic.barabasi_albert(n_nodes, attachments, seed=2)
    assert graph.n_edges == attachments * (n_nodes - attachments)
    assert graph.report.parallel_merged == graph.report.self_loops_dropped == 0
    assert nx.is_connected(nx.Graph(edges_of(graph)))


def test_attachment_prefers_large_degrees() -> None:
    # Degrees then follow a power law of exponent 3, P(degree >= 2m) near 1/4; uniform attachment gives 0.14.
    graph = synthetic.barabasi_albert(100_000, 5, seed=2)
    tail = [np.mean(graph.degrees >= degree) for degree in (10, 20, 40, 80)]
    assert tail == pytest.approx([5 * 6 / (d * (d + 1)) for d in (10, 20, 40, 80)], rel=0.1)


@pytest.mark.parametrize(
    ("generate", "value"),
    [
        (lambda: synthetic.path(-1), "`n_nodes` .* not -1"),
        (lambda: synthetic.cycle(2), "`n_nodes` .* not 2"),
        (lambda: synthetic.barbell(0, 3), "`clique_size` .* not 0"),
        (lambda: synthetic.barabasi_albert(5, 5, seed=1), "attachments is 5"),
    ],
)
def test_bad_parameters(generate: object, value: str) -> None:
    with pytest.raises(ParameterError, match=value):
        generate()  # type: ignore[operator]
