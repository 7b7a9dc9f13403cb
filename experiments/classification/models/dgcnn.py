"""DGCNN (Zhang et al., An end-to-end deep learning architecture for graph classification, 2018).

Published configuration: four convolutions with tanh and channels 32, 32, 32, 1, the row-normalised adjacency with
self-loops; the k nodes of largest last channel in order, k such that 60% of graphs have as many; one-dimensional
convolutions of 16 and 32 channels with pooling between; a hidden layer of 128 and dropout 0.5.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import torch
from experiments.classification.models.layers import GraphConvolution, clean, stack
from experiments.classification.models.messages import MessageBatch
from torch import Tensor, nn
from torch_geometric.nn.aggr import SortAggregation

from vnestruct.setmodel.network import ReplicaLinear

KERNEL = 5


class DGCNN(nn.Module):
    """Nodes sorted by a learned colour, then read like a sequence."""

    uses_arcs = True
    arc_weighting = "row"

    def __init__(
        self, n_replicas: int, n_inputs: int, n_classes: int, *, width: int = 32, layers: int = 3, k: int = 16,
        dropout: float = 0.5,
    ) -> None:  # fmt: skip
        super().__init__()
        widths = [n_inputs] + [width] * layers + [1]
        pairs = pairwise(widths)
        self.convolutions = nn.ModuleList([GraphConvolution(n_replicas, before, after) for before, after in pairs])
        self.k = max(k, 2 * KERNEL)
        self.sort = SortAggregation(self.k)
        self.channels = sum(widths[1:])
        # A convolution whose step is its length is an affine map of each node.
        self.nodes = ReplicaLinear(n_replicas, self.channels, 16)
        self.sequence = ReplicaLinear(n_replicas, 16 * KERNEL, 32)
        self.hidden = ReplicaLinear(n_replicas, 32 * (self.k // 2 - KERNEL + 1), 128)
        self.last = ReplicaLinear(n_replicas, 128, n_classes)
        self.dropout = dropout

    def forward(self, x: Tensor, batch: MessageBatch, arc_weights: Tensor) -> Tensor:
        """Return the scores of the classes, (F, slots, classes)."""
        layers = []
        for convolution in self.convolutions:
            x = torch.tanh(convolution(x, batch, arc_weights))
            layers.append(x)
        replicas, slots = batch.n_replicas, batch.n_slots
        flat = clean(stack(layers), batch).flatten(0, 1)
        n_segments = replicas * slots if replicas == 1 else replicas * (slots + 1)
        chosen = self.sort(flat, batch.owner, dim_size=n_segments)
        chosen = chosen.view(replicas, -1, self.k, self.channels)[:, :slots]
        read = torch.relu(self.nodes(chosen.reshape(replicas, -1, self.channels)))
        read = read.view(replicas * slots, self.k, 16).transpose(1, 2)
        read = nn.functional.max_pool1d(read, 2).unfold(2, KERNEL, 1)
        steps = read.shape[2]
        windows = read.permute(0, 2, 1, 3).reshape(replicas, slots * steps, 16 * KERNEL)
        sequence = torch.relu(self.sequence(windows)).view(replicas, slots, steps * 32)
        hidden = nn.functional.dropout(torch.relu(self.hidden(sequence)), self.dropout, self.training)
        scores: Tensor = self.last(hidden)
        return scores


def published_k(sizes: Any) -> int:
    """Return the k that 60% of the graphs reach."""
    return int(np.sort(np.asarray(sizes))[int(np.ceil(0.4 * len(sizes))) - 1])
