"""Batches of graphs on the device of the training, with what the layers of a stack need to know about them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from vnestruct.graph import GraphSet

DENSE_DEGREE = 20.0
"""Above this mean degree, neighbourhood sums are dense matrix products, graph by graph."""
SMALLEST_BUCKET = 16


@dataclass
class Bucket:
    """Graphs of similar size, padded to the same number of nodes: slots `first` to `last` of the padded nodes."""

    first: int
    last: int
    graphs: int
    size: int
    inside: Tensor
    matrix: Tensor | None


@dataclass
class Batch:
    """Some graphs as one disjoint union; `slots` and `position` map padded nodes to nodes and back."""

    graphs: Tensor
    nodes: Tensor
    graph_of: Tensor
    sizes: Tensor
    slots: Tensor
    position: Tensor
    buckets: list[Bucket]
    neighbours: Tensor | None
    members: Tensor
    node_share: Tensor
    graph_share: Tensor

    def propagate(self, x: Tensor) -> Tensor:
        """Return the sum over each node and its neighbours, for all models at once."""
        models, n_nodes, channels = x.shape
        rows = x.transpose(0, 1).reshape(n_nodes, models * channels)
        if self.neighbours is not None:
            total = self.neighbours @ rows
        else:
            inside = self.slots >= 0
            padded = rows.index_select(0, self.slots.clamp(min=0)) * inside.to(x.dtype)[:, None]
            parts = [
                (bucket.matrix @ padded[bucket.first : bucket.last].view(bucket.graphs, bucket.size, -1)).flatten(0, 1)
                for bucket in self.buckets
                if bucket.matrix is not None
            ]
            total = torch.cat(parts).index_select(0, self.position)
        return total.view(n_nodes, models, channels).transpose(0, 1).contiguous()

    def pool(self, x: Tensor) -> Tensor:
        """Return the sum over the nodes of each graph."""
        models, n_nodes, channels = x.shape
        total = self.members @ x.transpose(0, 1).reshape(n_nodes, models * channels)
        return total.view(-1, models, channels).transpose(0, 1).contiguous()


class Batches:
    """Makes batches of a collection for a stack of models, given the training graphs of each model.

    Parameters
    ----------
    trained : Tensor of bool, shape (models, graphs)
        Which graphs, or with `per_node` which nodes, each model trains on.
    """

    def __init__(self, collection: GraphSet, trained: Tensor, device: torch.device, *, per_node: bool = False) -> None:
        graph = collection.graph
        self.offsets, self.indptr, self.indices = collection.offsets, graph.indptr, graph.indices
        self.dense = graph.indices.size > DENSE_DEGREE * graph.n_nodes
        self.trained, self.device, self.per_node = trained, device, per_node

    def make(self, graphs: NDArray[np.int64]) -> Batch:
        """Return some graphs as a batch."""
        sizes = np.diff(self.offsets)[graphs].astype(np.int64)
        nodes = _ranges(self.offsets[graphs], sizes)
        member = np.repeat(np.arange(graphs.size), sizes)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        degrees = np.diff(self.indptr)[nodes]
        source = np.repeat(np.arange(nodes.size), degrees)
        entries = _ranges(self.indptr[nodes], degrees)
        target = self.indices[entries] - (nodes - np.arange(nodes.size))[source]
        slots, position, buckets = self._buckets(sizes, starts, source, target)
        own = np.arange(nodes.size)
        members = self._sparse(member, own, (graphs.size, nodes.size))
        neighbours = None
        if not self.dense:
            both = (np.concatenate([source, own]), np.concatenate([target, own]))
            neighbours = self._sparse(*both, (nodes.size, nodes.size))
        place = {"device": self.device}
        graph_of, chosen = torch.as_tensor(member, **place), torch.as_tensor(graphs, **place)
        trained = self.trained[:, torch.as_tensor(nodes, **place) if self.per_node else chosen].float()
        of_nodes = trained if self.per_node else trained[:, graph_of]
        return Batch(
            graphs=chosen, nodes=torch.as_tensor(nodes, **place), graph_of=graph_of,
            sizes=torch.as_tensor(sizes, **place).float(), slots=torch.as_tensor(slots, **place),
            position=torch.as_tensor(position, **place), buckets=buckets, neighbours=neighbours, members=members,
            node_share=_share(of_nodes), graph_share=_share(trained),
        )  # fmt: skip

    def _buckets(
        self, sizes: Any, starts: Any, source: Any, target: Any
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], list[Bucket]]:
        padded = np.maximum(SMALLEST_BUCKET, 2 ** np.ceil(np.log2(np.maximum(sizes, 1))).astype(np.int64))
        slots, buckets, first = [], [], 0
        position = np.zeros(int(sizes.sum()), dtype=np.int64)
        member = np.repeat(np.arange(sizes.size), sizes)[source]
        for size in np.unique(padded).tolist():
            chosen = np.flatnonzero(padded == size)
            inside = np.arange(size) < sizes[chosen, np.newaxis]
            nodes = np.where(inside, starts[chosen, np.newaxis] + np.arange(size), -1)
            position[nodes[inside]] = first + np.flatnonzero(inside)
            matrix = None
            if self.dense:
                arcs = padded[member] == size
                row = np.searchsorted(chosen, member[arcs])
                shift = starts[member[arcs]]
                matrix = np.zeros((chosen.size, size, size), dtype=np.float32)
                matrix[row, source[arcs] - shift, target[arcs] - shift] = 1.0
                matrix[:, np.arange(size), np.arange(size)] = 1.0
                matrix = torch.as_tensor(matrix, device=self.device)
            within = torch.as_tensor(inside, device=self.device)
            buckets.append(Bucket(first, first + nodes.size, chosen.size, size, within, matrix))
            slots.append(nodes.ravel())
            first += nodes.size
        return np.concatenate(slots), position, buckets

    def _sparse(self, rows: Any, columns: Any, shape: tuple[int, int]) -> Tensor:
        order = np.lexsort((columns, rows))
        bounds = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=shape[0]))])
        indices = (torch.as_tensor(part.astype(np.int32), device=self.device) for part in (bounds, columns[order]))
        ones = torch.ones(order.size, device=self.device)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta state")
            return torch.sparse_csr_tensor(*indices, ones, shape, check_invariants=False)


def _share(trained: Tensor) -> Tensor:
    """Return the weight of each row in the mean over the rows a model trains on, as a row vector per model."""
    return (trained / trained.sum(1, keepdim=True).clamp(min=1.0))[:, None]


def _ranges(first: Any, sizes: Any) -> NDArray[np.int64]:
    """Return the numbers of several ranges, one after the other."""
    shift = np.repeat(np.asarray(first, dtype=np.int64) - np.concatenate([[0], np.cumsum(sizes)[:-1]]), sizes)
    return np.asarray(shift + np.arange(shift.size))
