"""Cross-validation of the classifiers: stratified folds, results, learning curves, and how the epoch is chosen.

*Optimistic*: one epoch for all folds, the one with the best mean accuracy on the test folds. The choice has seen the
test folds; much of the literature reports it. *Honest*: everything is chosen inside the training part. Fold k is
validated by runs that leave out k and another fold j; such a run serves k by its score on j, and j by its score on k,
so neither choice looks at its own test fold. The run on the whole training part is then scored once, at the chosen
epoch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from scipy.special import log_softmax
from sklearn.metrics import confusion_matrix

from vnestruct.drawing.pictures import saved_figure
from vnestruct.errors import ParameterError, one_of, whole_number
from vnestruct.files.atomic import check_picture
from vnestruct.graph import GraphSet
from vnestruct.types import Array, ArrayLike, FilePath, OffsetArray, ValueArray

if TYPE_CHECKING:
    from vnestruct.setmodel.base import GraphClassifier

PROTOCOLS = ("honest", "optimistic")

Report: TypeAlias = Callable[[float, float], None]
Codes: TypeAlias = Array
Tried: TypeAlias = tuple[list[dict[str, Codes]], dict[str, ValueArray]]
"""The classes of each fold's test graphs by each epoch or head tried, and the curves of `Evaluation`."""


@dataclass(frozen=True)
class Evaluation:
    """Results of a classifier on graphs it was not trained on."""

    model: str
    """Name of the classifier."""
    protocol: str
    """Name of the protocol."""
    accuracies: ValueArray
    """Accuracy on each test fold, shape (seeds, folds)."""
    chosen: list[list[str]]
    """The epoch, or the heads, chosen for each test fold."""
    curves: dict[str, ValueArray]
    """For networks: "training loss" and "test accuracy" after each epoch, averaged over folds and seeds."""
    predictions: Codes
    """The predicted class of each graph when it was tested, by its place in `classes`, shape (seeds, graphs)."""
    folds: Codes
    """The test fold of each graph, shape (seeds, graphs)."""
    classes: Codes
    """The classes."""
    codes: Codes
    """The class of each graph, by its place in `classes`."""

    @property
    def majority(self) -> ValueArray:
        """Accuracy on each test fold of always predicting the most frequent class of its training part."""
        guesses = np.zeros_like(self.folds)
        for seed, number in np.ndindex(self.accuracies.shape):
            tested = self.folds[seed] == number
            guesses[seed, tested] = np.bincount(self.codes[~tested]).argmax()
        return accuracies_of(guesses, self.folds, self.codes)

    @property
    def confusion(self) -> Codes:
        """How often each class (row) was predicted as each class (column), over all seeds."""
        true = np.tile(self.codes, len(self.predictions))
        counts: Codes = confusion_matrix(true, self.predictions.ravel(), labels=np.arange(self.classes.size))
        return counts

    @property
    def mean(self) -> float:
        """Mean accuracy."""
        return float(self.accuracies.mean())

    @property
    def std(self) -> float:
        """Standard deviation over all test folds."""
        return float(self.accuracies.std())


def cross_validate(
    model: "GraphClassifier", collection: GraphSet, *, protocol: str = "honest", folds: int = 10, seeds: int = 3,
    splits: ArrayLike | None = None, progress: Report | None = None,
) -> Evaluation:  # fmt: skip
    """Measure a classifier by cross-validation.

    Parameters
    ----------
    model : DeepSetsClassifier or SignatureClassifier
        Classifier with the parameters to use; it is not changed.
    collection : GraphSet
        Graphs with labels.
    protocol : {"honest", "optimistic"}, default "honest"
        "honest" chooses epoch or heads inside the training part, "optimistic" by the test folds. Averaged networks
        have nothing to choose.
    folds, seeds : int, default 10 and 3
        Number of stratified folds, and how often they are drawn; the optimistic protocol draws once.
    splits : array of int, shape (graphs,) or (seeds, graphs), optional
        The test fold of each graph, instead of drawn ones; `vnestruct.setmodel.read_splits` reads published splits.
    progress : callable, optional
        Called with (done, total): epochs of networks, folds of other classifiers.

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
    one_of("protocol", protocol, PROTOCOLS)
    classes, codes = training_classes(collection)
    given = None if splits is None else _checked_splits(splits, codes)
    if given is not None:
        folds, seeds = int(given.max()) + 1, len(given)
    whole_number("folds", folds, 3 if protocol == "honest" else 2, f"for the {protocol} protocol")
    n_drawn = whole_number("seeds", seeds, 1)
    n_seeds = n_drawn if protocol == "honest" else 1
    if given is None:
        if (smallest := int(np.bincount(codes).min())) < folds:
            raise ParameterError(f"`folds` is {folds}, but the smallest class has {smallest} graphs; use fewer folds")
        given = np.array([stratified_folds(codes, folds, seed) for seed in range(n_seeds)])
    drawn = given[:n_seeds]
    nodes = model.make_features().with_entropies(collection)
    predictions, chosen, curves = np.zeros_like(drawn), [], []
    for seed, fold in enumerate(drawn):

        def report(done: float, total: float, before: int = seed) -> None:
            if progress is not None:
                progress(before * total + done, n_seeds * total)

        tried, found = model.evaluate(nodes, codes, fold, seed, protocol, report)
        if protocol == "optimistic":
            common = [name for name in tried[0] if all(name in answers for answers in tried)]
            right = {
                name: np.mean([(answers[name] == codes[fold == k]).mean() for k, answers in enumerate(tried)])
                for name in common
            }
            tried = [{name: answers[name]} for name in [max(common, key=right.__getitem__)] for answers in tried]
        for number, answers in enumerate(tried):
            [predictions[seed, fold == number]] = answers.values()
        chosen.append([next(iter(answers)) for answers in tried])
        curves.append(found)
    accuracies = accuracies_of(predictions, drawn, codes)
    mean_curves = {name: np.mean([found[name] for found in curves], axis=0) for name in curves[0]}
    return Evaluation(model.name, protocol, accuracies, chosen, mean_curves, predictions, drawn, classes, codes)


def accuracies_of(predictions: Codes, folds: Codes, codes: Codes) -> ValueArray:
    """Return the share of correct predictions on each test fold, shape (seeds, folds)."""
    right = predictions == codes
    numbers = range(int(folds.max()) + 1)
    return np.array([[own[fold == k].mean() for k in numbers] for own, fold in zip(right, folds, strict=True)])


def _checked_splits(splits: ArrayLike, codes: Codes) -> Codes:
    given = np.atleast_2d(np.asarray(splits))
    if given.dtype.kind not in "iu" or given.shape[1:] != codes.shape or given.min() < 0:
        wrong = f"`splits` must have one fold, from 0, for each of {codes.size} graphs, "
        raise ParameterError(wrong + f"not {given.dtype} of shape {given.shape}")
    for fold in range(int(given.max()) + 1):
        tested = given == fold
        if not tested.any(axis=1).all() or any(np.unique(codes[~part]).size <= codes.max() for part in tested):
            wrong = f"`splits`: fold {fold} tests no graph, or all graphs of a class; "
            raise ParameterError(wrong + "each class must be in every training part")
    return given


def training_classes(collection: GraphSet) -> tuple[Codes, Codes]:
    """Return the sorted classes of a collection, and the position of each graph's class among them."""
    if collection.labels is None:
        raise ParameterError("the graphs have no labels; pass y with one class per graph")
    classes, codes = np.unique(collection.labels, return_inverse=True)
    if classes.size < 2:
        raise ParameterError(f"all {len(collection)} graphs have class {classes.tolist()}; two classes are needed")
    return classes, codes


