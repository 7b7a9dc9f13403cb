"""Batches with the arcs of their graphs, and a trainer that hands them to networks that pass messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from vnestruct.setmodel.batches import Batch, Batcher
from vnestruct.setmodel.training import Schedule, SetData, Split, Trainer


@dataclass(frozen=True)
class MessageData(SetData):
    """A collection as arrays, with pairs of nodes, shape (2, arcs), for networks that pass messages."""

    arcs: npt.NDArray[Any] | None = None
    arc_weights: npt.NDArray[Any] | None = None


@dataclass(frozen=True)
class MessageBatch(Batch):
    """The nodes of some graphs for each replica, and the arcs between them."""

    arcs: Tensor  # source and target row of each arc, counted over all replicas, shape (2, arcs)
    arc_entries: Tensor  # index of each arc in the collection


class MessageBatcher(Batcher):
    """Make batches of graphs of the given sizes; `arcs` are pairs of nodes, (2, arcs), by graph."""

    def __init__(self, sizes: npt.ArrayLike, arcs: npt.NDArray[Any], device: Any = "cpu") -> None:
        super().__init__(sizes, device)
        counts = np.asarray(sizes, dtype=np.int64)
        first = np.concatenate([[0], np.cumsum(counts)])
        member = np.repeat(np.arange(counts.size), counts)[arcs[0]]
        arc_counts = np.bincount(member, minlength=counts.size)
        self._arc_counts = self._tensor(np.append(arc_counts, 0))
        self._first_arc = self._tensor(np.concatenate([[0], np.cumsum(arc_counts)]))
        self._arcs = self._tensor(np.asarray(arcs, dtype=np.int64) - first[member])

    def batch(self, graphs: Tensor) -> MessageBatch:
        """Return the batch of graphs (F, slots) with their arcs."""
        plain = super().batch(graphs)
        sizes = self._sizes[plain.graphs]
        first_of_replica = torch.arange(plain.n_replicas, device=self.device).unsqueeze(1) * plain.nodes.shape[1]
        first_row = (first_of_replica + torch.cumsum(sizes, 1) - sizes).reshape(-1)
        counts = self._arc_counts[plain.graphs].reshape(-1)
        slot, _, entries = self._members(self._first_arc[plain.graphs.reshape(-1)], counts, int(counts.sum()))
        values = {field.name: getattr(plain, field.name) for field in fields(plain)}
        return MessageBatch(**values, arcs=self._arcs[:, entries] + first_row[slot], arc_entries=entries)


class MessageTrainer(Trainer):
    """A trainer for any network of the comparison, with the loss that it was published with."""

    def __init__(
        self, network: nn.Module, data: MessageData, splits: Sequence[Split], schedule: Schedule, device: str = "cpu",
        loss: Callable[[Tensor, Tensor], Tensor] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(network, data, splits, schedule, device)
        self.loss = loss or super().loss
        self.arc_weights = None
        if data.arcs is not None:
            self.batcher = MessageBatcher(data.sizes, data.arcs, self.device)
        if data.arc_weights is not None:
            self.arc_weights = torch.from_numpy(np.asarray(data.arc_weights, dtype=np.float32)).to(self.device)

    def scores(self, batch: Batch) -> Tensor:
        """Return the scores of a batch."""
        if self.arc_weights is None:
            return super().scores(batch)
        x = self.features[batch.nodes]
        if self.shift is not None and self.scale is not None:
            x = (x - self.shift) * self.scale
        return cast(Tensor, self.network(x, batch, self.arc_weights[batch.arc_entries]))
