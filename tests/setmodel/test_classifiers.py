"""Both classifiers: order of nodes, batches, unusual graphs, unseen types, saved files, seeds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.cases import for_each
from tests.setmodel.graphs import molecules, reordered
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.container import load_model, save_model
from vnestruct.graph import GraphSet, graph_from_ids
from vnestruct.setmodel import SignatureClassifier, load_classifier

torch = pytest.importorskip("torch")

from vnestruct.setmodel import DeepSetsClassifier  # noqa: E402

KINDS = {"deepsets": DeepSetsClassifier, "signature": SignatureClassifier}
NETWORK = {"epochs": 30, "width": 8, "batch_size": 16}


def make(kind: str, /, **options: Any) -> Any:
    return KINDS[kind](**(NETWORK if kind == "deepsets" else {}) | options)


@pytest.fixture(scope="module", params=KINDS)
def model(request: pytest.FixtureRequest) -> Any:
    return make(request.param).fit(molecules())


def test_classes_are_learned_and_neither_the_order_of_nodes_nor_batches_matter(model: Any) -> None:
    assert model.score(molecules(60, seed=5)) > 0.9
    assert model.classes_.tolist() == ["ring", "tree"]
    graphs = molecules(20, seed=2)
    given, other = model.decision_function(graphs), model.decision_function(reordered(graphs))
    np.testing.assert_allclose(given, other, atol=1e-5)
    assert np.abs(given).max() > 0.1
    together = model.predict_proba(graphs)
    alone = np.vstack([model.predict_proba(graphs.subset([place])) for place in range(20)])
    np.testing.assert_allclose(together, alone, atol=1e-9)
    np.testing.assert_allclose(together.sum(axis=1), 1.0)


def edgeless(sizes: Any) -> list[Any]:
    return [graph_from_ids([], [], n_nodes=int(n)) for n in sizes]


def test_one_node_no_edges_no_nodes_and_no_graphs(model: Any) -> None:
    unusual = GraphSet.from_graphs(edgeless((1, 7, 0)), node_types=np.zeros(8, dtype=np.int64))
    assert np.isfinite(model.predict_proba(unusual)).all()
    assert model.predict(unusual.subset([])).shape == (0,)


def test_training_on_graphs_without_edges() -> None:
    """Most nodes of a class have its type; without types only the number of nodes is left."""
    random = np.random.default_rng(0)
    sizes, labels = random.integers(1, 9, 40), np.arange(40) % 2
    types = (random.random(sizes.sum()) < np.where(np.repeat(labels, sizes), 0.95, 0.05)).astype(np.int64)
    graphs = GraphSet.from_graphs(edgeless(sizes), labels, node_types=types)
    for kind in KINDS:
        assert make(kind).fit(graphs).score(graphs) > 0.85, kind
    members = edgeless(sizes)
    assert make("signature").fit(members, sizes > 4).score(members, sizes > 4) == 1.0
    with pytest.raises(ParameterError, match="SignatureClassifier"):
        make("deepsets").fit(members, sizes > 4)


def test_node_types_that_training_did_not_see(model: Any) -> None:
    graphs = molecules(4, types=False)

    def typed(value: Any) -> GraphSet:
        return GraphSet(graphs.graph, graphs.offsets, node_types=np.full(graphs.graph.n_nodes, value))

    scores = model.decision_function(typed(7))
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scores, model.decision_function(typed(-3)))
    for other, given in ((graphs, "0 integer types"), (typed("C"), "1 text types")):
        with pytest.raises(ParameterError, match=f"{given} .* 1 integer types"):
            model.predict(other)


@for_each(
    ("kind", "options", "labels"),
    [
        ("deepsets", {"epochs": 80}, 3),
        ("deepsets", {"pooling": "sum+mean+max", "epochs": 2}, 2),
        ("deepsets", {"average": True, "epochs": 2}, 2),
        ("signature", {}, 3),
        ("signature", {"depth": 1, "kind": ("approx", "quadratic")}, 2),
        ("signature", {"max_words": 0}, 2),
    ],
)
def test_saved_files_preserve_every_bit(kind: str, options: dict[str, Any], labels: int, tmp_path: Path) -> None:
    graphs, path, again = molecules(36), tmp_path / "model", tmp_path / "again"
    classes = np.where(np.diff(graphs.offsets) > 8, "large", graphs.labels) if labels == 3 else graphs.labels
    model = make(kind, **options).fit(graphs, classes)
    assert labels == 2 or model.score(graphs, classes) > 0.9
    model.save(path)
    loaded, fresh = load_classifier(path), molecules(20, seed=6)
    assert (type(loaded), loaded.get_params()) == (type(model), model.get_params())
    scores = loaded.decision_function(fresh)
    np.testing.assert_array_equal(scores, model.decision_function(fresh))
    assert scores.shape == (20, labels)
    assert loaded.predict(fresh).tolist() == model.predict(fresh).tolist()
    loaded.save(again)
    assert path.read_bytes() == again.read_bytes()
    for name, other in KINDS.items():
        if name != kind:
            with pytest.raises(GraphFormatError, match=f"'{kind}'"):
                other.load(path)


def test_files_of_strangers_are_refused(model: Any, tmp_path: Path) -> None:
    """Checksums are right, but the content is not that of a classifier, or leads nowhere."""
    path = tmp_path / "model"
    model.save(path)
    notes, arrays = load_model(path, "classifier", 1)
    worse: list[tuple[Any, Any]] = [({}, arrays), (notes, {}), (notes | {"kind": "oracle"}, arrays)]
    worse += [({key: value for key, value in notes.items() if key != name}, arrays) for name in notes]
    worse += [(notes, {key: array for key, array in arrays.items() if key != name}) for name in arrays]
    worse += [(notes | {"parameters": {"oracle": 1}}, arrays), (notes | {"features": {"radius": "x"}}, arrays)]
    if model.name == "signature":
        worse += [(notes, arrays | {"indices": arrays["indices"] + change}) for change in (-(10**6), 10**6)]
        worse += [(notes, arrays | {"indptr": arrays["indptr"][::-1]}), (notes | {"heads": ["oracle"]}, arrays)]
    else:
        worse.append((notes, arrays | {"0.psi.0.weight": np.zeros((2, 3), np.float64)}))
    for content in worse:
        save_model(path, "classifier", 1, *content)
        with pytest.raises(GraphFormatError):
            load_classifier(path)


def test_signature_classifiers_do_not_need_pytorch(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    SignatureClassifier(1).fit(molecules(12)).save(path)
    program = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
from vnestruct.setmodel import load_classifier
print(load_classifier(sys.argv[1]).name)
"""
    run = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "signature", run.stderr


