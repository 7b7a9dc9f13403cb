"""`vnestruct classify` and `vnestruct predict`: tables, files, pictures, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Invoke
from tests.graphs import write_collection
from tests.setmodel.graphs import molecules
from vnestruct.graph import GraphSet


def written(folder: Path, n_graphs: int, seed: int = 0) -> Path:
    """A collection of trees, class 1, and others."""
    graphs = molecules(n_graphs, seed=seed, types=False)
    assert graphs.labels is not None
    write_collection(folder, GraphSet(graphs.graph, graphs.offsets, (graphs.labels == "tree").astype(int)))
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("tu") / "SHAPES", 30)


def test_a_table_of_accuracies(data: Path, invoke: Invoke) -> None:
    done = invoke("classify", data, "--folds", 3, "--seeds", 2, "-r", 1)
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[4:8]] == ["seed", "seed", "all", "majority"]
    assert lines[7].split() == ["majority", "50.00", "0.00"]
    assert lines[10].split() == ["0", "1"]
    confusion = np.array([[int(cell) for cell in line.split()] for line in lines[12:14]])
    assert confusion[:, 0].tolist() == [0, 1]
    assert confusion[:, 1:].sum(axis=1).tolist() == [30, 30]
    assert 100 * np.trace(confusion[:, 1:]) / 60 == pytest.approx(float(lines[6].split()[1]), abs=0.01)
    assert lines[16].endswith("of 6 folds)")
    assert (done.code, "30 graphs" in done.err) == (0, True)


def test_own_splits_and_results_of_folds(data: Path, tmp_path: Path, invoke: Invoke) -> None:
    splits, table = tmp_path / "splits.json", tmp_path / "folds.csv"
    splits.write_text(json.dumps([{"test": list(range(fold, 30, 3))} for fold in range(3)]))
    # The collection is found by its name.
    words = ("SHAPES", "--data", data.parent, "--splits", splits, "-r", 1, "-o", table, "--json", "-q")
    result = json.loads(invoke("classify", *words).out)
    assert (result["classes"], np.sum(result["confusion"]), result["graphs"]) == ([0, 1], 30, 30)
    assert result["mean"] == pytest.approx(np.mean(result["accuracies"]))
    rows = table.read_text().splitlines()
    assert rows[0] == "seed,fold,graphs,accuracy,majority,chosen"
    assert [row.split(",")[:4] for row in rows[1:]] == [
        ["0", str(fold), "10", repr(accuracy)] for fold, accuracy in enumerate(result["accuracies"][0])
    ]


@pytest.mark.parametrize("model", ["signature", "deepsets"])
def test_a_classifier_is_kept_and_used(model: str, data: Path, tmp_path: Path, invoke: Invoke) -> None:
    fresh, kept = written(tmp_path / "FRESH", 20, seed=9), tmp_path / "shapes.model"
    words = ("--epochs", 12, "--width", 8) if model == "deepsets" else ()
    if model == "deepsets":
        pytest.importorskip("torch")
    assert invoke("classify", data, "--model", model, "--folds", 0, "--save", kept, *words).code == 0
    shown, out = invoke("predict", kept, fresh), tmp_path / "classes.csv"
    header, *rows = [line.split(",") for line in shown.out.splitlines()]
    assert header == ["graph", "class", "share"]
    assert [row[0] for row in rows] == [str(place) for place in range(1, 21)]
    right = sum(row[1] == str(place % 2) for place, row in enumerate(rows))
    assert right >= 16
    assert f"{right} of 20 classes" in shown.err
    assert invoke("predict", kept, fresh, "-o", out, "-q").err == ""
    assert out.read_text() == shown.out
    as_json = json.loads(invoke("predict", kept, fresh, "--json", "-q").out)
    assert [str(row["class"]) for row in as_json["graphs"]] == [row[1] for row in rows]
    assert as_json["right"] == right


def test_learning_curves_are_drawn(data: Path, tmp_path: Path, invoke: Invoke) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curves.png"
    words = f"--model deepsets --protocol optimistic --folds 3 --epochs 3 --width 4 --plot {picture}"
    assert "expect lower accuracy on new graphs" in invoke("classify", data, *words.split()).err
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_mistakes_that_need_a_collection(data: Path, invoke: Invoke) -> None:
    for words, problem in (([data, "--folds", 40], "class has 15 graphs"), (["NO-SUCH"], "nor a known collection")):
        done = invoke("classify", *words, "-q")
        assert (done.code, problem in done.error) == (2, True), done.error
