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

KINDS = ("deepsets", "signature")


def make(kind: str, /, **options: Any) -> Any:
    if kind == "deepsets":
        return DeepSetsClassifier(**{"radius": 2, "epochs": 30, "width": 8, "batch_size": 16, **options})
    return SignatureClassifier(**{"radius": 2, **options})


@pytest.fixture(scope="module", params=KINDS)
def model(request: pytest.FixtureRequest) -> Any:
    return make(request.param).fit(molecules())


def test_classes_are_learned(model: Any) -> None:
    assert model.score(molecules(60, seed=5)) > 0.9
    assert model.classes_.tolist() == ["ring", "tree"]


def test_neither_the_order_of_nodes_nor_batches_matter(model: Any) -> None:
    graphs = molecules(20, seed=2)
    given, other = model.decision_function(graphs), model.decision_function(reordered(graphs))
    np.testing.assert_allclose(given, other, atol=1e-5)
    assert np.abs(given).max() > 0.1
    together = model.predict_proba(graphs)
    alone = np.vstack([model.predict_proba(graphs.subset([place])) for place in range(20)])
    np.testing.assert_allclose(together, alone, atol=1e-9)
    np.testing.assert_allclose(together.sum(axis=1), 1.0)


def edgeless(sizes: Any) -> list[Any]:
    nothing = np.zeros(0, dtype=np.int64)
    return [graph_from_ids(nothing, nothing, n_nodes=int(n)) for n in sizes]


def test_one_node_no_edges_no_nodes_and_no_graphs(model: Any) -> None:
    unusual = GraphSet.from_graphs(edgeless((1, 7, 0)), node_types=np.zeros(8, dtype=np.int64))
    assert np.isfinite(model.predict_proba(unusual)).all()
    assert model.predict(unusual.subset([])).shape == (0,)


def test_training_on_graphs_without_edges() -> None:
    """Only the types differ; most nodes of a class have its type."""
    random = np.random.default_rng(0)
    sizes = random.integers(1, 9, 40)
    labels = np.arange(40) % 2
    types = (random.random(sizes.sum()) < np.where(np.repeat(labels, sizes), 0.95, 0.05)).astype(np.int64)
    graphs = GraphSet.from_graphs(edgeless(sizes), labels, node_types=types)
    for kind in KINDS:
        assert make(kind).fit(graphs).score(graphs) > 0.85, kind


def test_equal_nodes_leave_only_their_number() -> None:
    sizes = [1, 9, 2, 8] * 6
    members = edgeless(sizes)
    labels = [int(n > 4) for n in sizes]
    assert make("signature").fit(members, labels).score(members, labels) == 1.0
    with pytest.raises(ParameterError, match="all nodes of the training graphs are equal"):
        make("deepsets").fit(members, labels)


def test_node_types_that_training_did_not_see(model: Any) -> None:
    graphs = molecules(4, types=False)

    def typed(value: Any) -> GraphSet:
        return GraphSet(graphs.graph, graphs.offsets, node_types=np.full(graphs.graph.n_nodes, value))

    scores = model.decision_function(typed(7))
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scores, model.decision_function(typed(-3)))
    for other, given in ((graphs, "0 integer types"), (typed("C"), "1 text types")):
        with pytest.raises(ParameterError, match=f"{given} and 0 attributes, but .* 1 integer types and 0 attributes"):
            model.predict(other)


@for_each(
    ("kind", "options"),
    [
        ("deepsets", {}),
        ("deepsets", {"pooling": "sum+mean+max", "epochs": 2}),
        ("deepsets", {"average": True, "epochs": 2}),
        ("signature", {}),
        ("signature", {"depth": 1, "kind": ("approx", "quadratic")}),
        ("signature", {"max_words": 0}),
    ],
)
def test_saved_files_preserve_every_bit(kind: str, options: dict[str, Any], tmp_path: Path) -> None:
    graphs = molecules(30)
    model = make(kind, **options).fit(graphs)
    model.save(tmp_path / "model")
    again = load_classifier(tmp_path / "model")
    assert type(again) is type(model)
    assert again.get_params() == model.get_params()
    fresh = molecules(20, seed=6)
    np.testing.assert_array_equal(again.decision_function(fresh), model.decision_function(fresh))
    assert again.predict(fresh).tolist() == model.predict(fresh).tolist()
    again.save(tmp_path / "again")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "again").read_bytes()
    other = {"deepsets": SignatureClassifier, "signature": DeepSetsClassifier}[kind]
    with pytest.raises(GraphFormatError, match=f"a classifier of kind '{kind}', not"):
        other.load(tmp_path / "model")


