"""Links in few bytes: nothing is lost, and of too many, those to large neighbours stay."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.explore.pages import links_of
from tests.graphs import edges_of
from vnestruct import as_graph
from vnestruct.explore.content import kept_links, link_arrays
from vnestruct.graph.synthetic import star


@given(st.sets(st.tuples(st.integers(0, 40), st.integers(0, 40)).filter(lambda pair: pair[0] != pair[1]), min_size=1))
def test_links_come_back(edges: set[tuple[int, int]]) -> None:
    graph = as_graph(sorted(edges))
    assert links_of(link_arrays(graph)) == set(edges_of(graph))


def test_of_many_links_those_to_the_largest_neighbours_stay() -> None:
    ends = np.random.default_rng(2).integers(0, 500, (4000, 2)) ** 2 // 500
    graph = as_graph([(a, b) for a, b in ends.tolist() if a != b])
    most = 2 * graph.n_nodes
    kept, words = kept_links(graph, most=most)
    assert set(edges_of(kept)) < set(edges_of(graph))
    assert words == f"{kept.n_edges:,} of {graph.n_edges:,} links: those of each node to the 2 largest neighbours"
    assert np.array_equal(kept.degrees == 0, graph.degrees == 0)
    for node in range(graph.n_nodes):
        row = graph.indices[graph.indptr[node] : graph.indptr[node + 1]]
        wanted = sorted(row.tolist(), key=lambda other: (-graph.degrees[other], other))[:2]
        assert set(wanted) <= set(kept.indices[kept.indptr[node] : kept.indptr[node + 1]].tolist())
    assert kept_links(star(9), most=3)[0].n_edges == 9, "every leaf keeps its only link"
    assert kept_links(graph)[0] is graph
