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
from vnestruct.setmodel.evaluation import pairs  # noqa: E402


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


def settings(features: Path, out: Path, **changes: Any) -> Any:
    """Return what the command line of training would give."""
    from argparse import Namespace

    out.mkdir()
    usual = {"device": "cpu", "epochs": 15, "seeds": 1, "inner": True, "at_once": 30, "rows": 1e6, "draw": "first"}
    return Namespace(**{"features": features, "out": out, "commit": "none", **usual, **changes})


def test_seeds_that_are_finished_in_time_are_kept(
    features: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from types import SimpleNamespace

    from experiments.classification import train as module

    ticks = iter(range(1000))
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(ticks), perf_counter=lambda: 0.0))
    options = settings(features, tmp_path / "curves", epochs=3, seeds=3)
    job = Job("MUTAG", "vnestruct", "vnestruct-r1-w8", {"width": 8}, 1)
    train(job, options, deadline=7.5)  # three epochs each of two seeds, and two of the third
    with np.load(options.out / f"{job.key}.npz") as kept:
        assert kept["seeds"].tolist() == [0, 1]
        assert kept["hits"].shape == (2, 30, 3, 2)
        assert kept["probabilities"].shape[:2] == (2, 30)
    with pytest.raises(module.TimeIsUp):
        train(job, options, deadline=8.5)


def test_folds_of_development_are_others(features: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folds, "FOLDER", features)
    drawn = [folds.folds_of.__wrapped__("MUTAG", seed) for seed in folds.DEVELOPMENT]
    for one in drawn:
        assert np.ptp(np.bincount(one, minlength=folds.N_FOLDS)) <= 1
        assert all((one != folds.folds_of("MUTAG", seed)).any() for seed in (*folds.SEEDS, *folds.FRESH))
    assert len({seed for seeds in folds.DRAWS.values() for seed in seeds}) == 9


def test_from_features_to_figures(features: Path, tmp_path: Path) -> None:
    out = tmp_path / "curves"
    options = settings(features, out)
    jobs = [
        Job("MUTAG", "vnestruct", f"vnestruct-r{r}-w8", {"width": 8}, r, schedule={"batch_size": 32}) for r in (1, 2)
    ]
    for job in jobs:
        train(job, options, deadline=float("inf"))
    with np.load(out / f"{jobs[0].key}.npz") as kept:
        # Fifteen epochs are one portion; what most of them say is what was counted as right at most of them.
        assert kept["probabilities"].shape == (1, 30, 1, 2, 19, 2)
        np.testing.assert_allclose(kept["probabilities"].astype(float).sum(axis=5), 1.0, atol=2e-3)
        classes = np.load(features / "MUTAG.npz")["classes"]
        for fold in range(folds.N_FOLDS):
            members = np.flatnonzero(folds.folds_of("MUTAG", 0) == fold)
            predicted = kept["probabilities"][0, fold, 0, 0, : members.size].argmax(axis=1)
            assert abs((predicted == classes[members]).sum() - np.median(kept["hits"][0, fold, :, 0])) <= 3
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
    assert list(summary.trained_again([job], first, first, " (fresh folds)")) == ["MUTAG.gin (fresh folds)"]


def sure_of(classes: list[int]) -> Any:
    """Return the probabilities of a configuration that is rather sure of these classes."""
    return np.eye(2)[classes][np.newaxis] * 0.8 + 0.1


def test_averages_and_choices_of_a_fold() -> None:
    from experiments.classification.averaged import RULES, Fold

    # Three configurations on four graphs: the first is right on one, the others on three each, but on different ones.
    final = np.concatenate([sure_of([1, 1, 1, 1]), sure_of([0, 0, 0, 1]), sure_of([0, 1, 0, 0])])
    inner = np.stack([final] * 4, axis=1)
    inner[0] = sure_of([0, 0, 0, 0])
    truth = np.array([0, 0, 0, 0])
    fold = Fold(final, inner, right=np.array([9.0, 5.0, 9.0]), loss=np.array([1.0, 0.1, 2.0]), classes=truth)
    # By validation the first is chosen (equal hits, smaller loss): wrong alone, right with its four inner runs.
    assert [fold.accuracy(rule) for rule in RULES] == [0.0, 1.0, 0.5, 1.0]


def test_averaged_figures_come_from_the_last_epochs_of_runs_on_the_whole_training_part(
    features: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from experiments.classification import averaged

    monkeypatch.setattr(averaged, "FOLDER", features)
    classes = np.load(features / "MUTAG.npz")["classes"]
    right = np.zeros((3, 30, 6, 2, 19, 2), dtype=np.float16)
    for seed in range(3):
        fold = folds.folds_of("MUTAG", seed)
        for number in range(folds.N_FOLDS):
            own = classes[fold == number]
            right[seed, number, -1, 0, np.arange(own.size), own] = 1.0
    for job in averaged.grid("MUTAG"):
        np.savez(tmp_path / f"{job.key}.npz", seeds=np.arange(3), probabilities=right)
    found = averaged.figures("MUTAG", tmp_path, (averaged.RULE,))[averaged.RULE]
    assert found == {"mean": 1.0, "std": 0.0, "seeds": [1.0, 1.0, 1.0]}