def stratified_folds(codes: Codes, n_folds: int, seed: int) -> OffsetArray:
    """Return the fold of each graph, the same for every model and every version of every library."""
    # Each class is dealt evenly to the folds, starting where the previous one ended.
    random = np.random.default_rng(seed)
    folds = np.empty(len(codes), dtype=np.int64)
    dealt = 0
    for code in np.unique(codes):
        members = random.permutation(np.flatnonzero(codes == code))
        folds[members] = (np.arange(members.size) + dealt) % n_folds
        dealt += members.size
    return folds


class History(NamedTuple):
    """The mean training loss of each epoch, and after it the scores of watched graphs: (epochs, graphs, classes)."""

    loss: ValueArray
    scores: list[ValueArray]


def pairs(n_folds: int) -> list[tuple[int, ...]]:
    """Return the pairs of folds that inner runs leave out: neighbours, and next neighbours from five folds on."""
    steps = (1, 2) if n_folds >= 5 else (1,)
    return [(fold, (fold + step) % n_folds) for step in steps for fold in range(n_folds)]


def chosen_epochs(
    runs: Mapping[tuple[int, ...], History], fold: Codes, codes: Codes, window: int
) -> list[tuple[int, float, float]]:
    """Return the epoch that the training part of each test fold chooses, from 0, with its accuracy and loss there.

    It is the epoch of the best accuracy, then the smallest loss, on the other folds of the runs that left out two.
    Accuracies are averaged over a window of epochs before the best is taken, because one epoch may be good by luck.
    """
    chosen = []
    for number in range(int(fold.max()) + 1):
        hits, losses = [], []
        for out in (out for out in runs if len(out) == 2 and number in out):
            side = 1 - out.index(number)
            scores, true = runs[out].scores[side], codes[fold == out[side]]
            hits.append(scores.argmax(axis=2) == true)
            losses.append(-log_softmax(scores, axis=2)[:, np.arange(true.size), true].mean(axis=1))
        accuracy = smoothed(np.hstack(hits).mean(axis=1), window)
        loss = np.mean(losses, axis=0)
        best = np.flatnonzero(accuracy >= accuracy.max() - 1e-9)
        epoch = int(best[loss[best].argmin()])
        chosen.append((epoch, float(accuracy[epoch]), float(loss[epoch])))
    return chosen


def smoothed(values: Codes, window: int) -> ValueArray:
    """Return the mean over a window of epochs around each, shorter at the ends."""
    kernel = np.ones(min(window, values.size))
    totals: ValueArray = np.convolve(values, kernel, "same")
    return totals / np.convolve(np.ones(values.size), kernel, "same")


def draw_curves(path: FilePath, result: Evaluation, title: str = "") -> None:
    """Draw mean training loss and mean test accuracy of a network after each epoch."""
    check_picture(path)
    if not result.curves:
        raise ParameterError(f"a {result.model} classifier has no epochs, so it has no learning curves")
    with saved_figure(path, 8.0, 3.2) as figure:
        for panel, (name, values) in zip(figure.subplots(1, 2), result.curves.items(), strict=True):
            panel.plot(np.arange(1, values.size + 1), values, color="#0072B2" if "loss" in name else "#D55E00")
            panel.set_xlabel("epoch")
            panel.set_title(f"{name}, mean over folds", fontsize=10)
            panel.grid(alpha=0.3)
        if title:
            figure.suptitle(title, fontsize=11)
