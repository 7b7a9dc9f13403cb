"""Networks of several shapes, averaged instead of chosen: the mean of their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from vnestruct.setmodel.features import NodeFeatures
from vnestruct.setmodel.training import Schedule, SetData, Split, Trainer

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Shape:
    """What tells one network of an average from another."""

    radius: int
    width: int


def shapes(radius: int, width: int) -> list[Shape]:
    """Return the shapes to average: radius 1 to the largest, each with a width, half of it and a quarter.

    Examples
    --------
    >>> [(shape.radius, shape.width) for shape in shapes(2, 32)]
    [(1, 8), (1, 16), (1, 32), (2, 8), (2, 16), (2, 32)]
    """
    widths = sorted({max(width // part, 1) for part in (1, 2, 4)})
    return [Shape(one, other) for one in (range(1, radius + 1) if radius else (0,)) for other in widths]


def columns_up_to(features: NodeFeatures, radius: int) -> npt.NDArray[np.int64]:
    """Return the columns of node vectors that know nothing beyond a radius; entropies come last, kind by kind."""
    n_columns = len(features.names)
    first = n_columns - features.n_entropies
    place = np.arange(n_columns) - first
    return np.flatnonzero((place < 0) | (place % max(features.radius, 1) < radius))


def mean_scores(scores: Sequence[Tensor]) -> Tensor:
    """Return the logarithm of the mean probability of each class over several networks.

    Examples
    --------
    >>> sure, unsure = torch.tensor([[0.0, 50.0]]), torch.tensor([[0.0, 0.0]])
    >>> torch.softmax(mean_scores([sure, unsure]), dim=1)
    tensor([[0.2500, 0.7500]])
    """
    logarithms = torch.stack([torch.log_softmax(one, dim=-1) for one in scores])
    return torch.logsumexp(logarithms, dim=0) - float(np.log(len(scores)))


@dataclass(frozen=True)
class Averaged:
    """Test accuracies of averaged networks, one for each split, and the mean curves of the single ones."""

    accuracies: FloatArray
    curves: dict[str, FloatArray]


def averaged_tests(
    model: Any, features: NodeFeatures, data: SetData, splits: Sequence[Split], device: str, report: Callable[..., None]
) -> Averaged:
    """Train every shape on every split; return how their averages do on the set that each split watches.

    Parameters
    ----------
    model : DeepSetsClassifier
        With the parameters to use.
    features : NodeFeatures
        What made the columns of `data`.
    data : SetData
        The collection, with the columns of the largest radius.
    splits : list of Split
        Each watches one set: its test graphs.
    device : str
        Where to train.
    report : callable
        Called with (done, total) epochs.
    """
    made = shapes(int(model.radius), int(model.width))
    schedule = Schedule(int(model.epochs), int(model.batch_size), float(model.learning_rate))
    longest = max(len(split.watched[0]) for split in splits)
    graphs = np.full((len(splits), longest), len(data.sizes), dtype=np.int64)
    for row, split in zip(graphs, splits, strict=True):
        row[: len(split.watched[0])] = split.watched[0]
    said, training, tests = [], [], []
    for number, shape in enumerate(made):
        columns = columns_up_to(features, shape.radius)
        scaled = None if data.scaled is None else data.scaled[columns]
        part = SetData(data.sizes, data.features[:, columns], data.classes, scaled)
        network = model.make_network(columns.size, int(data.classes.max()) + 1, len(splits), width=shape.width)
        trainer = Trainer(network, part, splits, schedule, device)

        def tell(epoch: int, before: int = number * schedule.epochs) -> None:
            report(before + epoch + 1, len(made) * schedule.epochs)

        found = trainer.run(tell)
        with torch.no_grad():
            said.append(trainer.scores(trainer.batcher.batch(torch.from_numpy(graphs))).cpu())
        training.append(found.training_loss.mean(axis=0))
        tests.append(found.accuracy()[:, :, 0].mean(axis=0))
    answers = mean_scores(said).argmax(dim=2).numpy()
    accuracies = [
        float((answer[: len(split.watched[0])] == data.classes[split.watched[0]]).mean())
        for answer, split in zip(answers, splits, strict=True)
    ]
    curves = {"training loss": np.mean(training, axis=0), "test accuracy": np.mean(tests, axis=0)}
    return Averaged(np.array(accuracies), curves)
