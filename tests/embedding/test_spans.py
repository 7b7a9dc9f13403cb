"""Sets of small graphs take a path of their own, to the same bits as any other graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, disjoint_union, relabelled, weighted_copy
from vnestruct import Graph, embed
from vnestruct.embedding import radius_one
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.plan import rank_graph
from vnestruct.execute import ThreadsEngine
from vnestruct.graph import graph_from_ids
from vnestruct.kernels import spans

KINDS = ("approx", "quadratic", "unscaled", "parts")
SMALL = [graph for graph in ZOO.values() if graph.n_nodes]
WITH_CENTRES = [synthetic.star(70), synthetic.clique(4), synthetic.path(1), synthetic.path(2), synthetic.path(3)]


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few arcs take the path."""
    monkeypatch.setattr(spans, "FEW_ARCS", 1)


def both_paths(graph: Graph, radius: int, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(spans, "FEW_ARCS", 1)
        found = embed(graph, radius, **options)
        changed.setattr(spans, "FEW_ARCS", np.inf)
        return found, embed(graph, radius, **options)


def same_bits(graph: Graph, radius: int, **options: Any) -> bool:
    found, expected = both_paths(graph, radius, **options)
    return bool(np.array_equal(found.view(np.uint64), expected.view(np.uint64)))


def ego(n_nodes: int, probability: float, seed: int) -> Graph:
    """A random graph in which one node, not the first, is joined to all others."""
    graph = synthetic.erdos_renyi(n_nodes, probability, seed=seed)
    pairs = np.column_stack([np.repeat(np.arange(n_nodes), graph.degrees), graph.indices])
    star = np.column_stack([np.full(n_nodes, n_nodes // 2), np.arange(n_nodes)])

    return graph_from_ids(*np.vstack([pairs, star]).T, n_nodes=n_nodes)


UNIONS = {
    "zoo": disjoint_union(*SMALL),
    "zoo, nodes without edges first": disjoint_union(synthetic.path(1), synthetic.path(1), *SMALL),
    "centres": disjoint_union(*WITH_CENTRES),
    "ego networks": disjoint_union(*(ego(n, 0.4, n) for n in (1, 2, 3, 40, 64, 65, 130, 200))),
    "ego networks and a path": disjoint_union(ego(30, 0.3, 1), synthetic.path(4), ego(20, 0.3, 2)),
}
every_union = for_each("union", UNIONS.values(), ids=list(UNIONS))


@every_union
def test_the_same_bits_as_the_other_path(union: Graph) -> None:
    assert same_bits(union, 1, kind=KINDS)
    assert same_bits(union, 3, kind=KINDS, aggregate=("mean", "std"))
    assert same_bits(union, 2, kind=("approx", "exact"), nodes=union.nodes[::7])


@every_union
def test_threads(union: Graph, always: None) -> None:
    for radius in (1, 2):
        first, *others = (embed(union, radius, kind=KINDS, n_jobs=n_jobs) for n_jobs in (1, 2, 5))
        assert all(np.array_equal(first, other) for other in others)


def test_oracle(always: None) -> None:
    union = disjoint_union(*WITH_CENTRES, ego(25, 0.3, 4))
    for kind in KINDS[:3]:
        assert np.abs(embed(union, 3, kind=kind) - oracles.signature(union, 3, kind)).max() <= 1e-9


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.integers(1, 200), st.sampled_from([0.0, 0.05, 0.5, 1.0]), st.booleans()), max_size=5))
def test_unions_of_random_graphs(members: list[tuple[int, float, bool]]) -> None:
    graphs = [(ego if centred else synthetic.erdos_renyi)(n, p, seed=n) for n, p, centred in members]
    assert same_bits(disjoint_union(*graphs), 1, kind=KINDS)
    assert same_bits(disjoint_union(*graphs), 2, kind=KINDS)


def test_weights_directions_and_other_kinds_are_left_alone() -> None:
    union = UNIONS["ego networks and a path"]
    assert same_bits(weighted_copy(union, 1), 2, weighted=True)
    assert same_bits(directed_copy(union, 1), 2, direction="out+in")
    assert same_bits(directed_copy(union, 1), 2)
    assert same_bits(UNIONS["centres"], 2, kind="normalized")


def test_checkpoints_keep_their_rows(tmp_path: Any, always: None) -> None:
    union = UNIONS["ego networks"]
    for part in ("1/2", "2/2"):
        embed(union, 2, part=part, checkpoint=tmp_path / "kept")
    assert np.array_equal(embed(union, 2, checkpoint=tmp_path / "kept"), embed(union, 2))


def test_rows_by_rank(always: None) -> None:

    union, backend = UNIONS["zoo"], ThreadsBackend(2)
    ranked = rank_graph(union)
    by_node = backend.radius_one(union, ("approx", "edges"))
    assert np.array_equal(backend.radius_one(union, ("approx", "edges"), ranked)[ranked.rank], by_node)
    assert np.array_equal(by_node, radius_one.radius_one_of_spans(union, ("approx", "edges"), ThreadsEngine(1)))


@for_each("largest", [1, 2, 7, 50, 8192])
def test_spans_are_the_components_in_order(largest: int, always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many nodes are looked at together; and a span of more of them is too large."""
    members = [synthetic.path(1), synthetic.cycle(5), synthetic.path(1), synthetic.star(6), synthetic.path(2)] * 3
    monkeypatch.setattr(radius_one, "_LARGEST_SPAN", largest)
    starts = radius_one.spans_of(disjoint_union(*members))
    if largest < 7:
        assert starts is None
    else:
        assert starts is not None
        assert starts.tolist() == [0, *np.cumsum([graph.n_nodes for graph in members])]
    assert radius_one.spans_of(synthetic.path(60)) is None or largest > 50


def test_graphs_that_bits_do_not_suit(always: None) -> None:
    assert radius_one.spans_of(synthetic.path(1024)) is not None
    assert radius_one.spans_of(synthetic.path(1100)) is None
    assert radius_one.spans_of(synthetic.clique(1100)) is not None
    assert radius_one.spans_of(disjoint_union(synthetic.clique(5), synthetic.path(1100), synthetic.clique(5))) is None
    assert radius_one.spans_of(synthetic.path(9000)) is None
    assert radius_one.spans_of(Graph([0], [])) is None


def test_centres(always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    found = radius_one.centres_of(disjoint_union(synthetic.path(1), synthetic.path(3), ego(9, 0.0, 1)))
    assert found is not None
    assert found.tolist() == [0, 2, 2, 2, *[8] * 9]
    assert radius_one.centres_of(disjoint_union(synthetic.path(3), synthetic.path(4))) is None
    # Components whose nodes are mixed are not told apart.
    assert radius_one.centres_of(relabelled(disjoint_union(synthetic.star(9), synthetic.star(9)), 3)[0]) is None
    monkeypatch.setattr(spans, "FEW_ARCS", 1000)
    assert radius_one.centres_of(synthetic.star(9)) is None


def test_an_error_in_a_thread_is_not_lost(always: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise MemoryError("no room for bits")

    monkeypatch.setattr(spans, "add_sums", fail)
    with pytest.raises(MemoryError, match="no room"):
        embed(UNIONS["zoo"], 1)
