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
    assert done.code == 0
    assert "SHAPES, signature, honest protocol" in done.out
    lines = done.out.splitlines()
    assert [line.split()[0] for line in lines[4:8]] == ["seed", "seed", "all", "majority"]
    assert lines[7].split() == ["majority", "50.00", "0.00"]
    assert lines[9] == "true class (rows), predicted class (columns)"
    counts = np.array([[int(cell) for cell in line.split()] for line in lines[12:14]])
    assert lines[10].split() == ["0", "1"]
    assert counts[:, 0].tolist() == [0, 1]
    assert counts[:, 1:].sum(axis=1).tolist() == [30, 30]
    assert 100 * np.trace(counts[:, 1:]) / 60 == pytest.approx(float(lines[6].split()[1]), abs=0.01)
    assert lines[15].startswith("Chosen for each fold by accuracy inside its training part")
    assert lines[16].endswith("of 6 folds)")
    assert "30 graphs" in done.err


def test_own_splits_and_results_of_folds(data: Path, tmp_path: Path, invoke: Invoke) -> None:
    splits, table = tmp_path / "splits.json", tmp_path / "folds.csv"
    splits.write_text(json.dumps([{"test": list(range(fold, 30, 3))} for fold in range(3)]))
    done = invoke("classify", data, "--splits", splits, "-r", 1, "-o", table, "--json", "-q")
    assert done.code == 0
    result = json.loads(done.out)
    assert np.shape(result["accuracies"]) == (1, 3)
    assert result["classes"] == [0, 1]
    assert np.sum(result["confusion"]) == 30
    rows = table.read_text().splitlines()
    assert rows[0] == "seed,fold,graphs,accuracy,majority,chosen"
    assert [row.split(",")[:4] for row in rows[1:]] == [
        ["0", str(fold), "10", repr(accuracy)] for fold, accuracy in enumerate(result["accuracies"][0])
    ]


def test_collections_are_found_by_name(data: Path, invoke: Invoke) -> None:
    words = f"SHAPES --data {data.parent} --protocol optimistic --folds 2 -r 1 --json -q"
    result = json.loads(invoke("classify", *words.split()).out)
    assert np.shape(result["accuracies"]) == (1, 2)
    assert result["mean"] == pytest.approx(np.mean(result["accuracies"]))
    assert result["graphs"] == 30


@pytest.mark.parametrize("model", ["signature", "deepsets"])
def test_a_classifier_is_kept_and_used(model: str, data: Path, tmp_path: Path, invoke: Invoke) -> None:
    fresh, kept = written(tmp_path / "FRESH", 20, seed=9), tmp_path / "shapes.model"
    words = ("--epochs", 12, "--width", 8) if model == "deepsets" else ()
    if model == "deepsets":
        pytest.importorskip("torch")
    done = invoke("classify", data, "--model", model, "--folds", 0, "--save", kept, *words)
    assert done.code == 0
    assert "trained on all 30 graphs" in done.err
    shown = invoke("predict", kept, fresh)
    lines = shown.out.splitlines()
    assert lines[0] == "graph,class,share"
    assert [line.split(",")[0] for line in lines[1:]] == [str(place) for place in range(1, 21)]
    right = sum(line.split(",")[1] == str(place % 2) for place, line in enumerate(lines[1:]))
    assert right >= 16
    assert f"{right} of 20 classes" in shown.err
    out = tmp_path / "classes.csv"
    assert invoke("predict", kept, fresh, "-o", out, "-q").err == ""
    assert out.read_text() == shown.out
    as_json = json.loads(invoke("predict", kept, fresh, "--json", "-q").out)
    assert [row["class"] for row in as_json["graphs"]] == [int(line.split(",")[1]) for line in lines[1:]]
    assert as_json["right"] == right


def test_learning_curves_are_drawn(data: Path, tmp_path: Path, invoke: Invoke) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    picture = tmp_path / "curves.png"
    words = f"--model deepsets --protocol optimistic --folds 3 --epochs 3 --width 4 --plot {picture}"
    done = invoke("classify", data, *words.split())
    assert done.code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "expect lower accuracy on new graphs" in done.err


def test_mistakes_that_need_a_collection(data: Path, tmp_path: Path, invoke: Invoke) -> None:
    done = invoke("classify", data, "--folds", 40, "-q")
    assert (done.code, "the smallest class has 15 graphs" in done.error) == (2, True)
    done = invoke("classify", "NO-SUCH", "--data", tmp_path, "-q")
    assert (done.code, "neither a path nor a known collection" in done.error) == (2, True)
