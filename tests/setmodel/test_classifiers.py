"""Both classifiers: order of nodes, batches, unusual graphs, unseen types, saved files, seeds."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.setmodel.graphs import molecules, reordered
from vnestruct.datasets import as_collection
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import GraphSet, graph_from_ids
from vnestruct.setmodel import SignatureClassifier, load_classifier

torch = pytest.importorskip("torch")

from vnestruct.setmodel import DeepSetsClassifier  # noqa: E402

KINDS = ("deepsets", "signature")
FIXTURES = Path(__file__).parent / "fixtures"


def make(kind: str, **options: Any) -> Any:
    if kind == "deepsets":
        return DeepSetsClassifier(**{"radius": 2, "epochs": 15, "width": 8, "batch_size": 16, **options})
    return SignatureClassifier(**{"radius": 2, **options})


@pytest.fixture(scope="module")
def fitted() -> list[Any]:
    graphs = molecules()
    return [make(kind).fit(graphs) for kind in KINDS]


def test_classes_are_learned(fitted: list[Any]) -> None:
    fresh = molecules(60, seed=5)
    for model in fitted:
        assert model.score(fresh) > 0.9, model.name
        assert model.classes_.tolist() == ["ring", "tree"], model.name


def test_the_order_of_nodes_does_not_matter(fitted: list[Any]) -> None:
    graphs = molecules(20, seed=2)
    for model in fitted:
        given, other = model.decision_function(graphs), model.decision_function(reordered(graphs))
        np.testing.assert_allclose(given, other, atol=1e-5, err_msg=model.name)
        assert np.abs(given).max() > 0.1, model.name


def test_batches_do_not_matter(fitted: list[Any]) -> None:
    graphs = molecules(20, seed=3)
    for model in fitted:
        together = model.predict_proba(graphs)
        alone = np.vstack([model.predict_proba(graphs.subset([place])) for place in range(20)])
        np.testing.assert_allclose(together, alone, atol=1e-9, err_msg=model.name)
        np.testing.assert_allclose(together.sum(axis=1), 1.0, err_msg=model.name)


def edgeless(sizes: Any) -> list[Any]:
    nothing = np.zeros(0, dtype=np.int64)
    return [graph_from_ids(nothing, nothing, n_nodes=int(n)) for n in sizes]


def test_one_node_no_edges_no_nodes_and_no_graphs(fitted: list[Any]) -> None:
    unusual = as_collection(edgeless((1, 7, 0)))
    unusual = GraphSet(unusual.graph, unusual.offsets, node_types=np.zeros(8, dtype=np.int64))
    for model in fitted:
        assert np.isfinite(model.predict_proba(unusual)).all(), model.name
        assert model.predict(unusual.subset([])).shape == (0,), model.name


def test_training_on_graphs_without_edges() -> None:
    """Only the types differ; most nodes of a class have its type."""
    random = np.random.default_rng(0)
    sizes = random.integers(1, 9, 40)
    labels = np.arange(40) % 2
    types = (random.random(sizes.sum()) < np.where(np.repeat(labels, sizes), 0.95, 0.05)).astype(np.int64)
    joined = as_collection(edgeless(sizes), labels)
    graphs = GraphSet(joined.graph, joined.offsets, joined.labels, node_types=types)
    for kind in KINDS:
        assert make(kind).fit(graphs).score(graphs) > 0.85, kind


def test_equal_nodes_leave_only_their_number() -> None:
    sizes = [1, 9, 2, 8] * 6
    members = edgeless(sizes)
    labels = [int(n > 4) for n in sizes]
    assert make("signature").fit(members, labels).score(members, labels) == 1.0
    with pytest.raises(ParameterError, match="all nodes of the training graphs are equal"):
        make("deepsets").fit(members, labels)


def test_an_unseen_type_counts_as_none(fitted: list[Any]) -> None:
    graphs = molecules(4, seed=4)
    n_nodes = graphs.graph.n_nodes
    first, second = (GraphSet(graphs.graph, graphs.offsets, node_types=np.full(n_nodes, t)) for t in (7, -3))
    for model in fitted:
        scores = model.decision_function(first)
        assert np.isfinite(scores).all(), model.name
        np.testing.assert_array_equal(scores, model.decision_function(second), err_msg=model.name)


def test_other_node_columns_than_in_training_are_refused(fitted: list[Any]) -> None:
    graphs = molecules(4, types=False)
    texts = GraphSet(graphs.graph, graphs.offsets, node_types=np.full(graphs.graph.n_nodes, "C"))
    for model in fitted:
        with pytest.raises(
            ParameterError, match="0 types and 0 attributes, but the model was fitted on nodes with 1 and 0"
        ):
            model.predict(graphs)
        with pytest.raises(ParameterError, match="node types are texts, but the model was fitted on integers"):
            model.predict(texts)


def test_saved_files_preserve_every_bit(fitted: list[Any], tmp_path: Path) -> None:
    graphs = molecules(20, seed=6)
    for model in fitted:
        path, second = tmp_path / f"{model.name}.model", tmp_path / f"{model.name}.again"
        model.save(path)
        again = load_classifier(path)
        assert type(again) is type(model)
        assert again.get_params() == model.get_params()
        np.testing.assert_array_equal(again.decision_function(graphs), model.decision_function(graphs))
        assert again.predict(graphs).tolist() == model.predict(graphs).tolist()
        again.save(second)
        assert path.read_bytes() == second.read_bytes()
    with pytest.raises(GraphFormatError, match="a classifier of kind 'signature', not 'deepsets'"):
        DeepSetsClassifier.load(tmp_path / "signature.model")


def test_files_of_version_0_1_are_read() -> None:
    """They are safetensors files; the numbers were predicted by the version that wrote them."""
    graphs = molecules(6, seed=9)
    with np.load(FIXTURES / "expected.npz") as expected:
        for kind in KINDS:
            model = load_classifier(FIXTURES / f"{kind}.safetensors")
            assert model.name == kind
            assert model.classes_.tolist() == ["ring", "tree"]
            np.testing.assert_allclose(model.decision_function(graphs), expected[kind], rtol=1e-12, atol=1e-12)


def test_signature_classifiers_need_neither_pytorch_nor_safetensors(tmp_path: Path) -> None:
    program = f"""
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("torch", "safetensors"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocked())
from vnestruct.setmodel import SignatureClassifier, load_classifier
rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(4, 10)]
stars = [[(0, i) for i in range(1, n)] for n in range(4, 10)]
model = SignatureClassifier(radius=1).fit(rings + stars, [0] * 6 + [1] * 6)
path = {str(tmp_path / "kept.model")!r}
model.save(path)
again = load_classifier(path)
assert (again.decision_function(rings) == model.decision_function(rings)).all()
load_classifier({str(FIXTURES / "signature.safetensors")!r})
assert not {{"torch", "safetensors"}} & set(sys.modules)
print(again.predict([stars[2], rings[2]]).tolist())
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == "[1, 0]"


