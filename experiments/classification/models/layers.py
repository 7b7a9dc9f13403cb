"""Layers of the message-passing networks: PyTorch Geometric layers with one set of weights per replica.

PyTorch Geometric sees one graph, the union of the batches of all replicas; the affine maps inside its layers see which
rows belong to which replica.
"""

from __future__ import annotations

from typing import cast

import torch
from experiments.classification.models.messages import MessageBatch
from torch import Tensor, nn
from torch_geometric.nn import GCNConv
from torch_geometric.nn.aggr import SumAggregation

from vnestruct.setmodel.batches import Batch, Rows
from vnestruct.setmodel.network import Perceptron, ReplicaLinear


class FlatLinear(ReplicaLinear):
    """A map for each replica on rows that are not divided by replica."""

    def forward(self, x: Tensor) -> Tensor:
        """Map (F * rows, n_in) to (F * rows, n_out)."""
        replicas = self.weight.shape[0]
        return super().forward(x.view(replicas, -1, x.shape[-1])).view(x.shape[0], -1)


class RepeatableSum(SumAggregation):  # type: ignore[misc]
    """`SumAggregation` that adds up in one order on a GPU too, without sorting every channel for it."""

    def forward(
        self, x: Tensor, index: Tensor | None = None, ptr: Tensor | None = None, dim_size: int | None = None,
        dim: int = -2,
    ) -> Tensor:  # fmt: skip
        """Add up the rows of each index."""
        if x.is_cuda and index is not None and dim_size is not None and x.dim() == 2:
            return x.new_zeros(dim_size, x.shape[1]).index_add_(0, index, x)
        return cast(Tensor, super().forward(x, index, ptr, dim_size, dim))


class GraphConvolution(nn.Module):
    """`GCNConv` for several replicas; the weights of arcs are given."""

    def __init__(self, n_replicas: int, n_in: int, n_out: int) -> None:
        super().__init__()
        self.convolution = GCNConv(n_in, n_out, normalize=False, bias=False, aggr=RepeatableSum())
        self.convolution.lin = FlatLinear(n_replicas, n_in, n_out)

    def forward(self, x: Tensor, batch: MessageBatch, arc_weights: Tensor) -> Tensor:
        """Map (F, rows, n_in) to (F, rows, n_out): weighted sums over the arcs that lead to a row."""
        flat = self.convolution(x.flatten(0, 1), batch.arcs, arc_weights)
        return cast(Tensor, flat.view(x.shape[0], x.shape[1], -1))


class MessageMap(nn.Module):
    """A perceptron for `GINConv`, which knows only flat rows; `rows` is set before each use."""

    def __init__(self, n_replicas: int, widths: list[int]) -> None:
        super().__init__()
        self.perceptron = Perceptron(n_replicas, widths, 0.0)
        self.n_replicas = n_replicas
        self.rows: Rows | None = None

    def forward(self, x: Tensor) -> Tensor:
        """Map (F * rows, channels) layer by layer."""
        out: Tensor = self.perceptron(x.view(self.n_replicas, -1, x.shape[-1]), self.rows)
        return out.flatten(0, 1)


def clean(x: Tensor, batch: Batch) -> Tensor:
    """Set the padding to zero."""
    return x if batch.node_rows.mask is None else x * batch.node_rows.mask


def stack(parts: list[Tensor]) -> Tensor:
    return torch.cat(parts, dim=2)
