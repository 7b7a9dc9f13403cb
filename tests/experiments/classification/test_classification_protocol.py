"""Folds, jobs, figures and the report: what is committed fits together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from experiments.classification.features import DATA_SETS  # noqa: E402
from experiments.classification.jobs import GROUPS, MAIN, Job  # noqa: E402
from experiments.classification.train import splits, train  # noqa: E402

from experiments.classification import folds, summary  # noqa: E402
from vnestruct.setmodel.protocols import pairs  # noqa: E402


def test_folds_are_committed_for_every_collection() -> None:
    table = json.loads(folds.FILE.read_text())
    assert set(table) == set(DATA_SETS)
    for name in DATA_SETS:
        for seed in (*folds.SEEDS, *folds.FRESH):
            sizes = np.bincount(folds.folds_of(name, seed))
            assert sizes.size == folds.N_FOLDS
            assert np.ptp(sizes) <= 1


def test_every_model_is_on_every_main_collection() -> None:
    keys = {job.key for jobs in GROUPS.values() for job in jobs}
    assert len(keys) == sum(len(jobs) for jobs in GROUPS.values())
    for name in MAIN:
        for network in ("gin", "gcn", "gfn", "dgcnn", "capsgnn"):
            assert f"{name}.{network}" in keys
        assert sum(key.startswith(f"{name}.vnestruct-r") for key in keys) == 12


def test_no_run_trains_on_what_it_is_watched_on() -> None:
    found = splits("MUTAG", (0, 1), inner=True)
    assert len(found) == 2 * (folds.N_FOLDS + len(pairs(folds.N_FOLDS)))
    for split in found:
        watched = np.concatenate(list(split.watched))
        assert not np.intersect1d(split.train, watched).size
        assert split.train.size + watched.size == 188


@pytest.fixture
def features(tmp_path: Path) -> Path:
    """Graphs for the folds of MUTAG, whose class shows in their number of nodes."""
    random = np.random.default_rng(0)
    classes = random.integers(0, 2, 188)
    sizes = 3 + 2 * classes + random.integers(0, 2, 188)
    n = int(sizes.sum())
    arrays = {"X": np.eye(2, dtype=np.uint8)[random.integers(0, 2, n)], "H": random.random((n, 4)).astype(np.float32)}
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    chain = np.flatnonzero(np.arange(n) != first)
    arcs = np.hstack([np.vstack([chain, chain - 1]), np.vstack([chain - 1, chain])])
    arcs = arcs[:, np.lexsort((arcs[1], arcs[0]))]
    np.savez(tmp_path / "MUTAG.npz", sizes=sizes, classes=classes, arcs=arcs, **arrays)
    return tmp_path


def test_from_features_to_figures(features: Path, tmp_path: Path) -> None:
    from argparse import Namespace

    out = tmp_path / "curves"
    out.mkdir()
    options = Namespace(
        features=features,
        out=out,
        device="cpu",
        epochs=15,
        seeds=1,
        inner=True,
        at_once=30,
        rows=1e6,
        fresh=False,
        commit="none",
    )
    jobs = [
        Job("MUTAG", "vnestruct", f"vnestruct-r{r}-w8", {"width": 8}, r, schedule={"batch_size": 32}) for r in (1, 2)
    ]
    for job in jobs:
        train(job, options, deadline=float("inf"))
    found = summary.summarise("MUTAG", jobs, out)
    grid = found["vnestruct"]
    best = max(found[job.name]["optimistic"]["mean"] for job in jobs)
    assert grid["optimistic"]["mean"] == best
    assert best > 0.9
    assert 0.85 < grid["honest"]["mean"] <= 1.0
    for rule in summary.WINDOWS:
        assert len(grid["choices"][rule][0]) == folds.N_FOLDS
        chosen: dict[str, Any] = grid["choices"][rule][0][0]
        assert chosen["validation"] == max(found[job.name]["choices"][rule][0][0]["validation"] for job in jobs)
    kept = summary.committed(found)
    assert "choices" in kept["vnestruct"]
    assert "choices" not in kept[jobs[0].name]
    assert summary.rounded({"a": [np.float64(0.1234567)]}) == {"a": [0.123457]}


def test_the_report_is_what_the_results_say() -> None:
    pytest.importorskip("matplotlib")
    from experiments.classification import report

    assert report.FILE.read_text() == report.render()


def test_a_stamp_names_the_commit_and_tells_changes() -> None:
    import re

    from experiments.classification import stamp

    text = stamp.commit("no/such/path")
    assert text == "unknown" or re.fullmatch(r"[0-9a-f]{12}", text)
    for path in (*stamp.NETWORK_CODE, *stamp.HEAD_CODE):
        assert (stamp.ROOT / path).exists()


def test_a_second_result_is_compared_with_the_first(tmp_path: Path) -> None:
    from experiments.classification.signatures import compared

    path = tmp_path / "MUTAG.signature.0.json"
    result: dict[str, Any] = {"radius": 2, "tests": [0.5, 0.75], "heads": [["ridge"], ["svm"]], "commit": "b"}
    assert compared(path, dict(result)) == ""
    path.write_text(json.dumps(result | {"commit": "a"}))
    assert compared(path, result) == ", same as on a"
    assert result["repeats"] == "a"
    other = result | {"tests": [0.5, 0.5]}
    assert "NOT the same" in compared(path, other)
    assert other["repeats"] is None


def test_curves_of_a_second_training_are_compared(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    sizes = summary.fold_sizes("MUTAG", 0)
    hits = np.minimum(np.arange(40).reshape(1, 10, 4, 1), sizes[:, np.newaxis, np.newaxis]).astype(np.uint16)
    for folder, shift in ((first, 0), (second, 1)):
        folder.mkdir()
        np.savez(folder / "MUTAG.gin.npz", hits=np.maximum(hits, shift) - shift, seeds=np.array([0]), where="here")
    job = Job("MUTAG", "gin", "gin")
    entry = summary.trained_again([job], first, second)["MUTAG.gin"]
    assert not entry["same curves"]
    assert entry["points"] == pytest.approx(100 * float(np.mean(1 / sizes)))
    assert summary.trained_again([job], first, first)["MUTAG.gin"]["points"] == 0.0
    assert summary.trained_again([job], first, tmp_path) == {}
