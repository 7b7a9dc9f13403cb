"""Cross-validation of the classifiers: stratified folds, results, learning curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from vnestruct.checks import one_of, whole_number
from vnestruct.datasets import Collection
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.files.output_checks import check_picture

if TYPE_CHECKING:
    from vnestruct.setmodel.base import GraphClassifier

PROTOCOLS = ("honest", "optimistic")

Report: TypeAlias = Callable[[float, float], None]
FloatArray: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Evaluation:
    """Results of a classifier on graphs it was not trained on.

    Parameters
    ----------
    model, protocol : str
        Name of the classifier and of the protocol.
    accuracies : array, shape (seeds, folds)
        Accuracy on each test fold.
    chosen : list of list of str
        The epoch, or the heads, chosen for each test fold.
    curves : dict of arrays
        For networks: "training loss" and "test accuracy" after each epoch, averaged over folds and seeds.
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
    model: GraphClassifier,
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
        Classifier with the parameters to use; it is not changed.
    collection : Collection
        Graphs with labels.
    protocol : {"honest", "optimistic"}, default "honest"
        "honest" chooses epoch or heads inside the training part, "optimistic" by the test folds. Averaged networks
        have nothing to choose.
    folds, seeds : int, default 10 and 3
        Number of stratified folds, and how often they are drawn; the optimistic protocol draws once.
    progress : callable, optional
        Called with (done, total), counted in ``model.progress_unit``.

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
    one_of("protocol", protocol, PROTOCOLS)
    whole_number("folds", folds, 3 if protocol == "honest" else 2, f"for the {protocol} protocol")
    whole_number("seeds", seeds, 1)
    _, codes = training_classes(collection)
    smallest = int(np.bincount(codes).min())
    if smallest < folds:
        raise ParameterError(
            Message(Parameter("folds"), f" is {folds}, but the smallest class has {smallest} graphs; use fewer folds")
        )
    n_seeds = seeds if protocol == "honest" else 1
    drawn = [stratified_folds(codes, folds, seed) for seed in range(n_seeds)]
    return model.evaluate(collection, codes, drawn, protocol, progress or (lambda done, total: None))


def training_classes(collection: Collection) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the sorted classes of a collection, and the position of each graph's class among them."""
    if collection.labels is None:
        raise ParameterError("the graphs have no labels; pass y with one class per graph")
    classes, codes = np.unique(collection.labels, return_inverse=True)
    if classes.size < 2:
        raise ParameterError(f"all {len(collection)} graphs have class {classes.tolist()}; two classes are needed")
    return classes, codes


def stratified_folds(codes: npt.NDArray[Any], n_folds: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the fold of each graph, the same for every model and every version of every library.

    Each class is dealt evenly to the folds, starting where the previous one ended.

    Examples
    --------
    >>> stratified_folds(np.array([0, 0, 0, 1, 1, 1]), 3, seed=0)
    array([1, 2, 0, 2, 1, 0])
    """
    random = np.random.default_rng(seed)
    folds = np.empty(len(codes), dtype=np.int64)
    dealt = 0
    for code in np.unique(codes):
        members = random.permutation(np.flatnonzero(codes == code))
        folds[members] = (np.arange(members.size) + dealt) % n_folds
        dealt += members.size
    return folds


def draw_curves(path: str | PathLike[str], result: Evaluation, title: str = "") -> None:
    """Draw mean training loss and mean test accuracy after each epoch.

    Parameters
    ----------
    path : path-like
        A ``.png``, ``.svg`` or ``.pdf`` file.
    result : Evaluation
        Result of a network.
    title : str
        Title of the picture.
    """
    check_picture(path)
    if not result.curves:
        raise ParameterError(f"a {result.model} classifier has no epochs, so it has no learning curves")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, 2)
    for panel, (name, values) in zip(panels, result.curves.items(), strict=True):
        panel.plot(np.arange(1, values.size + 1), values, color="#0072B2" if "loss" in name else "#D55E00")
        panel.set_xlabel("epoch")
        panel.set_title(f"{name}, mean over folds", fontsize=10)
        panel.grid(alpha=0.3)
    if title:
        figure.suptitle(title, fontsize=11)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format=Path(path).suffix[1:].lower(), dpi=120)
