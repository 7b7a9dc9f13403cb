"""Graph signatures against their definition, and heads against scikit-learn."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.setmodel.graphs import molecules
from vnestruct import embed
from vnestruct.graph import GraphSet, graph_from_ids
from vnestruct.setmodel import GraphSignature, NodeFeatures
from vnestruct.setmodel.evaluation import stratified_folds
from vnestruct.setmodel.heads import CANDIDATES, Head, Space
from vnestruct.setmodel.signature import QUANTILES, neighbourhood_words


@pytest.fixture(scope="module")
def graphs() -> GraphSet:
    return molecules(12)


def test_columns_match_their_names(graphs: GraphSet) -> None:
    signature, H, types = GraphSignature(radius=2).fit(graphs), embed(graphs, 2), graphs.node_types
    assert types is not None
    for place, row in enumerate(signature.transform(graphs)):
        found = dict(zip(signature.get_feature_names_out(), row, strict=True))
        (h1, h2), own = H[graphs.slice(place)].T, types[graphs.slice(place), 0]
        expected = {"nodes": own.size, "edges": graphs[place].n_edges, "mean h2": h2.mean(), "deviation h1": h1.std()}
        expected |= {f"quantile {share} h2": np.quantile(h2, share) for share in QUANTILES}
        expected |= {f"count type {kind}": (own == kind).sum() for kind in (0, 1)}
        expected |= {f"sum h1 of type {kind}": h1[own == kind].sum() for kind in (0, 1)}
        assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-7)
        assert sum(found[f"bin {place} h1"] for place in range(signature.bins)) == pytest.approx(1.0)


def test_words_are_learned_in_fitting_alone(graphs: GraphSet) -> None:
    signature = GraphSignature(radius=2).fit(graphs)
    known = signature.transform(graphs)[:, -signature.n_words :]
    # Every kept word occurs in at least two graphs; a node has one word of each length.
    assert ((known > 0).sum(axis=0) >= 2).all()
    assert (known.sum(axis=1) <= 3 * np.diff(graphs.offsets)).all()
    strange = GraphSet(graphs.graph, graphs.offsets, node_types=np.full(graphs.graph.n_nodes, 5))
    assert not signature.transform(strange)[:, -signature.n_words :].any()
    assert GraphSignature(radius=2, max_words=3).fit(graphs).n_words == 2 + 3 + 3


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_neighbourhood_words_are_colours_of_the_weisfeiler_lehman_test(seed: int, depth: int) -> None:
    rng = np.random.default_rng(seed)
    n_nodes = int(rng.integers(1, 25))
    edges = rng.integers(0, n_nodes, (int(rng.integers(0, 40)), 2))
    graph = graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=n_nodes)
    colours = rng.integers(0, 3, n_nodes)
    words: np.ndarray = colours
    for _ in range(depth):
        words = neighbourhood_words(graph, words)
        around = [np.sort(colours[graph.indices[a:b]]).tolist() for a, b in pairwise(graph.indptr)]
        rows = [(own, *near) for own, near in zip(colours.tolist(), around, strict=True)]
        colours = np.array([sorted(set(rows)).index(row) for row in rows])
    assert words.min() >= 0
    np.testing.assert_array_equal(np.equal.outer(words, words), np.equal.outer(colours, colours))


def test_depth_adds_words_and_changes_no_other_column(graphs: GraphSet) -> None:
    plain, deep = GraphSignature(radius=2).fit(graphs), GraphSignature(radius=2, depth=2).fit(graphs)
    rows, more = plain.transform(graphs), deep.transform(graphs)
    n_numbers = rows.shape[1] - plain.n_words
    np.testing.assert_array_equal(rows[:, :n_numbers], more[:, :n_numbers])
    assert set(plain.words_) < set(deep.words_)
    # A node has three plain words, and two of each depth.
    counts = more[:, n_numbers:]
    assert (counts.sum(axis=1) <= 7 * np.diff(graphs.offsets)).all()
    assert ((counts > 0).sum(axis=0) >= 2).all()
    np.testing.assert_array_equal(deep.transform(graphs.subset([3, 1])), more[[3, 1]])


def test_features_scale_on_the_fitted_graphs_only(graphs: GraphSet) -> None:
    some, others = graphs.subset(range(6)), graphs.subset(range(6, 12))
    features = NodeFeatures(2).fit(some)
    own = features.transform(some)
    np.testing.assert_allclose(own[:, 2:].mean(axis=0), 0.0, atol=1e-12)
    np.testing.assert_allclose(own[:, 2:].std(axis=0), 1.0)
    np.testing.assert_allclose(
        features.transform(others)[:, 2:] * features.deviation + features.mean, embed(others, 2), atol=1e-8
    )
    assert features.names == ["type 0", "type 1", "h1", "h2"]


def test_degrees_stand_in_for_types(graphs: GraphSet) -> None:
    bare = GraphSet(graphs.graph, graphs.offsets)
    features = NodeFeatures(1, degree_bins=3).fit(bare)
    coded = features.transform(bare)[:, :4]
    assert coded.shape[1] == 4
    np.testing.assert_array_equal(coded.argmax(axis=1), np.minimum(bare.graph.degrees, 3))


def signatures(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Four numbers and six counts of words per graph, and the class of each graph."""
    random = np.random.default_rng(seed)
    rows = np.abs(np.hstack([random.normal(size=(50, 4)), random.integers(0, 3, (50, 6))]))
    return rows, (rows[:, 0] + rows[:, 5]).argsort().argsort() * 3 // 50


@pytest.mark.parametrize("n_classes", [2, 3])
def test_heads_see_the_kernels_of_their_definition(n_classes: int) -> None:
    rows, codes = signatures(2)
    codes, space = np.minimum(codes, n_classes - 1), Space(rows, 6)
    damped = np.sqrt(rows)
    damped = (damped - damped.mean(axis=0)) / damped.std(axis=0)
    words = np.minimum(rows[:, None, 4:], rows[None, :, 4:]).sum(axis=2)
    words = words / np.sqrt(np.outer(np.diag(words), np.diag(words)))
    apart = ((damped[:, None, :4] - damped[None, :, :4]) ** 2).mean(axis=2)
    for candidate in CANDIDATES.values():
        near = np.exp(-candidate.gamma * apart)
        kernels = {"numbers": near, "words": words, "both": (near + words) / 2}
        columns = {"numbers": damped[:, :4], "all": damped}
        expected = {"svm": kernels, "ridge": columns, "boosting": {"all": rows}}[candidate.kind][candidate.columns]
        np.testing.assert_allclose(space.inputs(candidate, rows), expected, atol=1e-12, err_msg=candidate.name)
        assert Head(candidate, space, codes, 4).scores(rows[:7]).shape == (7, n_classes)


def test_folds_are_stratified() -> None:
    codes = np.array([0] * 50 + [1] * 25 + [2] * 7)
    folds = stratified_folds(codes, 5, seed=3)
    for code in range(3):
        counts = np.bincount(folds[codes == code], minlength=5)
        assert counts.max() - counts.min() <= 1
    assert np.ptp(np.bincount(folds)) <= 1