def test_equal_seeds_give_equal_models() -> None:
    graphs = molecules(24)
    for kind, options in (("deepsets", {"epochs": 4}), ("signature", {})):
        first, second = (make(kind, **options).fit(graphs).decision_function(graphs) for _ in range(2))
        np.testing.assert_array_equal(first, second, err_msg=kind)


def test_training_does_not_change_the_global_random_state() -> None:
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    make("deepsets", epochs=1).fit(molecules(8))
    assert torch.equal(torch.rand(2), expected)


def invalid_options() -> Iterator[tuple[str, dict[str, Any], str]]:
    yield "deepsets", {"width": 0}, "width must be a whole number of at least 1, not 0"
    yield "deepsets", {"pooling": "median"}, "pooling must be one of 'sum', 'sum.mean.max', not 'median'"
    yield "deepsets", {"dropout": 1.0}, "dropout must be at least 0 and less than 1, not 1.0"
    yield "deepsets", {"device": "abacus"}, "device must be one of 'auto', 'cpu', 'cuda', not 'abacus'"
    yield "deepsets", {"radius": -1}, "radius must be a whole number of at least 0 .*, not -1"
    yield "deepsets", {"learning_rate": 0.0}, "learning_rate must be positive, not 0.0"
    yield "deepsets", {"progress": "bar"}, "progress must be True, False or a function .*, not 'bar'"
    yield "signature", {"inner_folds": 1}, "inner_folds must be a whole number of at least 2, not 1"
    yield "signature", {"bins": 0}, "bins must be a whole number of at least 1, not 0"


def test_invalid_parameters_are_refused() -> None:
    for kind, options, message in invalid_options():
        with pytest.raises(ParameterError, match=message):
            make(kind, **options).fit(molecules(4))


def test_invalid_labels_are_refused() -> None:
    for kind in KINDS:
        with pytest.raises(ParameterError, match="no labels"):
            make(kind).fit([[(0, 1)], [(1, 2)]])
        with pytest.raises(ParameterError, match="two classes are needed"):
            make(kind).fit([[(0, 1)], [(1, 2)]], [1, 1])


def test_scikit_learn_can_clone_it() -> None:
    for model in (DeepSetsClassifier(kind=("approx", "exact")), SignatureClassifier(kind=("approx", "exact"))):
        assert clone(model).get_params() == model.get_params()
        assert clone(model).kind == ("approx", "exact")
        assert repr(model).startswith(type(model).__name__)


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match="no such file"):
        load_classifier(tmp_path / "nowhere")
    (tmp_path / "text").write_text("this is not a model")
    with pytest.raises(GraphFormatError, match="not a readable"):
        load_classifier(tmp_path / "text")
    for changes, message in (({"format_version": 99}, "upgrade vnestruct"), ({"kind": "oracle"}, "kind 'oracle'")):
        manifest = {"format": "vnestruct classifier", "format_version": 1, "kind": "signature"} | changes
        header = json.dumps({"__metadata__": {"vnestruct": json.dumps(manifest)}}).encode()
        (tmp_path / "other").write_bytes(struct.pack("<Q", len(header)) + header)
        with pytest.raises(GraphFormatError, match=message):
            load_classifier(tmp_path / "other")


def test_pooling_by_sum_mean_and_max(tmp_path: Path) -> None:
    graphs = molecules(24)
    model = make("deepsets", pooling="sum+mean+max").fit(graphs)
    np.testing.assert_allclose(model.decision_function(graphs), model.decision_function(reordered(graphs)), atol=1e-5)
    model.save(tmp_path / "wide")
    np.testing.assert_array_equal(
        load_classifier(tmp_path / "wide").decision_function(graphs), model.decision_function(graphs)
    )


def test_progress_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[tuple[float, float]] = []
    make("deepsets", epochs=3, progress=lambda done, total: reports.append((done, total))).fit(molecules(8))
    assert reports == [(1, 3), (2, 3), (3, 3)]
    monkeypatch.setattr("vnestruct.embedding.progress._EVERY", 0.0)
    make("deepsets", epochs=2, progress=True).fit(molecules(8))
    assert "100% done" in capsys.readouterr().err
