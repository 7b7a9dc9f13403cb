"""Rules for choosing configuration and epoch within the training set, compared: ``python -m ...rules``.

What is chosen by looking at this table has seen the test folds of seeds 0 to 2. It is kept because it was looked at.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from experiments.classification.jobs import MAIN, grid
from experiments.classification.summary import CURVES, RESULTS, fold_sizes

from experiments.classification import folds
from vnestruct.setmodel.evaluation import pairs, smoothed, validations

RULES = {
    "one epoch": ("accuracy", 1),
    "mean over 5 epochs": ("accuracy", 5),
    "mean over 11 epochs": ("accuracy", 11),
    "mean over 21 epochs": ("accuracy", 21),
    "mean over 41 epochs": ("accuracy", 41),
    "mean over 81 epochs": ("accuracy", 81),
    "loss of one epoch": ("loss", 1),
    "mean loss over 11 epochs": ("loss", 11),
    "last epoch, by the mean over 50": ("last", 50),
}


def scores(accuracy: Any, loss: Any, kind: str, window: int) -> Any:
    """Return what a rule maximises: one number for each configuration and epoch."""
    if kind == "last":
        found = np.full(accuracy.shape, -1.0)
        found[:, -1] = accuracy[:, -window:].mean(axis=1)
        return found
    if kind == "loss":
        return -np.array([smoothed(row, window) for row in loss])
    return np.array([smoothed(row, window) for row in accuracy]) - 1e-6 * loss


def compare(name: str, folder: Path) -> dict[str, float]:
    """Return the mean test accuracy, in percent, of the choices of each rule."""
    curves = []
    for job in grid(name):
        with np.load(folder / f"{job.key}.npz") as file:
            curves.append({key: file[key] for key in ("seeds", "hits", "loss")})
    tests: dict[str, list[float]] = {rule: [] for rule in RULES}
    for place, seed in enumerate(curves[0]["seeds"]):
        sizes = fold_sizes(name, int(seed))
        for fold in range(folds.N_FOLDS):
            runs = validations(fold, folds.N_FOLDS)
            of = sum(int(sizes[pairs(folds.N_FOLDS)[run][side]]) for run, side in runs)
            inner = [(one["hits"][place, folds.N_FOLDS :], one["loss"][place, folds.N_FOLDS :]) for one in curves]
            accuracy = np.array([sum(hits[run, :, side].astype(float) for run, side in runs) / of for hits, _ in inner])
            loss = np.array([np.mean([lost[run, :, side].astype(float) for run, side in runs], 0) for _, lost in inner])
            test = np.array([one["hits"][place, fold, :, 0] / sizes[fold] for one in curves])
            for rule, (kind, window) in RULES.items():
                tests[rule].append(float(test.flat[scores(accuracy, loss, kind, window).argmax()]))
    return {rule: round(100 * float(np.mean(found)), 2) for rule, found in tests.items()}


if __name__ == "__main__":
    (RESULTS / "rules.json").write_text(json.dumps({name: compare(name, CURVES) for name in MAIN}, indent=1) + "\n")
