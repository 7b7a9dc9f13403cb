"""GIN (Xu et al., How powerful are graph neural networks?, 2019), the variant GIN-0.

Published configuration: five layers counting the input, perceptrons of two layers with batch normalisation, sums of
every layer read out, dropout 0.5 before each readout.
"""

from __future__ import annotations

from typing import cast

from experiments.classification.models.layers import MessageMap, RepeatableSum
from experiments.classification.models.messages import MessageBatch
from torch import Tensor, nn
from torch_geometric.nn import GINConv

from vnestruct.setmodel.batches import Batch, segment_sum
from vnestruct.setmodel.network import ReplicaLinear


class GIN(nn.Module):
    """Sum over neighbours, then a perceptron; all layers are read out."""

    uses_arcs = True
    arc_weighting = None

    def __init__(
        self, n_replicas: int, n_inputs: int, n_classes: int, *, width: int = 32, layers: int = 4, dropout: float = 0.5
    ) -> None:
        super().__init__()
        widths = [n_inputs] + [width] * layers
        self.maps = nn.ModuleList([MessageMap(n_replicas, [before, width, width]) for before in widths[:-1]])
        self.convolutions = nn.ModuleList(
            [GINConv(part, eps=0.0, train_eps=False, aggr=RepeatableSum()) for part in self.maps]
        )
        self.readouts = nn.ModuleList([ReplicaLinear(n_replicas, before, n_classes) for before in widths])
        self.dropout = dropout

    def forward(self, x: Tensor, batch: MessageBatch) -> Tensor:
        """Return the scores of the classes, (F, slots, classes)."""
        shape = x.shape
        flat = x.flatten(0, 1)
        scores = self._readout(0, x, batch)
        for place, (part, convolution) in enumerate(zip(self.maps, self.convolutions, strict=True), start=1):
            cast(MessageMap, part).rows = batch.node_rows
            flat = convolution(flat, batch.arcs)
            scores = scores + self._readout(place, flat.view(shape[0], shape[1], -1), batch)
        return scores

    def _readout(self, place: int, x: Tensor, batch: Batch) -> Tensor:
        scores: Tensor = self.readouts[place](segment_sum(x, batch))
        return nn.functional.dropout(scores, self.dropout, self.training)
