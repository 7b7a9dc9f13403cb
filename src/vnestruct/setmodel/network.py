"""The network on sets: psi(sum of phi(x')), the same for every order of the nodes."""

from __future__ import annotations

from itertools import pairwise
from typing import cast

import torch
from torch import Tensor, nn

from vnestruct.setmodel.batches import Batch, segment_max, segment_sum
from vnestruct.setmodel.replicas import ReplicaLinear, ReplicaNorm, Rows

POOLINGS = ("sum", "sum+mean+max")


class Perceptron(nn.Module):
    """Layers of affine map, batch normalisation, ReLU and dropout, for several replicas.

    Parameters
    ----------
    n_replicas : int
        Number of replicas.
    widths : list of int
        Channels that come in, then of each layer.
    dropout : float
        Share of channels dropped after each layer while training.
    """

    def __init__(self, n_replicas: int, widths: list[int], dropout: float) -> None:
        super().__init__()
        pairs = list(pairwise(widths))
        self.maps = nn.ModuleList([ReplicaLinear(n_replicas, before, after) for before, after in pairs])
        self.norms = nn.ModuleList([ReplicaNorm(n_replicas, after) for _, after in pairs])
        self.dropout = dropout

    def forward(self, x: Tensor, rows: Rows) -> Tensor:
        """Map (F, rows, channels) layer by layer."""
        for affine, norm in zip(self.maps, self.norms, strict=True):
            x = torch.relu(norm(affine(x), rows))
            x = nn.functional.dropout(x, self.dropout, self.training)
        return x


class SetNetwork(nn.Module):
    """Classes of graphs from sets of node vectors.

    Parameters
    ----------
    n_replicas, n_inputs, n_classes : int
        Number of replicas, of columns of a node, and of classes.
    width : int
        Channels of every layer.
    node_layers, graph_layers : int
        Layers of phi before the sum, and of psi after it.
    dropout : float
        Share of channels dropped while training, in psi; phi drops none unless `node_dropout` says so.
    pooling : {"sum", "sum+mean+max"}
        How nodes become a graph.
    """

    uses_arcs = False

    def __init__(
        self,
        n_replicas: int,
        n_inputs: int,
        n_classes: int,
        *,
        width: int = 32,
        node_layers: int = 2,
        graph_layers: int = 1,
        dropout: float = 0.5,
        node_dropout: float = 0.0,
        pooling: str = "sum",
    ) -> None:
        super().__init__()
        self.pooling = pooling
        n_pooled = width * len(pooling.split("+"))
        self.phi = Perceptron(n_replicas, [n_inputs] + [width] * node_layers, node_dropout)
        self.pooled_norm = ReplicaNorm(n_replicas, n_pooled)
        self.psi = Perceptron(n_replicas, [n_pooled] + [width] * graph_layers, dropout)
        self.last = ReplicaLinear(n_replicas, width if graph_layers else n_pooled, n_classes)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the scores of the classes, (F, slots, classes), from node vectors (F, rows, columns)."""
        hidden = self.phi(x, batch.node_rows)
        pooled = segment_sum(hidden, batch)
        if self.pooling != "sum":
            n_nodes = batch.lengths.view(batch.n_replicas, -1)[:, : batch.n_slots] if batch.n_replicas > 1 else None
            n_nodes = batch.lengths[: batch.n_slots].view(1, -1) if n_nodes is None else n_nodes
            mean = pooled / n_nodes.clamp_min(1).unsqueeze(2)
            pooled = torch.cat([pooled, mean, segment_max(hidden, batch)], dim=2)
        pooled = self.pooled_norm(pooled, batch.graph_rows)
        return cast(Tensor, self.last(self.psi(pooled, batch.graph_rows)))
