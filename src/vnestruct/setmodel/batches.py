"""Batches of graphs as one node matrix: no loop over graphs, no padding within a replica.

The nodes of the graphs in a batch are concatenated; a segment sum gives one row per graph. With several replicas, each
with its own graphs, the matrices are stacked and padded to the longest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor


@dataclass(frozen=True)
class Rows:
    """Which rows of an (F, rows, channels) tensor are real."""

    mask: Tensor | None  # 1 for a real row, 0 for padding, shape (F, rows, 1); None if all are real
    count: Tensor  # number of real rows of each replica, shape (F, 1, 1)


@dataclass(frozen=True)
class Batch:
    """The nodes of some graphs for each of F replicas."""

    nodes: Tensor  # row of each node in the features, shape (F, rows); padding points to a row of zeros after the last
    lengths: Tensor  # number of rows of each graph slot of a replica, then of its padding, shape (F * (slots + 1),)
    owner: Tensor  # slot f * (slots + 1) + slot of each of F * rows rows; the last slot of a replica is its padding
    node_rows: Rows
    graph_rows: Rows
    graphs: Tensor  # graph in each slot, shape (F, slots); the number of graphs for an empty slot

    @property
    def n_replicas(self) -> int:
        """Number of replicas F."""
        return int(self.graphs.shape[0])

    @property
    def n_slots(self) -> int:
        """Number of graph slots per replica."""
        return int(self.graphs.shape[1])

    @property
    def n_segments(self) -> int:
        """Number of graph slots of all replicas, with one more for the padding of each if there are several."""
        return self.n_slots if self.n_replicas == 1 else self.n_replicas * (self.n_slots + 1)


class Batcher:
    """Make batches of graphs of the given sizes."""

    def __init__(self, sizes: npt.ArrayLike, device: Any = "cpu") -> None:
        counts = np.asarray(sizes, dtype=np.int64)
        self.device = torch.device(device)
        self.n_graphs = counts.size
        self.n_nodes = int(counts.sum())
        # One more graph, without nodes, fills empty slots.
        self._sizes = self._tensor(np.append(counts, 0))
        self._first_node = self._tensor(np.concatenate([[0], np.cumsum(counts)]))

    def batch(self, graphs: Tensor) -> Batch:
        """Return the batch of graphs (F, slots); `n_graphs` stands for an empty slot."""
        graphs = graphs.to(self.device)
        n_replicas, n_slots = graphs.shape
        counts = self._sizes[graphs]
        totals = counts.sum(1)
        n_rows = int(totals.max())
        flat = counts.reshape(-1)
        n_real = int(totals.sum()) if n_replicas > 1 else n_rows
        slot, before, node = self._members(self._first_node[graphs.reshape(-1)], flat, n_real)
        real_slots = graphs < self.n_graphs
        if n_replicas == 1:
            nodes, owner = node.view(1, -1), slot
            lengths = torch.cat([flat, flat.new_zeros(1)])
            node_rows = Rows(None, totals.view(1, 1, 1).to(torch.float32))
        else:
            # Padding shifts the rows of a replica.
            first_row = torch.arange(n_replicas, device=self.device).unsqueeze(1) * n_rows
            shift = (first_row - before.view(n_replicas, n_slots)[:, :1]).expand(-1, n_slots).reshape(-1)
            place = torch.arange(n_real, device=self.device) + shift[slot]
            size = n_replicas * n_rows
            nodes = torch.full((size,), self.n_nodes, device=self.device).scatter_(0, place, node).view(-1, n_rows)
            padding = torch.arange(n_replicas, device=self.device) * (n_slots + 1) + n_slots
            owner = padding.repeat_interleave(n_rows, output_size=size)
            owner = owner.scatter_(0, place, slot + torch.div(slot, n_slots, rounding_mode="floor"))
            lengths = torch.cat([counts, (n_rows - totals).unsqueeze(1)], dim=1).reshape(-1)
            mask = (nodes < self.n_nodes).to(torch.float32).unsqueeze(2)
            node_rows = Rows(mask, totals.view(-1, 1, 1).to(torch.float32).clamp_min(1.0))
        count = real_slots.sum(1).view(-1, 1, 1).to(torch.float32).clamp_min(1.0)
        all_real = n_replicas == 1 and bool(real_slots.all())
        graph_rows = Rows(None if all_real else real_slots.to(torch.float32).unsqueeze(2), count)
        return Batch(nodes, lengths, owner, node_rows, graph_rows, graphs)

    def shuffled(self, members: Sequence[npt.NDArray[Any]], batch_size: int, random: Any) -> list[Tensor]:
        """Return the graphs of each batch of an epoch, shuffled by each replica's generator; sizes are equal."""
        longest = max(len(graphs) for graphs in members)
        n_batches = max(1, round(longest / batch_size))
        n_slots = -(-longest // n_batches)
        order = np.full((len(members), n_batches * n_slots), self.n_graphs, dtype=np.int64)
        for replica, graphs in enumerate(members):
            # Empty slots are spread over the batches, so that no batch of a shorter replica is nearly empty.
            places = np.arange(len(graphs)) * (n_batches * n_slots) // len(graphs)
            order[replica, places] = random[replica].permutation(graphs)
        steps = [order[:, first : first + n_slots] for first in range(0, order.shape[1], n_slots)]
        if len(members) == 1:
            steps = [step[:, step[0] < self.n_graphs] for step in steps]
        return [torch.from_numpy(np.ascontiguousarray(step)).to(self.device) for step in steps]

    def _members(self, first: Tensor, counts: Tensor, total: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return the slot of each member of all slots, the number of members before each slot, and the members."""
        slot = torch.repeat_interleave(torch.arange(counts.numel(), device=self.device), counts, output_size=total)
        before = torch.cumsum(counts, 0) - counts
        return slot, before, first[slot] + torch.arange(total, device=self.device) - before[slot]

    def _tensor(self, values: npt.NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.int64)).to(self.device)


def segment_sum(values: Tensor, batch: Batch) -> Tensor:
    """Return the sum of the rows of each graph: (F, rows, channels) becomes (F, slots, channels)."""
    flat = values.reshape(-1, values.shape[2])
    if flat.is_cuda:
        # One thread adds up one graph, in order: atomic additions would not give the same bits twice.
        sums = torch.segment_reduce(flat, "sum", lengths=batch.lengths, axis=0, unsafe=True)
    else:
        sums = flat.new_zeros(batch.n_segments, values.shape[2]).index_add_(0, batch.owner, flat)
    return sums.view(batch.n_replicas, -1, values.shape[2])[:, : batch.n_slots]


def segment_max(values: Tensor, batch: Batch) -> Tensor:
    """Return the largest value of each channel in each graph, 0 for a graph without nodes."""
    flat = values.reshape(-1, values.shape[2])
    index = batch.owner.unsqueeze(1).expand(-1, values.shape[2])
    zeros = flat.new_zeros(batch.n_segments, values.shape[2])
    largest = zeros.scatter_reduce(0, index, flat, "amax", include_self=False)
    return largest.view(batch.n_replicas, -1, values.shape[2])[:, : batch.n_slots]
