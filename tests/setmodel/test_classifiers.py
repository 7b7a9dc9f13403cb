"""The classifiers: no order of nodes, no batches, odd graphs, unseen types, files, seeds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.setmodel.graphs import molecules, reordered
from vnestruct.datasets import Collection, as_collection
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import graph_from_ids
from vnestruct.setmodel import SignatureClassifier, load_classifier

torch = pytest.importorskip("torch")

from vnestruct.setmodel import DeepSetsClassifier  # noqa: E402

EITHER = pytest.mark.parametrize("kind", ["deepsets", "signature"])


def make(kind: str, **options: Any) -> Any:
    if kind == "deepsets":
        return DeepSetsClassifier(**{"radius": 2, "epochs": 15, "width": 8, "batch_size": 16, **options})
    return SignatureClassifier(**{"radius": 2, **options})


@pytest.fixture(scope="module")
def fitted() -> dict[str, Any]:
    graphs = molecules()
    return {kind: make(kind).fit(graphs) for kind in ("deepsets", "signature")}


@EITHER
def test_classes_are_learned(kind: str, fitted: dict[str, Any]) -> None:
    fresh = molecules(60, seed=5)
    assert fitted[kind].score(fresh) > 0.9
    assert fitted[kind].classes_.tolist() == ["ring", "tree"]


@EITHER
def test_the_order_of_nodes_does_not_matter(kind: str, fitted: dict[str, Any]) -> None:
    graphs = molecules(20, seed=2)
    given, other = (fitted[kind].decision_function(one) for one in (graphs, reordered(graphs)))
    np.testing.assert_allclose(given, other, atol=1e-5)
    assert np.abs(given).max() > 0.1


@EITHER
def test_batches_do_not_matter(kind: str, fitted: dict[str, Any]) -> None:
    graphs = molecules(20, seed=3)
    together = fitted[kind].predict_proba(graphs)
    alone = np.vstack([fitted[kind].predict_proba(graphs.subset([place])) for place in range(20)])
    np.testing.assert_allclose(together, alone, atol=1e-9)
    np.testing.assert_allclose(together.sum(axis=1), 1.0)


@EITHER
def test_one_node_no_edges_no_nodes_and_no_graphs(kind: str, fitted: dict[str, Any]) -> None:
    nothing = np.zeros(0, dtype=np.int64)
    odd = as_collection([graph_from_ids(nothing, nothing, n_nodes=n) for n in (1, 7, 0)])
    odd = Collection(odd.graph, odd.offsets, node_types=np.zeros(8, dtype=np.int64))
    shares = fitted[kind].predict_proba(odd)
    assert np.isfinite(shares).all()
    assert fitted[kind].predict(odd.subset([])).shape == (0,)


@EITHER
def test_training_on_graphs_without_edges(kind: str) -> None:
    """Types are all there is; most nodes of a class are of its type."""
    nothing = np.zeros(0, dtype=np.int64)
    random = np.random.default_rng(0)
    sizes = random.integers(1, 9, 40)
    labels = np.arange(40) % 2
    types = (random.random(sizes.sum()) < np.where(np.repeat(labels, sizes), 0.95, 0.05)).astype(np.int64)
    joined = as_collection([graph_from_ids(nothing, nothing, n_nodes=int(n)) for n in sizes], labels)
    graphs = Collection(joined.graph, joined.offsets, joined.labels, node_types=types)
    assert make(kind).fit(graphs).score(graphs) > 0.85


def test_nodes_that_are_all_alike_leave_only_their_number() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    sizes = [1, 9, 2, 8] * 6
    members = [graph_from_ids(nothing, nothing, n_nodes=n) for n in sizes]
    labels = [int(n > 4) for n in sizes]
    assert make("signature").fit(members, labels).score(members, labels) == 1.0
    with pytest.raises(ParameterError, match="all nodes of the training graphs are alike"):
        make("deepsets").fit(members, labels)


@EITHER
def test_a_type_not_seen_in_training_counts_as_none(kind: str, fitted: dict[str, Any]) -> None:
    graphs = molecules(4, seed=4)
    one, other = (
        Collection(graphs.graph, graphs.offsets, node_types=np.full(graphs.graph.n_nodes, t)) for t in (7, -3)
    )
    assert np.isfinite(fitted[kind].decision_function(one)).all()
    np.testing.assert_array_equal(fitted[kind].decision_function(one), fitted[kind].decision_function(other))


@EITHER
def test_other_nodes_than_in_training_are_refused(kind: str, fitted: dict[str, Any]) -> None:
    graphs = molecules(4, types=False)
    with pytest.raises(
        ParameterError, match="0 types and 0 attributes, but the model was fitted on nodes with 1 and 0"
    ):
        fitted[kind].predict(graphs)
    texts = Collection(graphs.graph, graphs.offsets, node_types=np.full(graphs.graph.n_nodes, "C"))
    with pytest.raises(ParameterError, match="were integers in fitting and are texts"):
        fitted[kind].predict(texts)


@EITHER
def test_files_bring_back_every_bit(kind: str, fitted: dict[str, Any], tmp_path: Path) -> None:
    graphs = molecules(20, seed=6)
    path = tmp_path / "model.safetensors"
    fitted[kind].save(path)
    again = load_classifier(path)
    assert type(again) is type(fitted[kind])
    np.testing.assert_array_equal(again.decision_function(graphs), fitted[kind].decision_function(graphs))
    assert again.predict(graphs).tolist() == fitted[kind].predict(graphs).tolist()
    again.save(tmp_path / "second.safetensors")
    assert path.read_bytes() == (tmp_path / "second.safetensors").read_bytes()


@EITHER
def test_equal_seeds_give_equal_models(kind: str) -> None:
    graphs = molecules(24)
    options = {"epochs": 4} if kind == "deepsets" else {}
    one, two = (make(kind, **options).fit(graphs).decision_function(graphs) for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_training_leaves_the_random_state_of_others_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    make("deepsets", epochs=1).fit(molecules(8))
    assert torch.equal(torch.rand(2), expected)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"width": 0}, "width is 0"),
        ({"pooling": "median"}, "pooling is 'median'"),
        ({"dropout": 1.0}, "dropout is 1.0"),
        ({"device": "abacus"}, "device is 'abacus'"),
        ({"radius": -1}, "radius is -1"),
        ({"learning_rate": 0.0}, "learning_rate is 0.0"),
    ],
)
def test_parameters_that_make_no_sense(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make("deepsets", **options).fit(molecules(4))


@EITHER
def test_labels_that_make_no_sense(kind: str) -> None:
    with pytest.raises(ParameterError, match="no labels"):
        make(kind).fit([[(0, 1)], [(1, 2)]])
    with pytest.raises(ParameterError, match="two classes are needed"):
        make(kind).fit([[(0, 1)], [(1, 2)]], [1, 1])


@EITHER
def test_scikit_learn_can_clone_it(kind: str) -> None:
    model = make(kind)
    assert clone(model).get_params() == model.get_params()


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match="no such file"):
        load_classifier(tmp_path / "nowhere")
    (tmp_path / "text").write_text("not a model at all, whatever it says")
    with pytest.raises(GraphFormatError, match="not a readable file of a saved classifier"):
        load_classifier(tmp_path / "text")
    from safetensors.numpy import save

    header = {"format": "vnestruct classifier", "format_version": 99, "kind": "signature"}
    (tmp_path / "later").write_bytes(save({"x": np.zeros(1)}, {"vnestruct": json.dumps(header)}))
    with pytest.raises(GraphFormatError, match="upgrade vnestruct"):
        load_classifier(tmp_path / "later")


def test_pooling_by_sum_mean_and_max(tmp_path: Path) -> None:
    graphs = molecules(24)
    model = make("deepsets", pooling="sum+mean+max").fit(graphs)
    np.testing.assert_allclose(model.decision_function(graphs), model.decision_function(reordered(graphs)), atol=1e-5)
    model.save(tmp_path / "wide")
    np.testing.assert_array_equal(
        load_classifier(tmp_path / "wide").decision_function(graphs), model.decision_function(graphs)
    )


def test_progress_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[float, float]] = []
    make("deepsets", epochs=3, progress=lambda done, total: told.append((done, total))).fit(molecules(8))
    assert told == [(1, 3), (2, 3), (3, 3)]
    make("deepsets", epochs=2, progress=True).fit(molecules(8))
    assert "epoch 2 of 2" in capsys.readouterr().err
