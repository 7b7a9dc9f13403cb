"""Ranks by degree and the graph rewritten in them, against plain loops."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from tests.cases import for_each
from tests.graphs import ZOO, directed_copy
from vnestruct import Graph
from vnestruct.embedding.plan import read_only
from vnestruct.graph import IN, OUT
from vnestruct.kernels import ranking
from vnestruct.kernels.ranking import Parallel

every_graph = for_each("graph", ZOO.values(), ids=list(ZOO))


def ranks_of(graph: Graph) -> tuple[np.ndarray, np.ndarray]:
    rank, node = ranking.rank_by_degree(graph.indptr)
    return read_only(rank), read_only(node)


def rows_of(indptr: np.ndarray, indices: np.ndarray) -> list[list[int]]:
    return [indices[indptr[u] : indptr[u + 1]].tolist() for u in range(indptr.size - 1)]


@every_graph
def test_ranks_descend_in_degree_and_ties_go_to_the_smaller_id(graph: Graph) -> None:
    rank, node = ranks_of(graph)
    expected = sorted(range(graph.n_nodes), key=lambda u: (-graph.degrees[u], u))
    assert node.tolist() == expected
    assert np.array_equal(rank[node], np.arange(graph.n_nodes))
    assert rank.dtype == node.dtype == np.int32


@every_graph
def test_rows_in_ranks(graph: Graph) -> None:
    """All arcs, on one thread and on three, and those to larger degree alone."""
    rank, node = ranks_of(graph)
    arcs = graph.indptr, graph.indices, rank, node
    expected = [sorted(rank[graph.indices[graph.indptr[u] : graph.indptr[u + 1]]].tolist()) for u in node]
    upward = [[w for w in row if w < r] for r, row in enumerate(expected)]
    with ThreadPoolExecutor(3) as pool:
        for found in (ranking.ranked_rows(*arcs), ranking.ranked_rows(*arcs, Parallel(3, pool.map))):
            assert rows_of(*found[:2]) == expected
            assert found[2].tolist() == [len(row) for row in upward]
            assert [array.dtype for array in found] == [np.int64, np.int32, np.int32]
    indptr, indices, split = ranking.upward_rows(*arcs)
    assert rows_of(indptr, indices) == upward
    assert np.array_equal(split, np.diff(indptr))


@every_graph
def test_values_follow_their_pairs(graph: Graph) -> None:
    """Weights as they are; directions as the other end sees them, by which arcs are chosen."""
    graph = directed_copy(graph, seed=1)
    rank, node = ranks_of(graph)
    indptr, indices, _ = map(read_only, ranking.ranked_rows(graph.indptr, graph.indices, rank, node))
    sources = np.repeat(np.arange(graph.n_nodes), np.diff(indptr))
    pairs = list(zip(rank[graph.indices].tolist(), rank[graph.sources].tolist(), strict=True))
    for values in (graph.directions, np.random.default_rng(1).random(graph.indices.size)):
        found = ranking.ranked_values(graph.indptr, graph.indices, values, rank, node, indptr)
        expected = dict(zip(pairs, values.tolist(), strict=True))
        assert found.tolist() == [expected[pair] for pair in zip(sources.tolist(), indices.tolist(), strict=True)]
    flags = ranking.ranked_values(graph.indptr, graph.indices, graph.directions, rank, node, indptr)
    for bit in (IN, OUT):
        chosen = ranking.chosen_arcs(indptr, indices, read_only(flags), bit)
        pairs = [(w, r) for r, row in enumerate(rows_of(*chosen)) for w in row]
        has_bit = graph.directions & bit != 0
        assert sorted(pairs) == sorted(zip(rank[graph.sources[has_bit]], rank[graph.indices[has_bit]], strict=True))
