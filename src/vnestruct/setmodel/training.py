"""One training loop for every network: Adam, a stepwise learning rate, curves of loss and hits on held-out graphs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self, cast

import numpy as np
import torch
from torch import Tensor, nn

from vnestruct.checks import one_of
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.setmodel.batches import Batch, Batcher
from vnestruct.setmodel.network import draw_weights
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


@dataclass(frozen=True)
class SetData:
    """A collection as arrays: size and class of each graph, one row of features per node."""

    sizes: Array
    features: Array
    classes: Array
    scaled: Array | None = None  # columns to scale to mean 0 and deviation 1 over a replica's nodes

    def columns(self, columns: OffsetArray) -> Self:
        """Return the data with some of the columns."""
        scaled = None if self.scaled is None else self.scaled[columns]
        return replace(self, features=self.features[:, columns], scaled=scaled)


class Curves(NamedTuple):
    """Results on the watched sets after every epoch: arrays of shape (replicas, epochs, sets)."""

    hits: Array
    loss: ValueArray
    counts: Array
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
        self.shift, self.scale = self._scaling(data)
        if len(splits) == 1 and self.shift is not None and self.scale is not None:
            # One replica is scaled here, once; several share the rows, each with its own scale.
            self.features = (self.features - self.shift[0]) * self.scale[0]
            self.shift = self.scale = None
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
        sets = [[split.watched[place] for split in self.splits] for place in range(n_sets)]
        graphs = [padded_graphs(members, self.batcher.n_graphs) for members in sets]
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
        counts = np.array([[len(graphs) for graphs in split.watched] for split in self.splits])
        return Curves(hits, losses, counts.reshape(len(self.splits), n_sets), training, answers)

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
        x = self.features[batch.nodes]
        if self.shift is not None and self.scale is not None:
            x = (x - self.shift) * self.scale
        return cast(Tensor, self.network(x, batch))

    def loss(self, scores: Tensor, classes: Tensor) -> Tensor:
        """Return the cross-entropy of each graph, (F, slots)."""
        losses = nn.functional.cross_entropy(scores.flatten(0, 1), classes.flatten(), reduction="none")
        return losses.view(classes.shape)

    def _losses(self, scores: Tensor, batch: Batch) -> Tensor:
        losses = self.loss(scores, self.classes[batch.graphs])
        if batch.graph_rows.mask is not None:
            losses = losses * batch.graph_rows.mask[:, :, 0]
        return losses.sum(1) / batch.graph_rows.count[:, 0, 0]

    @torch.no_grad()
    def _test(self, batch: Batch) -> tuple[Array, ValueArray, Tensor]:
        self.network.eval()
        scores = self.scores(batch)
        predicted = scores.argmax(2)
        correct = (predicted == self.classes[batch.graphs]) & (batch.graphs < self.batcher.n_graphs)
        losses = self._losses(scores, batch).cpu().numpy().astype(np.float64)
        return correct.sum(1).cpu().numpy(), losses, predicted

    def _scaling(self, data: SetData) -> tuple[Tensor | None, Tensor | None]:
        """Return shift and scale of each replica, from the nodes it trains on."""
        if data.scaled is None or not np.any(data.scaled):
            return None, None
        columns = np.asarray(data.features, dtype=np.float64)[:, data.scaled]
        bounds = np.concatenate([[0], np.cumsum(data.sizes)])
        # Sums per graph, so that a training set costs one addition per graph.
        running = [np.cumsum(np.pad(values, ((1, 0), (0, 0))), axis=0) for values in (columns, columns**2)]
        first, second = (np.diff(sums[bounds], axis=0) for sums in running)
        shift = np.zeros((len(self.splits), 1, data.features.shape[1]), dtype=np.float32)
        scale = np.ones_like(shift)
        for replica, split in enumerate(self.splits):
            count = max(int(np.asarray(data.sizes)[split.train].sum()), 1)
            mean = first[split.train].sum(axis=0) / count
            deviation = np.sqrt(np.maximum(second[split.train].sum(axis=0) / count - mean**2, 0.0))
            shift[replica, 0, data.scaled] = mean
            scale[replica, 0, data.scaled] = 1.0 / np.where(deviation > 1e-6, deviation, 1.0)
        return torch.from_numpy(shift).to(self.device), torch.from_numpy(scale).to(self.device)


def padded_graphs(sets: Sequence[Array], empty: int) -> Tensor:
    """Return one row of graphs per set, padded with `empty`."""
    return nn.utils.rnn.pad_sequence([torch.from_numpy(graphs) for graphs in sets], True, empty)


def chosen_device(name: str) -> str:
    """Return "cuda" or "cpu" for "auto", "cuda" or "cpu"; raise `ParameterError` if there is no such device."""
    one_of("device", name, ("auto", "cpu", "cuda"))
    if name == "cuda" and not torch.cuda.is_available():
        reason = " was requested, but PyTorch finds no CUDA device; use 'auto' or 'cpu'"
        raise ParameterError(Message(Parameter("device", "cuda"), reason))
    return "cuda" if name != "cpu" and torch.cuda.is_available() else "cpu"