def test_three_classes_are_saved_too(tmp_path: Path) -> None:
    graphs = molecules(36)
    labels = np.where(np.diff(graphs.offsets) > 8, "large", graphs.labels)
    for kind in KINDS:
        model = make(kind, **({"epochs": 80} if kind == "deepsets" else {})).fit(graphs, labels)
        assert model.score(graphs, labels) > 0.9
        model.save(tmp_path / kind)
        found = load_classifier(tmp_path / kind).decision_function(graphs)
        assert found.shape == (36, 3)
        np.testing.assert_array_equal(found, model.decision_function(graphs))


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
        with pytest.raises(GraphFormatError, match=r"not a readable classifier file|kind 'oracle'"):
            load_classifier(path)


def test_signature_classifiers_do_not_need_pytorch(tmp_path: Path) -> None:
    program = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "torch":
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
from vnestruct.setmodel import SignatureClassifier, load_classifier
rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(4, 10)]
stars = [[(0, i) for i in range(1, n)] for n in range(4, 10)]
SignatureClassifier(radius=1).fit(rings + stars, [0] * 6 + [1] * 6).save({str(tmp_path / "kept")!r})
print(load_classifier({str(tmp_path / "kept")!r}).predict([stars[2], rings[2]]).tolist())
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[1, 0]"


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
    ("kind", "options", "message"),
    [
        ("deepsets", {"width": 0}, "`width` must be a whole number of at least 1, not 0"),
        ("deepsets", {"pooling": "median"}, "`pooling` must be one of 'sum', 'sum.mean.max', not 'median'"),
        ("deepsets", {"dropout": 1.0}, "dropout must be at least 0 and less than 1, not 1.0"),
        ("deepsets", {"device": "abacus"}, "`device` must be one of 'auto', 'cpu', 'cuda', not 'abacus'"),
        ("deepsets", {"radius": -1}, "`radius` must be a whole number of at least 0 .*, not -1"),
        ("deepsets", {"learning_rate": 0.0}, "learning_rate must be positive, not 0.0"),
        ("deepsets", {"progress": "bar"}, "`progress` must be True, False or a function .*, not 'bar'"),
        ("deepsets", {"average": "grid"}, "average must be True or False, not 'grid'"),
        ("signature", {"inner_folds": 1}, "`inner_folds` must be a whole number of at least 2, not 1"),
        ("signature", {"bins": 0}, "`bins` must be a whole number of at least 1, not 0"),
    ],
)
def test_invalid_parameters_are_refused(kind: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make(kind, **options).fit(molecules(4))


def test_invalid_labels_are_refused(tmp_path: Path) -> None:
    for kind in KINDS:
        with pytest.raises(ParameterError, match="no labels"):
            make(kind).fit([[(0, 1)], [(1, 2)]])
        with pytest.raises(ParameterError, match="two classes are needed"):
            make(kind).fit([[(0, 1)], [(1, 2)]], [1, 1])
    graphs = molecules(8)
    model = make("signature").fit(graphs)
    with pytest.raises(ParameterError, match="no labels to compare with"):
        model.score(GraphSet(graphs.graph, graphs.offsets, node_types=graphs.node_types))
    model.classes_ = np.array([np.datetime64("2020"), np.datetime64("2021")])
    with pytest.raises(ParameterError, match="only numbers and texts can be saved"):
        model.save(tmp_path / "model")


def test_scikit_learn_can_clone_it() -> None:
    for model in (DeepSetsClassifier(kind=("approx", "exact")), SignatureClassifier(kind=("approx", "exact"))):
        assert clone(model).get_params() == model.get_params()
        assert clone(model).kind == ("approx", "exact")
        assert repr(model).startswith(type(model).__name__)


def test_progress_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[tuple[float, float]] = []
    make("deepsets", epochs=3, progress=lambda done, total: reports.append((done, total))).fit(molecules(8))
    assert reports == [(1, 3), (2, 3), (3, 3)]
    monkeypatch.setattr("vnestruct.embedding.progress._EVERY", 0.0)
    make("deepsets", epochs=2, progress=True).fit(molecules(8))
    assert "100% done" in capsys.readouterr().err
