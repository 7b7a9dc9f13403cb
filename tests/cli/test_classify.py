"""`vnestruct classify` and `vnestruct predict`: tables, files, pictures, mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Invoke
from tests.setmodel.graphs import molecules
from vnestruct.graph import GraphSet


def write_tu(folder: Path, graphs: GraphSet, name: str) -> Path:
    """Write a collection in the TU Dortmund layout."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = np.repeat(np.arange(graphs.graph.n_nodes), graphs.graph.degrees) + 1
    arcs = zip(rows, graphs.graph.indices + 1, strict=True)
    (folder / f"{name}_A.txt").write_text("".join(f"{u}, {v}\n" for u, v in arcs))
    (folder / f"{name}_graph_indicator.txt").write_text("".join(f"{g + 1}\n" for g in graphs.membership))
    if graphs.labels is not None:
        codes = (graphs.labels == "tree").astype(int)
        (folder / f"{name}_graph_labels.txt").write_text("".join(f"{c}\n" for c in codes))
    if graphs.node_types is not None:
        (folder / f"{name}_node_labels.txt").write_text("".join(f"{t}\n" for t in graphs.node_types.ravel()))
    return folder


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tu(tmp_path_factory.mktemp("tu") / "SHAPES", molecules(30), "SHAPES")


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tu(tmp_path_factory.mktemp("tu") / "FRESH", molecules(20, seed=9), "FRESH")


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
    assert "  100 boosted trees of depth 3 on all columns (6 of 6 folds)" in lines[16:]
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
def test_a_classifier_is_kept_and_used(model: str, data: Path, fresh: Path, tmp_path: Path, invoke: Invoke) -> None:
    kept = tmp_path / "shapes.model"
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
