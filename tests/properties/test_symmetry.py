"""Nodes that some symmetry of the graph maps to each other have the same signature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import strategies as st

from tests import generators as synthetic
from tests.graphs import edges_of, from_edges, petersen
from tests.oracles import KINDS
from tests.properties.changes import holds_for, relabelled
from vnestruct import Graph, embed

igraph = pytest.importorskip("igraph", reason="igraph is not installed")

SHAPES = [synthetic.house_shape(), synthetic.fan_shape(5), synthetic.star_shape(5)]


def circulant(n_nodes: int, steps: list[int]) -> Graph:
    return from_edges([(u, (u + s) % n_nodes) for u in range(n_nodes) for s in steps], n_nodes)


def hub_with_a_tail(leaves: int, tail: int) -> Graph:
    edges = [(0, leaf) for leaf in range(1, leaves + 1)]
    edges += [(0 if i == 0 else leaves + i, leaves + i + 1) for i in range(tail)]
    return from_edges(edges, leaves + tail + 1)


def ring(step: int, copies: int, shape: synthetic.Shape) -> Graph:
    return synthetic.ring_of_shapes(step * copies, [shape] * copies)[0]


symmetric_graphs = st.one_of(
    st.builds(synthetic.cycle, st.integers(3, 40)),
    st.builds(synthetic.hypercube, st.integers(1, 5)),
    st.builds(synthetic.clique, st.integers(1, 12)),
    st.integers(2, 6).map(lambda parts: synthetic.complete_multipartite([3] * parts)),
    st.just(petersen()),
    st.builds(circulant, st.integers(9, 30), st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True)),
    st.builds(synthetic.barbell, st.integers(2, 9), st.integers(0, 8)),
    st.builds(synthetic.balanced_tree, st.integers(2, 4), st.integers(1, 3)),
    st.builds(synthetic.grid, st.integers(2, 7), st.integers(2, 7)),
    st.builds(hub_with_a_tail, st.integers(3, 12), st.integers(1, 6)),
    st.builds(ring, st.integers(2, 4), st.integers(3, 10), st.sampled_from(SHAPES)),
)


@holds_for(
    symmetric_graphs, st.integers(1, 5), st.sampled_from((*KINDS, "unscaled", "sizes")), st.integers(0, 2**32 - 1)
)
def test_a_symmetry_keeps_the_rows(graph: Graph, radius: int, kind: str, seed: int) -> None:
    # Of a shuffled copy, back in the old order: the numbering may not favour anyone.
    place = np.random.default_rng(seed).permutation(graph.n_nodes)
    rows = embed(relabelled(graph, place.tolist()), radius, kind=kind, n_jobs=1)[place]
    for moved in igraph.Graph(graph.n_nodes, edges_of(graph)).automorphism_group():
        np.testing.assert_allclose(rows[moved], rows, rtol=0, atol=1e-9)
