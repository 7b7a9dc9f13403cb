"""The training loop: Adam, a stepwise learning rate, curves of loss and hits on held-out graphs."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Self, cast

import numpy as np
import torch
from torch import Tensor, nn

from vnestruct.checks import one_of
from vnestruct.errors import ParameterError
from vnestruct.setmodel.network import Batch, Batcher, draw_weights
from vnestruct.types import Array, OffsetArray, ValueArray


class Schedule(NamedTuple):
    """How long and how fast to train."""

    epochs: int = 300
    batch_size: int = 64
    learning_rate: float = 0.01
    decay: float = 0.3
    decay_every: int = 50


class Split(NamedTuple):
    """The graphs that one replica trains on, and the sets of graphs it is tested on after every epoch."""

    train: Array
    watched: Sequence[Array] = ()
    seed: int = 0


class SetData(NamedTuple):
    """A collection as arrays: size and class of each graph, one row of features per node."""

    sizes: Array
    features: Array
    classes: Array
    scaled: Array | None = None  # columns to scale to mean 0 and deviation 1 over a replica's nodes

    def columns(self, columns: OffsetArray) -> Self:
        """Return the data with some of the columns."""
        scaled = None if self.scaled is None else self.scaled[columns]
        return self._replace(features=self.features[:, columns], scaled=scaled)


class Curves(NamedTuple):
    """Results on the watched sets after every epoch: arrays of shape (replicas, epochs, sets)."""

    hits: Array
    loss: ValueArray
    training_loss: ValueArray
    answers: Array  # predicted classes of the first set, (replicas, epochs, largest number of its graphs)


class Trainer:
    """Train all replicas of a network, from features and a `Batch` to scores, one for each split, together."""

    def __init__(
        self, network: nn.Module, data: SetData, splits: Sequence[Split], schedule: Schedule, device: str = "cpu"
    ) -> None:
        self.device = torch.device(device)
        self.schedule, self.splits = schedule, splits
        draw_weights(network, [split.seed for split in splits])
        self.network = network.to(self.device)
        self.batcher = Batcher(data.sizes, self.device)
        padded = np.vstack([data.features, np.zeros((1, data.features.shape[1]))]).astype(np.float32)
        self.features = torch.from_numpy(padded).to(self.device)
        self.shift, self.scale = (torch.from_numpy(each).to(self.device) for each in _scaling(data, splits))
        self.classes = torch.from_numpy(np.append(np.asarray(data.classes, dtype=np.int64), 0)).to(self.device)
        rate, is_fused = schedule.learning_rate, self.device.type == "cpu" or None
        try:
            # One pass where PyTorch supports it: for small networks the optimizer dominates.
            self.optimizer = torch.optim.Adam(self.network.parameters(), lr=rate, fused=is_fused)
        except RuntimeError:
            self.optimizer = torch.optim.Adam(self.network.parameters(), lr=rate)
        self.random = [np.random.default_rng([split.seed, 1]) for split in splits]

    def run(self, on_epoch: Callable[[int], None] = lambda epoch: None) -> Curves:
        """Train for all epochs; return the curves."""
        n_sets = len(self.splits[0].watched)
        graphs = [self.watched_graphs(place) for place in range(n_sets)]
        watched = [self.batcher.batch(each) for each in graphs]
        shape = (len(self.splits), self.schedule.epochs, n_sets)
        hits, losses, training = np.zeros(shape, dtype=np.int32), np.zeros(shape), np.zeros(shape[:2])
        answers = np.zeros((*shape[:2], graphs[0].shape[1] if graphs else 0), np.int16)
        torch.manual_seed(self.splits[0].seed)
        for epoch in range(self.schedule.epochs):
            training[:, epoch] = self.train_epoch(epoch)
            for place, batch in enumerate(watched):
                hits[:, epoch, place], losses[:, epoch, place], predicted = self._test(batch)
                if place == 0:
                    answers[:, epoch] = predicted.cpu().numpy()
            on_epoch(epoch)
        return Curves(hits, losses, training, answers)

    def train_epoch(self, epoch: int) -> ValueArray:
        """Make one pass over the training graphs; return the mean loss of each replica."""
        schedule = self.schedule
        for group in self.optimizer.param_groups:
            group["lr"] = schedule.learning_rate * schedule.decay ** (epoch // schedule.decay_every)
        self.network.train()
        steps = self.batcher.shuffled([split.train for split in self.splits], schedule.batch_size, self.random)
        total = torch.zeros(len(self.splits), device=self.device)
        for graphs in steps:
            batch = self.batcher.batch(graphs)
            losses = self._losses(self.scores(batch), batch)
            self.optimizer.zero_grad(set_to_none=True)
            losses.sum().backward()  # type: ignore[no-untyped-call]
            self.optimizer.step()
            total += losses.detach()
        return (total / len(steps)).cpu().numpy().astype(np.float64)

    def scores(self, batch: Batch) -> Tensor:
        """Return the scores of a batch."""
        return cast(Tensor, self.network((self.features[batch.nodes] - self.shift) * self.scale, batch))

    def watched_graphs(self, place: int) -> Tensor:
        """Return the graphs of a watched set of each replica, padded with empty slots."""
        sets = [torch.from_numpy(split.watched[place]) for split in self.splits]
        return nn.utils.rnn.pad_sequence(sets, True, self.batcher.n_graphs)

    def _losses(self, scores: Tensor, batch: Batch) -> Tensor:
        """Return the mean cross-entropy of each replica."""
        classes = self.classes[batch.graphs]
        losses = nn.functional.cross_entropy(scores.flatten(0, 1), classes.flatten(), reduction="none")
        is_real = batch.real_graphs[:, :, 0]
        return (losses.view(classes.shape) * is_real).sum(1) / is_real.sum(1).clamp_min(1.0)

    @torch.no_grad()
    def _test(self, batch: Batch) -> tuple[Array, ValueArray, Tensor]:
        self.network.eval()
        scores = self.scores(batch)
        predicted = scores.argmax(2)
        correct = (predicted == self.classes[batch.graphs]) & (batch.graphs < self.batcher.n_graphs)
        losses = self._losses(scores, batch).cpu().numpy().astype(np.float64)
        return correct.sum(1).cpu().numpy(), losses, predicted


def _scaling(data: SetData, splits: Sequence[Split]) -> tuple[Array, Array]:
    """Return shift and scale of each replica's columns, from the nodes it trains on."""
    shift = np.zeros((len(splits), 1, data.features.shape[1]), dtype=np.float32)
    scale = np.ones_like(shift)
    if data.scaled is None:
        return shift, scale
    columns = np.asarray(data.features, dtype=np.float64)[:, data.scaled]
    bounds = np.concatenate([[0], np.cumsum(data.sizes)])
    # Sums per graph, so that a training set costs one addition per graph.
    running = [np.cumsum(np.pad(values, ((1, 0), (0, 0))), axis=0) for values in (columns, columns**2)]
    first, second = (np.diff(sums[bounds], axis=0) for sums in running)
    for replica, split in enumerate(splits):
        count = max(int(np.asarray(data.sizes)[split.train].sum()), 1)
        mean = first[split.train].sum(axis=0) / count
        deviation = np.sqrt(np.maximum(second[split.train].sum(axis=0) / count - mean**2, 0.0))
        shift[replica, 0, data.scaled] = mean
        scale[replica, 0, data.scaled] = 1.0 / np.where(deviation > 1e-6, deviation, 1.0)
    return shift, scale


def chosen_device(name: str) -> str:
    """Return "cuda" or "cpu" for "auto", "cuda" or "cpu"; raise `ParameterError` if there is no such device."""
    one_of("device", name, ("auto", "cpu", "cuda"))
    if name == "cuda" and not torch.cuda.is_available():
        raise ParameterError("`device='cuda'` was requested, but PyTorch finds no CUDA device; use 'auto' or 'cpu'")
    return "cuda" if name != "cpu" and torch.cuda.is_available() else "cpu"
