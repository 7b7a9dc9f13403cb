"""Experiments about graph learning: multisets of rows, permuted copies, noisy copies, heads on given folds, results."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest
from benchmarks.learning_tables import TABLES
from experiments.splits import ALL_NAMES, Fold, folds_of, load
from experiments.expressivity import run
from experiments.expressivity.pairs import Pairs, differ, graph_set, permuted, read_pairs
from experiments.expressivity.smallest import SIGNATURES, cycles
from experiments.storage import data_folder
from tests.cases import for_each

from experiments import fair_splits, matching
from vnestruct.embedding import embed
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.setmodel import heads
from vnestruct.setmodel.heads import CANDIDATES

needs_data = pytest.mark.skipif(not (data_folder() / "brec").exists(), reason="the data folder with brec/ is not here")
ROOK = nx.convert_node_labels_to_integers(nx.line_graph(nx.complete_bipartite_graph(4, 4)))
SHRIKHANDE = nx.from_edgelist(
    ((a, b), ((a + x) % 4, (b + y) % 4)) for a in range(4) for b in range(4) for x, y in ((0, 1), (1, 0), (1, 1))
)


def test_rows_are_compared_as_multisets():
    rows = np.random.default_rng(0).random((6, 3))
    assert not differ(rows, rows[::-1] + 1e-8)
    assert differ(rows, rows + 1e-3)
    assert differ(rows, rows[:5])
    # Equal columns, but not equal rows.
    assert differ(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([[0.0, 1.0], [1.0, 0.0]]))
    assert differ(np.array([[0.0], [0.0], [1.0]]), np.array([[0.0], [1.0], [1.0]]))


def test_strongly_regular_graphs_need_the_spectrum():
    graphs = graph_set([ROOK, nx.convert_node_labels_to_integers(SHRIKHANDE)])
    pair = Pairs(graphs, ["str"])
    assert pair.separated(embed(graphs, 2)) == []
    assert pair.separated(embed(graphs, 1, kind="exact")) == [0]
    copies = permuted(graphs, [0, 0, 1], seed=5)
    table = embed(copies, 2, kind="exact")
    assert not differ(table[:16], table[16:32])
    assert differ(table[:16], table[32:])


@for_each("radius", [1, 2, 3])
def test_rings_are_equal_up_to_a_radius(radius):
    graphs = graph_set(list(cycles(radius)))
    for r, expected in ((radius, []), (radius + 1, [0])):
        assert Pairs(graphs, ["ring"]).separated(embed(graphs, r, kind=["approx", "exact"])) == expected


def test_columns_of_a_signature_inside_the_widest():
    graphs = graph_set([nx.path_graph(6), ROOK])
    widest = embed(graphs, **run.COMBINATIONS["all kinds, mean and std, radius 4"])
    for options in run.COMBINATIONS.values():
        np.testing.assert_allclose(widest[:, run.columns_of(**options)], embed(graphs, **options), atol=1e-9)


def test_the_paired_comparison_finds_differences_only():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(run.DRAWS, run.SIZE)) * 1e-9
    assert not run.paired_comparison(vectors, vectors[::-1])
    assert run.paired_comparison(vectors, vectors + 0.01)


def test_noisy_copies_lose_edges_and_keep_nodes():
    graph = barabasi_albert(60, 3, 0)
    for percent in (0, 10):
        copy, order = matching.noisy_copy(graph, percent, seed=1)
        assert copy.n_edges == graph.n_edges - round(graph.n_edges * percent / 100)
        edges = {tuple(sorted(edge)) for edge in zip(*matching._edges(copy), strict=True)}
        source, target = matching._edges(graph)
        assert edges <= {tuple(sorted(edge)) for edge in zip(order[source], order[target], strict=True)}
    found = matching.candidates("vnestruct", graph, *matching.noisy_copy(graph, 0, 1), 1)
    assert matching.precision(found, matching.noisy_copy(graph, 0, 1)[1], 10) > 0.9


def test_heads_of_a_fold_are_those_of_the_classifier():
    rng = np.random.default_rng(0)
    numbers, words = rng.normal(size=(40, 5)), rng.integers(0, 4, (40, 12)).astype(float)
    rows, classes, graphs = np.hstack([numbers, words]), rng.integers(0, 2, 40), np.arange(40)
    fold = Fold(graphs[:25], graphs[25:32], graphs[32:])
    made = fair_splits.FoldHeads(rows, 12, classes, fold)
    for candidate in CANDIDATES:
        arrays = heads.fit_head(candidate, rows[fold.train], 12, classes[fold.train], 0)
        expected = heads.head_scores(candidate, arrays, rows[fold.test], 12)
        np.testing.assert_allclose(made.scores(candidate, fold.train, fold.test), expected, rtol=1e-3, atol=2e-4)
    result = made.test(["ridge", "svm 1 on words"])
    assert [name.split()[0] for name in result["heads"]] == ["ridge", "svm"]
    assert 0.0 <= result["test"] <= 1.0


@needs_data
@for_each("name", [name for name in ALL_NAMES if name not in ("COLLAB", "DD", "REDDIT-BINARY")])
def test_published_splits_fit_the_order_of_the_graphs(name):
    collection = load(name, data_folder())
    assert len(folds_of(name, data_folder(), collection)) == 10
    with pytest.raises(ValueError, match="do not fit"):
        folds_of(name, data_folder(), collection.subset(np.random.default_rng(0).permutation(len(collection))))


@needs_data
def test_committed_counts_are_those_of_the_product():
    pairs = read_pairs(data_folder(), ["basic", "regular"])
    committed = json.loads((run.FOLDER / "all_kinds.json").read_text())["signatures"]["exact, radius 2"]
    found = run.per_category(pairs, pairs.separated(embed(pairs.graphs, 2, kind="exact")))
    assert (found["basic"], found["regular"]) == (committed["basic"], committed["regular"]) == (60, 50)


def test_committed_results_meet_what_the_documents_say():
    result = json.loads((run.FOLDER / "all_kinds.json").read_text())
    assert result["copies"] == {"checked": 200, "told apart": 0}
    assert result["signatures"]["exact, radius 2"]["total"] == 279
    assert result["signatures"]["exact, mean and std"]["total"] == 280
    smallest = json.loads((run.FOLDER / "smallest.json").read_text())["equal"]
    for name, options in SIGNATURES.items():
        if smallest[name]["smallest"]:
            graphs = graph_set([nx.from_graph6_bytes(text.encode()) for text in smallest[name]["smallest"]])
            assert Pairs(graphs, ["pair"]).separated(embed(graphs, **options)) == []
    for name in TABLES:
        assert TABLES[name]().startswith("| ")
