"""Nodes that some symmetry of the graph maps to each other have the same signature."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests import generators as synthetic
from tests.graphs import from_edges, petersen
from tests.oracles import KINDS
from tests.properties.changes import holds_for, relabelled
from vnestruct import Graph, embed

kinds = st.sampled_from((*KINDS, "unscaled", "sizes"))
radii = st.integers(1, 5)
seeds = st.integers(0, 2**32 - 1)


def rows(graph: Graph, radius: int, kind: str, seed: int) -> np.ndarray:
    """Signatures of a shuffled copy, back in the old order: the numbering may not favour anyone."""
    place = np.random.default_rng(seed).permutation(graph.n_nodes)
    return embed(relabelled(graph, place.tolist()), radius, kind=kind, n_jobs=1)[place]


def assert_all_equal(found: np.ndarray) -> None:
    assert np.ptp(found, axis=0).max() <= 1e-9


def circulant(n_nodes: int, steps: list[int]) -> Graph:
    return from_edges([(u, (u + s) % n_nodes) for u in range(n_nodes) for s in steps], n_nodes)


@holds_for(
    st.one_of(
        st.integers(3, 40).map(synthetic.cycle),
        st.integers(1, 5).map(synthetic.hypercube),
        st.integers(1, 12).map(synthetic.clique),
        st.integers(1, 8).map(lambda half: synthetic.complete_bipartite(half, half)),
        st.integers(2, 6).map(lambda parts: synthetic.complete_multipartite([3] * parts)),
        st.just(petersen()),
        st.builds(circulant, st.integers(9, 30), st.lists(st.integers(1, 4), min_size=1, max_size=3, unique=True)),
    ),
    radii,
    kinds,
    seeds,
)
def test_all_nodes_of_a_symmetric_graph_agree(graph: Graph, radius: int, kind: str, seed: int) -> None:
    assert_all_equal(rows(graph, radius, kind, seed))


@holds_for(st.integers(2, 9), st.integers(0, 8), radii, kinds, seeds)
def test_the_two_halves_of_a_barbell_mirror_each_other(
    size: int, length: int, radius: int, kind: str, seed: int
) -> None:
    graph = synthetic.barbell(size, length)
    found = rows(graph, radius, kind, seed)
    assert np.abs(found - found[mirror(size, length)]).max() <= 1e-9
    assert_all_equal(found[: size - 1])


def mirror(size: int, length: int) -> list[int]:
    """The other node of each: first cliques (their last node carries the path), then the path backwards."""
    second = size + length
    inner = [*range(second + 1, second + size), second]
    path = [second - 1 - i for i in range(length)]
    return [*inner, *path, size - 1, *range(size - 1)]


@holds_for(st.integers(2, 4), st.integers(1, 3), radii, kinds, seeds)
def test_all_nodes_of_a_level_of_a_tree_agree(branching: int, height: int, radius: int, kind: str, seed: int) -> None:
    found = rows(synthetic.balanced_tree(branching, height), radius, kind, seed)
    first = 0
    for level in range(height + 1):
        assert_all_equal(found[first : first + branching**level])
        first += branching**level


@holds_for(st.integers(2, 7), st.integers(2, 7), radii, kinds, seeds)
def test_a_grid_looks_the_same_from_its_four_corners(
    height: int, width: int, radius: int, kind: str, seed: int
) -> None:
    found = rows(synthetic.grid(height, width), radius, kind, seed).reshape(height, width, -1)
    for other in (found[::-1], found[:, ::-1]):
        assert np.abs(found - other).max() <= 1e-9


@holds_for(st.integers(3, 12), st.integers(1, 6), st.integers(1, 3), kinds, seeds)
def test_the_leaves_of_a_hub_agree(leaves: int, tail: int, radius: int, kind: str, seed: int) -> None:
    edges = [(0, leaf) for leaf in range(1, leaves + 1)]
    edges += [(0 if i == 0 else leaves + i, leaves + i + 1) for i in range(tail)]
    found = rows(from_edges(edges, leaves + tail + 1), radius, kind, seed)
    assert_all_equal(found[1 : leaves + 1])
