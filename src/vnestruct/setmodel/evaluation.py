"""Cross-validation of the classifiers, all folds and seeds of a network side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.datasets import Collection
from vnestruct.errors import ParameterError
from vnestruct.setmodel.classes import training_classes
from vnestruct.setmodel.folds import stratified_folds
from vnestruct.setmodel.protocols import WINDOW, best_epoch, check_protocol, inner_choices, pairs

Report = Callable[[float, float], None]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Evaluation:
    """How a classifier did on graphs it was not trained on.

    Parameters
    ----------
    accuracies : array, shape (seeds, folds)
        Accuracy on each test fold.
    chosen : list of list of str
        What was chosen for each: an epoch or a head.
    curves : dict of arrays
        For networks: mean over folds and seeds after each epoch, of "training loss" and "test accuracy".
    """

    model: str
    protocol: str
    accuracies: FloatArray
    chosen: list[list[str]]
    curves: dict[str, FloatArray] = field(default_factory=dict)

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return float(self.accuracies.mean())

    @property
    def std(self) -> float:
        """Standard deviation over all test folds."""
        return float(self.accuracies.std())


def cross_validate(
    model: Any,
    collection: Collection,
    *,
    protocol: str = "honest",
    folds: int = 10,
    seeds: int = 3,
    progress: Report | None = None,
) -> Evaluation:
    """Measure a classifier by cross-validation.

    Parameters
    ----------
    model : DeepSetsClassifier or SignatureClassifier
        With the parameters to use; it is not changed.
    collection : Collection
        Graphs with labels.
    protocol : {"honest", "optimistic"}, default "honest"
        Whether epoch or head are chosen inside the training part, or by the test folds; averaged networks have nothing
        to choose.
    folds, seeds : int, default 10 and 3
        Stratified folds, and how often they are drawn; the optimistic protocol draws once.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    Evaluation

    Examples
    --------
    >>> from vnestruct.datasets import as_collection
    >>> from vnestruct.setmodel import SignatureClassifier, cross_validate
    >>> rings = [[(i, (i + 1) % n) for i in range(n)] for n in range(4, 14)]
    >>> stars = [[(0, i) for i in range(1, n)] for n in range(4, 14)]
    >>> graphs = as_collection(rings + stars, ["ring"] * 10 + ["star"] * 10)
    >>> cross_validate(SignatureClassifier(radius=1), graphs, folds=3, seeds=1).mean
    1.0
    """
    check_protocol(protocol, folds)
    if seeds < 1:
        raise ParameterError(f"seeds is {seeds}; it must be at least 1")
    _, codes = training_classes(collection)
    smallest = int(np.bincount(codes).min())
    if smallest < folds:
        raise ParameterError(f"folds is {folds}, but the smallest class has {smallest} graphs; use fewer folds")
    n_seeds = seeds if protocol == "honest" else 1
    drawn = [stratified_folds(codes, folds, seed) for seed in range(n_seeds)]
    measure = _networks if hasattr(model, "epochs") else _signatures
    return measure(model, collection, codes, drawn, protocol, progress or (lambda done, total: None))


def _signatures(
    model: Any, collection: Collection, codes: Any, drawn: list[Any], protocol: str, report: Report
) -> Evaluation:
    from sklearn.base import clone

    from vnestruct.setmodel.heads import CANDIDATES
    from vnestruct.setmodel.signature import NodeTable

    nodes = NodeTable(collection, clone(model).make_signature().node_table(collection).entropies)
    labels: Any = collection.labels
    n_folds = int(drawn[0].max()) + 1
    accuracies = np.zeros((len(drawn), n_folds))
    by_head = np.zeros((n_folds, len(CANDIDATES)))
    chosen: list[list[str]] = [[] for _ in drawn]
    for seed, fold in enumerate(drawn):
        for number in range(n_folds):
            train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
            fitted = clone(model)
            if protocol == "honest":
                fitted.fit_nodes(nodes.subset(train))
                accuracies[seed, number] = (fitted.predict_nodes(nodes.subset(test)) == labels[test]).mean()
                chosen[seed].append(", ".join(head.name for head in fitted.heads_))
            else:
                by_head[number] = fitted.head_accuracies(nodes.subset(train), nodes.subset(test))
            report(seed * n_folds + number + 1, len(drawn) * n_folds)
    if protocol == "optimistic":
        best = int(by_head.mean(axis=0).argmax())
        accuracies, chosen = by_head[np.newaxis, :, best], [[CANDIDATES[best].name] * n_folds]
    return Evaluation("signature", protocol, accuracies, chosen)


def _networks(
    model: Any, collection: Collection, codes: Any, drawn: list[Any], protocol: str, report: Report
) -> Evaluation:
    """Train the replicas of all folds and seeds at once."""
    import torch

    from vnestruct.setmodel.averaging import averaged_tests, shapes
    from vnestruct.setmodel.classifier import chosen_device
    from vnestruct.setmodel.features import NodeFeatures
    from vnestruct.setmodel.training import Schedule, SetData, Split, Trainer

    model.check_parameters()
    n_folds = int(drawn[0].max()) + 1
    # Averaged networks leave nothing to choose, so there are no inner runs.
    is_honest = protocol == "honest" and not model.average
    left_out = [(k,) for k in range(n_folds)] + (pairs(n_folds) if is_honest else [])
    splits = []
    nothing = np.zeros(0, dtype=np.int64)
    for seed, fold in enumerate(drawn):
        for number, out in enumerate(left_out):
            watched = [np.flatnonzero(fold == k) for k in out] + [nothing] * (2 - len(out))
            train = np.flatnonzero(~np.isin(fold, out))
            splits.append(Split(train, watched[: 1 + is_honest], int(model.random_state) + 1000 * seed + number))
    features = NodeFeatures(model.radius, model.kind, n_jobs=model.n_jobs).fit(collection)
    values = features.transform(collection)
    scaled = np.arange(values.shape[1]) >= values.shape[1] - len(features.mean)
    data = SetData(np.diff(collection.offsets), values, codes, scaled)
    schedule = Schedule(int(model.epochs), int(model.batch_size), float(model.learning_rate))
    if model.average:
        with torch.random.fork_rng(devices=[]):
            found = averaged_tests(model, features, data, splits, chosen_device(model.device), report)
        accuracies = found.accuracies.reshape(len(drawn), n_folds)
        said = f"mean of {len(shapes(int(model.radius), int(model.width)))} networks"
        return Evaluation("deepsets", protocol, accuracies, [[said] * n_folds for _ in drawn], found.curves)
    network = model.make_network(values.shape[1], int(codes.max()) + 1, len(splits))
    with torch.random.fork_rng(devices=[]):
        trainer = Trainer(network, data, splits, schedule, chosen_device(model.device))
        curves = trainer.run(lambda epoch: report(epoch + 1, schedule.epochs))
    shape = (len(drawn), len(left_out), schedule.epochs, 1 + is_honest)
    hits, loss = curves.hits.reshape(shape), curves.loss.reshape(shape)
    sizes = np.array([np.bincount(fold, minlength=n_folds) for fold in drawn])
    tests = hits[:, :n_folds, :, 0] / np.maximum(sizes, 1)[:, :, np.newaxis]
    training = curves.training_loss.reshape(shape[:3])[:, :n_folds].mean(axis=(0, 1))
    shown = {"training loss": training, "test accuracy": tests.mean(axis=(0, 1))}
    if not is_honest:
        epoch, accuracy = best_epoch(hits[0, :, :, 0], sizes[0])
        return Evaluation(
            "deepsets", protocol, accuracy[np.newaxis, :, epoch], [[f"epoch {epoch + 1}"] * n_folds], shown
        )
    choices = [inner_choices(hits[seed], loss[seed], sizes[seed], WINDOW) for seed in range(len(drawn))]
    accuracies = np.array([[choice.test for choice in row] for row in choices])
    chosen = [[f"epoch {choice.epoch + 1}" for choice in row] for row in choices]
    return Evaluation("deepsets", protocol, accuracies, chosen, shown)
