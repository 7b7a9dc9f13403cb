"""The two protocols of cross-validation for networks, and the training of all folds and seeds at once.

*Optimistic*: one epoch for all folds, the one with the best mean accuracy on the test folds. The choice has seen the
test folds; much of the literature reports it. *Honest*: everything is chosen inside the training part. Fold k is
validated by runs that leave out k and another fold j; such a run serves k by its score on j, and j by its score on k,
so neither choice looks at its own test fold. The run on the whole training part is then scored once, at the chosen
epoch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from vnestruct.datasets import Collection
from vnestruct.setmodel.evaluation import Evaluation, FloatArray, Report
from vnestruct.setmodel.features import NodeFeatures

if TYPE_CHECKING:
    from vnestruct.setmodel.deepsets_classifier import DeepSetsClassifier
    from vnestruct.setmodel.training import SetData, Split

WINDOW = 11
"""Number of epochs over which `vnestruct.setmodel.cross_validate` averages validation accuracies."""

Counts = npt.NDArray[Any]


@dataclass(frozen=True)
class Choice:
    """The epoch that the training part of one test fold chose, its validation scores, and the test accuracy."""

    epoch: int
    validation: float
    loss: float
    test: float


def pairs(n_folds: int) -> list[tuple[int, int]]:
    """Return the pairs of folds that inner runs leave out: neighbours, and next neighbours from five folds on.

    Examples
    --------
    >>> pairs(3)
    [(0, 1), (1, 2), (2, 0)]
    >>> len(pairs(10))
    20
    """
    steps = (1, 2) if n_folds >= 5 else (1,)
    return [(fold, (fold + step) % n_folds) for step in steps for fold in range(n_folds)]


def validations(fold: int, n_folds: int) -> list[tuple[int, int]]:
    """Return (pair, side) of each inner run that validates a fold; the side is that of the other fold."""
    return [(number, 1 - pair.index(fold)) for number, pair in enumerate(pairs(n_folds)) if fold in pair]


def best_epoch(hits: Counts, sizes: Counts) -> tuple[int, FloatArray]:
    """Return the epoch, from 0, with the best mean test accuracy, and the accuracies (folds, epochs)."""
    accuracy = hits / np.maximum(sizes, 1)[:, np.newaxis]
    return int(accuracy.mean(axis=0).argmax()), accuracy


def smoothed(values: Counts, window: int) -> FloatArray:
    """Return the mean over a window of epochs around each, shorter at the ends.

    Examples
    --------
    >>> smoothed(np.array([0, 3, 3, 9]), 3)
    array([1.5, 2. , 5. , 6. ])
    """
    kernel = np.ones(min(window, values.size))
    totals: FloatArray = np.convolve(values, kernel, "same")
    return totals / np.convolve(np.ones(values.size), kernel, "same")


def inner_choices(hits: Counts, loss: Counts, sizes: Counts, window: int = 1) -> list[Choice]:
    """Return the choice of each test fold's training part: the best accuracy, then the smallest loss.

    Parameters
    ----------
    hits, loss : array, shape (folds + pairs, epochs, 2)
        Number of correct answers, and loss, on the folds that each run left out; runs that leave out one fold come
        first.
    sizes : array of int
        Number of graphs in each fold.
    window : int, default 1
        Number of epochs over which accuracies are averaged before the best is taken: one epoch may be good by luck.
    """
    n_folds = len(sizes)
    left_out = pairs(n_folds)
    chosen = []
    for fold in range(n_folds):
        runs = validations(fold, n_folds)
        correct = sum(hits[n_folds + run, :, side].astype(np.int64) for run, side in runs)
        total = sum(int(sizes[left_out[run][side]]) for run, side in runs)
        losses = np.mean([loss[n_folds + run, :, side].astype(np.float64) for run, side in runs], axis=0)
        accuracy = smoothed(np.asarray(correct), window) / max(total, 1)
        best = np.flatnonzero(accuracy >= accuracy.max() - 1e-9)
        epoch = int(best[losses[best].argmin()])
        test = float(hits[fold, epoch, 0] / max(int(sizes[fold]), 1))
        chosen.append(Choice(epoch, float(accuracy[epoch]), float(losses[epoch]), test))
    return chosen


def evaluate_networks(
    model: DeepSetsClassifier, collection: Collection, codes: Counts, folds: list[Counts], protocol: str, report: Report
) -> Evaluation:
    """Train the networks of all folds and seeds at once; see `GraphClassifier.evaluate`."""
    import torch

    from vnestruct.setmodel.training import SetData, Split, Trainer, chosen_device

    n_folds = int(folds[0].max()) + 1
    # Averaged networks leave nothing to choose, so there are no inner runs.
    is_honest = protocol == "honest" and not model.average
    left_out = [(k,) for k in range(n_folds)] + (pairs(n_folds) if is_honest else [])
    splits = []
    for seed, fold in enumerate(folds):
        for number, out in enumerate(left_out):
            watched = [np.flatnonzero(fold == k) for k in out] + [np.zeros(0, dtype=np.int64)] * (2 - len(out))
            train = np.flatnonzero(~np.isin(fold, out))
            splits.append(Split(train, watched[: 1 + is_honest], int(model.random_state) + 1000 * seed + number))
    features = NodeFeatures(model.radius, model.kind, n_jobs=model.n_jobs).fit(collection)
    values = features.transform(collection)
    scaled = np.arange(values.shape[1]) >= values.shape[1] - len(features.mean)
    data = SetData(np.diff(collection.offsets), values, codes, scaled)
    if model.average:
        with torch.random.fork_rng(devices=[]):
            accuracies, shown = _averaged_accuracies(model, features, data, splits, report)
        label = f"mean of {len(model.shapes())} networks"
        chosen = [[label] * n_folds for _ in folds]
        return Evaluation(model.name, protocol, accuracies.reshape(len(folds), n_folds), chosen, shown)
    network = model.make_network(values.shape[1], int(codes.max()) + 1, len(splits))
    with torch.random.fork_rng(devices=[]):
        trainer = Trainer(network, data, splits, model.schedule(), chosen_device(model.device))
        curves = trainer.run(lambda epoch: report(epoch + 1, model.epochs))
    shape = (len(folds), len(left_out), int(model.epochs), 1 + is_honest)
    hits, loss = curves.hits.reshape(shape), curves.loss.reshape(shape)
    sizes = np.array([np.bincount(fold, minlength=n_folds) for fold in folds])
    tests = hits[:, :n_folds, :, 0] / np.maximum(sizes, 1)[:, :, np.newaxis]
    training = curves.training_loss.reshape(shape[:3])[:, :n_folds].mean(axis=(0, 1))
    shown = {"training loss": training, "test accuracy": tests.mean(axis=(0, 1))}
    if is_honest:
        choices = [inner_choices(hits[seed], loss[seed], sizes[seed], WINDOW) for seed in range(len(folds))]
        accuracies = np.array([[choice.test for choice in row] for row in choices])
        chosen = [[f"epoch {choice.epoch + 1}" for choice in row] for row in choices]
    else:
        epoch, accuracy = best_epoch(hits[0, :, :, 0], sizes[0])
        accuracies, chosen = accuracy[np.newaxis, :, epoch], [[f"epoch {epoch + 1}"] * n_folds]
    return Evaluation(model.name, protocol, accuracies, chosen, shown)


def _averaged_accuracies(
    model: DeepSetsClassifier, features: NodeFeatures, data: SetData, splits: list[Split], report: Report
) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Train every shape on every split; return the test accuracy of their averages, and the mean curves."""
    import torch

    from vnestruct.setmodel.network import mean_scores
    from vnestruct.setmodel.training import Trainer, chosen_device, padded_graphs

    shapes = model.shapes()
    schedule = model.schedule()
    tests = [split.watched[0] for split in splits]
    graphs = torch.from_numpy(padded_graphs(tests, len(data.sizes)))
    scores, training, test_curves = [], [], []
    for number, shape in enumerate(shapes):
        part = data.columns(features.columns_up_to(shape.radius))
        network = model.make_network(
            part.features.shape[1], int(data.classes.max()) + 1, len(splits), width=shape.width
        )
        trainer = Trainer(network, part, splits, schedule, chosen_device(model.device))

        def show(epoch: int, before: int = number * schedule.epochs) -> None:
            report(before + epoch + 1, len(shapes) * schedule.epochs)

        curves = trainer.run(show)
        with torch.no_grad():
            scores.append(trainer.scores(trainer.batcher.batch(graphs)).cpu())
        training.append(curves.training_loss.mean(axis=0))
        test_curves.append(curves.accuracy()[:, :, 0].mean(axis=0))
    answers = mean_scores(scores).argmax(dim=2).numpy()
    accuracies = [
        float((answer[: len(test)] == data.classes[test]).mean()) for answer, test in zip(answers, tests, strict=True)
    ]
    shown = {"training loss": np.mean(training, axis=0), "test accuracy": np.mean(test_curves, axis=0)}
    return np.array(accuracies), shown
