"""GCN (Kipf and Welling, 2017) for graphs, as set up by Chen et al., Are powerful graph neural nets necessary?, 2019.

Published configuration: one layer on the features, three convolutions, sum, one hidden layer; batch normalisation
before each; width 128. The symmetric normalisation of arcs and self-loops is computed once for the collection.
"""

from __future__ import annotations

import torch
from experiments.classification.models.layers import GraphConvolution
from experiments.classification.models.messages import MessageBatch
from torch import Tensor, nn

from vnestruct.setmodel.batches import segment_sum
from vnestruct.setmodel.network import Perceptron, ReplicaLinear, ReplicaNorm


class GCN(nn.Module):
    """Weighted means over neighbours and self."""

    uses_arcs = True
    arc_weighting = "symmetric"

    def __init__(
        self, n_replicas: int, n_inputs: int, n_classes: int, *, width: int = 128, layers: int = 3, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.first = Perceptron(n_replicas, [n_inputs, width], 0.0)
        self.norms = nn.ModuleList([ReplicaNorm(n_replicas, width) for _ in range(layers)])
        self.convolutions = nn.ModuleList([GraphConvolution(n_replicas, width, width) for _ in range(layers)])
        self.hidden = Perceptron(n_replicas, [width, width], dropout)
        self.last = ReplicaLinear(n_replicas, width, n_classes)

    def forward(self, x: Tensor, batch: MessageBatch, arc_weights: Tensor) -> Tensor:
        """Return the scores of the classes, (F, slots, classes)."""
        x = self.first(x, batch.node_rows)
        for norm, convolution in zip(self.norms, self.convolutions, strict=True):
            x = torch.relu(convolution(norm(x, batch.node_rows), batch, arc_weights))
        scores: Tensor = self.last(self.hidden(segment_sum(x, batch), batch.graph_rows))
        return scores