def test_equal_seeds_give_equal_models_and_leave_the_global_state_alone() -> None:
    graphs = molecules(24)
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    for kind, options in (("deepsets", {"epochs": 4}), ("signature", {})):
        first, second = (make(kind, **options).fit(graphs).decision_function(graphs) for _ in range(2))
        np.testing.assert_array_equal(first, second, err_msg=kind)
    assert torch.equal(torch.rand(2), expected)


@for_each(
    ("kind", "name", "value"),
    [
        *(("deepsets", name, 0) for name in ("width", "node_layers", "epochs", "batch_size", "learning_rate")),
        ("deepsets", "graph_layers", -1), ("deepsets", "pooling", "median"), ("deepsets", "dropout", 1.0),
        ("deepsets", "device", "abacus"), ("deepsets", "radius", -1), ("deepsets", "progress", "bar"),
        ("deepsets", "average", "grid"), ("signature", "inner_folds", 1), ("signature", "radius", 0),
        ("signature", "bins", 0), ("signature", "max_words", -1), ("signature", "depth", -1),
    ],
)  # fmt: skip
def test_invalid_parameters_are_refused(kind: str, name: str, value: Any) -> None:
    with pytest.raises(ParameterError, match=f"{name}.* must be .*not {value!r}"):
        make(kind, **{name: value}).fit(molecules(4))


def test_invalid_labels_are_refused(tmp_path: Path) -> None:
    graphs = molecules(8)
    model = make("signature").fit(graphs)
    unlabelled = GraphSet(graphs.graph, graphs.offsets, node_types=graphs.node_types)
    refused = [lambda: model.score(unlabelled)]
    for kind in KINDS:
        refused += [lambda kind=kind, labels=labels: make(kind).fit(unlabelled, labels) for labels in (None, [1] * 8)]
    model.classes_ = np.array([np.datetime64("2020"), np.datetime64("2021")])
    for call in [*refused, lambda: model.save(tmp_path / "model")]:
        with pytest.raises(ParameterError):
            call()


def test_scikit_learn_can_clone_it() -> None:
    for kind in KINDS.values():
        model = kind(kind=("approx", "exact"))
        assert clone(model).get_params() == model.get_params()
        assert repr(model).startswith(kind.__name__)


def test_progress_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[tuple[float, float]] = []
    make("deepsets", epochs=3, progress=lambda *report: reports.append(report)).fit(molecules(8))
    assert reports == [(1, 3), (2, 3), (3, 3)]
    monkeypatch.setattr("vnestruct.embedding.progress._EVERY", 0.0)
    make("deepsets", epochs=2, progress=True).fit(molecules(8))
    assert "100% done" in capsys.readouterr().err
