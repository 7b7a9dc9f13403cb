"""Batches of graphs as one node matrix: no loop over graphs, no padding within a replica.

The nodes of the graphs in a batch are concatenated; a segment sum gives one row per graph. With several replicas, each
with its own graphs, the matrices are stacked and padded to the longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor


@dataclass(frozen=True)
class Rows:
    """Which rows of an (F, rows, channels) tensor are real.

    Parameters
    ----------
    mask : Tensor, shape (F, rows, 1), or None
        1 for a real row, 0 for padding; None if all are real.
    count : Tensor, shape (F, 1, 1)
        Number of real rows of each replica.
    """

    mask: Tensor | None
    count: Tensor


@dataclass(frozen=True)
class Batch:
    """The nodes of some graphs for each of F replicas.

    Parameters
    ----------
    nodes : Tensor, shape (F, rows)
        Row of each node in the features of the collection; padding points to a row of zeros after the last.
    lengths : Tensor, shape (F * (slots + 1),)
        Number of rows of each graph slot of a replica, then of its padding.
    owner : Tensor, shape (F * rows,)
        Graph slot of each row, f * (slots + 1) + slot; the last slot of a replica is its padding.
    node_rows, graph_rows : Rows
        Which rows, and which graph slots, are real.
    graphs : Tensor, shape (F, slots)
        Graph in each slot; the number of graphs for an empty slot.
    arcs : Tensor, shape (2, number of arcs), or None
        Source and target row of each arc, counted over all replicas.
    arc_entries : Tensor or None
        Index of each arc in the collection.
    """

    nodes: Tensor
    lengths: Tensor
    owner: Tensor
    node_rows: Rows
    graph_rows: Rows
    graphs: Tensor
    arcs: Tensor | None = None
    arc_entries: Tensor | None = None

    @property
    def n_replicas(self) -> int:
        """Number of replicas F."""
        return int(self.graphs.shape[0])

    @property
    def n_slots(self) -> int:
        """Number of graph slots per replica."""
        return int(self.graphs.shape[1])


class Batcher:
    """Make batches of a collection whose graphs have the given sizes.

    Parameters
    ----------
    sizes : array of int
        Number of nodes of each graph.
    arcs : array of int, shape (2, number of arcs), optional
        Arcs between nodes of the collection, grouped by graph, for networks that pass messages.
    device : torch.device or str
        Where batches are made.
    """

    def __init__(self, sizes: npt.ArrayLike, arcs: npt.NDArray[Any] | None = None, device: Any = "cpu") -> None:
        counts = np.asarray(sizes, dtype=np.int64)
        self.device = torch.device(device)
        self.n_graphs = counts.size
        self.n_nodes = int(counts.sum())
        # One more graph, without nodes, fills empty slots.
        self._sizes = self._tensor(np.append(counts, 0))
        first = np.concatenate([[0], np.cumsum(counts)])
        self._first_node = self._tensor(first)
        self._arcs: Tensor | None = None
        if arcs is not None:
            member = np.repeat(np.arange(counts.size), counts)[arcs[0]]
            arc_counts = np.bincount(member, minlength=counts.size)
            self._arc_counts = self._tensor(np.append(arc_counts, 0))
            self._first_arc = self._tensor(np.concatenate([[0], np.cumsum(arc_counts)]))
            self._arcs = self._tensor(np.asarray(arcs, dtype=np.int64) - first[member])

    def batch(self, graphs: Tensor) -> Batch:
        """Return the batch of graphs (F, slots); `n_graphs` stands for an empty slot."""
        graphs = graphs.to(self.device)
        n_replicas, n_slots = graphs.shape
        counts = self._sizes[graphs]
        totals = counts.sum(1)
        n_rows = int(totals.max())
        flat = counts.reshape(-1)
        n_real = int(totals.sum()) if n_replicas > 1 else n_rows
        slot = torch.repeat_interleave(torch.arange(flat.numel(), device=self.device), flat, output_size=n_real)
        before = torch.cumsum(flat, 0) - flat
        index = torch.arange(n_real, device=self.device)
        # First row of each slot after the replicas are padded.
        replica_start = before.view(n_replicas, n_slots)[:, :1]
        shift = (torch.arange(n_replicas, device=self.device).unsqueeze(1) * n_rows - replica_start).expand(-1, n_slots)
        shift = shift.reshape(-1)
        node = self._first_node[graphs.reshape(-1)][slot] + index - before[slot]
        real_slots = graphs < self.n_graphs
        if n_replicas == 1:
            nodes, owner = node.view(1, -1), slot
            lengths = torch.cat([flat, flat.new_zeros(1)])
            node_rows = Rows(None, totals.view(1, 1, 1).to(torch.float32))
        else:
            place = index + shift[slot]
            size = n_replicas * n_rows
            nodes = torch.full((size,), self.n_nodes, device=self.device).scatter_(0, place, node)
            nodes = nodes.view(n_replicas, n_rows)
            padding = torch.arange(n_replicas, device=self.device) * (n_slots + 1) + n_slots
            owner = padding.repeat_interleave(n_rows, output_size=size)
            owner = owner.scatter_(0, place, slot + torch.div(slot, n_slots, rounding_mode="floor"))
            lengths = torch.cat([counts, (n_rows - totals).unsqueeze(1)], dim=1).reshape(-1)
            mask = (nodes < self.n_nodes).to(torch.float32).unsqueeze(2)
            node_rows = Rows(mask, totals.view(-1, 1, 1).to(torch.float32).clamp_min(1.0))
        count = real_slots.sum(1).view(-1, 1, 1).to(torch.float32).clamp_min(1.0)
        all_real = n_replicas == 1 and bool(real_slots.all())
        graph_rows = Rows(None if all_real else real_slots.to(torch.float32).unsqueeze(2), count)
        arcs, entries = self._batch_arcs(graphs, before + shift)
        return Batch(nodes, lengths, owner, node_rows, graph_rows, graphs, arcs, entries)

    def shuffled(self, members: Sequence[npt.NDArray[Any]], batch_size: int, random: Any) -> list[Tensor]:
        """Return the graphs of each batch of an epoch, in a separate random order for each replica.

        Parameters
        ----------
        members : list of arrays of int
            The graphs of each replica.
        batch_size : int
            Approximate number of graphs per batch: all batches have the same size.
        random : list of numpy.random.Generator
            One for each replica.
        """
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

    def _batch_arcs(self, graphs: Tensor, first_row: Tensor) -> tuple[Tensor | None, Tensor | None]:
        if self._arcs is None:
            return None, None
        counts = self._arc_counts[graphs].reshape(-1)
        n_arcs = int(counts.sum())
        slot = torch.repeat_interleave(torch.arange(counts.numel(), device=self.device), counts, output_size=n_arcs)
        before = torch.cumsum(counts, 0) - counts
        entries = self._first_arc[graphs.reshape(-1)][slot] + torch.arange(n_arcs, device=self.device) - before[slot]
        return self._arcs[:, entries] + first_row[slot], entries

    def _tensor(self, values: npt.NDArray[Any]) -> Tensor:
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.int64)).to(self.device)


def segment_sum(values: Tensor, batch: Batch) -> Tensor:
    """Return the sum of the rows of each graph: (F, rows, channels) becomes (F, slots, channels)."""
    n_replicas, n_slots, channels = batch.n_replicas, batch.n_slots, values.shape[2]
    flat = values.reshape(-1, channels)
    if flat.is_cuda:
        # One thread adds up one graph, in order: atomic additions would not give the same bits twice.
        sums = torch.segment_reduce(flat, "sum", lengths=batch.lengths, axis=0, unsafe=True)
    else:
        n_segments = n_replicas * n_slots if n_replicas == 1 else n_replicas * (n_slots + 1)
        sums = flat.new_zeros(n_segments, channels).index_add_(0, batch.owner, flat)
    if n_replicas == 1:
        return sums[:n_slots].unsqueeze(0)
    return sums.view(n_replicas, n_slots + 1, channels)[:, :n_slots]


def segment_max(values: Tensor, batch: Batch) -> Tensor:
    """Return the largest value of each channel in each graph, 0 for a graph without nodes."""
    n_replicas, n_slots, channels = batch.n_replicas, batch.n_slots, values.shape[2]
    n_segments = n_replicas * n_slots if n_replicas == 1 else n_replicas * (n_slots + 1)
    flat = values.reshape(-1, channels)
    index = batch.owner.unsqueeze(1).expand(-1, channels)
    largest = flat.new_zeros(n_segments, channels).scatter_reduce(0, index, flat, "amax", include_self=False)
    return largest.view(n_replicas, -1, channels)[:, :n_slots]
