"""Networks averaged instead of chosen: ``python -m experiments.classification.averaged``.

Needs the curves of the grid on the first, the fresh and the development folds (``train --groups grid --draw ...``).
On the development folds four ways are compared; on the others only the one that was settled there, `RULE`, is
computed: the mean probability over the grid, of networks trained on the whole training part, in their last epochs.
Nothing is chosen there, so the figure is the same under both protocols.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from experiments.classification.features import FOLDER, load
from experiments.classification.jobs import MAIN, grid
from experiments.classification.summary import CURVES, FRESH, RESULTS, best_of_grid, rounded, summarise

from experiments.classification import folds
from vnestruct.setmodel.evaluation import pairs, validations

FOLDERS = {
    "first": CURVES,
    "fresh": FRESH,
    "development": Path("build/classification/development"),
}
RULE = "the whole grid averaged"
RULES = (
    "one configuration chosen, its run averaged over epochs",
    "one configuration chosen, its five runs averaged",
    RULE,
    "the whole grid averaged, five runs of each",
)
LAST = -1
"""The portion of the epochs that counts: the last fifty, where the learning rate is 0.0024 of the first."""


@dataclass(frozen=True)
class Fold:
    """The predictions of the grid's networks for one test fold.

    Parameters
    ----------
    final : array, shape (configurations, graphs, classes)
        By the runs on the whole training part.
    inner : array, shape (configurations, 4, graphs, classes)
        By the runs that left out another fold, too.
    right, loss : array, shape (configurations,)
        Of the inner runs on that other fold: right answers and loss, summed.
    classes : array
        The true ones.
    """

    final: Any
    inner: Any
    right: Any
    loss: Any
    classes: Any

    def accuracy(self, rule: str) -> float:
        """Return the share of graphs that a rule gets right."""
        best = int(np.lexsort((self.loss, -self.right))[0])
        five = (self.final + self.inner.sum(axis=1)) / 5.0
        probabilities = dict(
            zip(RULES, (self.final[best], five[best], self.final.mean(axis=0), five.mean(axis=0)), strict=True)
        )
        return float((probabilities[rule].argmax(axis=1) == self.classes).mean())


def said_of_folds(name: str, folder: Path) -> Iterator[tuple[int, Fold]]:
    """Yield the index of the seed and the predictions, for every test fold of every seed."""
    files = []
    for job in grid(name):
        with np.load(folder / f"{job.key}.npz") as file:
            files.append((file["seeds"], file["probabilities"][:, :, LAST].astype(np.float64)))
    classes = load(FOLDER, name)["classes"]
    for place, seed in enumerate(files[0][0]):
        fold = folds.folds_of(name, int(seed))
        truth = [classes[fold == number] for number in range(folds.N_FOLDS)]
        probabilities = np.stack([means[place] for _, means in files])
        for number, own in enumerate(truth):
            runs = validations(number, folds.N_FOLDS)
            inner = np.stack(
                [probabilities[:, folds.N_FOLDS + run, 1 - side, : own.size] for run, side in runs], axis=1
            )
            right, loss = np.zeros(len(files)), np.zeros(len(files))
            for run, side in runs:
                other = truth[pairs(folds.N_FOLDS)[run][side]]
                shares = probabilities[:, folds.N_FOLDS + run, side, : other.size]
                right += (shares.argmax(axis=2) == other).sum(axis=1)
                loss -= np.log(np.maximum(shares[:, np.arange(other.size), other], 1e-4)).sum(axis=1)
            yield place, Fold(probabilities[:, number, 0, : own.size], inner, right, loss, own)


def figures(name: str, folder: Path, rules: tuple[str, ...]) -> dict[str, Any]:
    """Return mean, deviation and the mean of each seed for each rule."""
    found: dict[str, list[list[float]]] = {rule: [[] for _ in folds.SEEDS] for rule in rules}
    for place, fold in said_of_folds(name, folder):
        for rule in rules:
            found[rule][place].append(fold.accuracy(rule))
    return {
        rule: {"mean": float(np.mean(tests)), "std": float(np.std(tests)), "seeds": np.mean(tests, axis=1).tolist()}
        for rule, tests in found.items()
    }


def measure(name: str) -> dict[str, Any]:
    """Return the figures of a collection on every draw of folds it was trained on."""
    result: dict[str, Any] = {}
    for draw, folder in FOLDERS.items():
        if all((folder / f"{job.key}.npz").exists() for job in grid(name)):
            result[draw] = figures(name, folder, RULES if draw == "development" else (RULE,))
            if draw == "development":
                chosen = best_of_grid(summarise(name, grid(name), folder))
                result[draw] |= {"honest": chosen["honest"], "smoothed": chosen["smoothed"]}
            with np.load(folder / f"{grid(name)[0].key}.npz") as file:
                result[draw] |= {"where": str(file["where"]), "commit": str(file["commit"])}
    return result


def main() -> None:
    result = {name: measure(name) for name in MAIN}
    (RESULTS / "averaged.json").write_text(json.dumps(rounded(result), indent=1) + "\n")
    for name, draws in result.items():
        for draw, entry in draws.items():
            print(name, draw, {key: f"{100 * one['mean']:.2f}" for key, one in entry.items() if isinstance(one, dict)})


if __name__ == "__main__":
    main()
