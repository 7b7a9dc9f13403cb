"""The two networks: GIN and GPS, as stacks of models."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from experiments.encodings.batches import Batch
from experiments.encodings.layers import BatchNorm, GINLayer, GPSLayer, InputLinear, Linear, pooled
from torch import Tensor, nn

CHANNELS = 32
HEADS = 4
DROPOUT = 0.5


@dataclass(frozen=True)
class Shape:
    """The size of a stack: blocks of `per_block` models, the number of inputs of each block."""

    inputs: tuple[int, ...]
    per_block: int
    classes: int
    per_node: bool = False
    linear_attention: bool = False

    @property
    def models(self) -> int:
        """Number of models."""
        return len(self.inputs) * self.per_block


class _Network(nn.Module):
    """Layers, then all their outputs side by side, pooled per graph, into a classifier with one hidden layer."""

    def __init__(self, shape: Shape, n_layers: int) -> None:
        super().__init__()
        self.shape = shape
        self.input = InputLinear(shape.inputs, shape.per_block, CHANNELS)
        width = n_layers * CHANNELS * (1 if shape.per_node else 2)
        self.readout_norm = BatchNorm(shape.models, width)
        self.hidden = Linear(shape.models, width, CHANNELS)
        self.output = Linear(shape.models, CHANNELS, shape.classes)

    def layer_outputs(self, x: Tensor, batch: Batch) -> list[Tensor]:
        """Return the output of each layer."""
        raise NotImplementedError

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the scores of the classes, of shape (models, graphs or nodes, classes)."""
        outputs = self.layer_outputs(self.input(x), batch)
        readout = torch.cat(outputs if self.shape.per_node else [pooled(h, batch) for h in outputs], -1)
        hidden = torch.relu(self.hidden(self.readout_norm(readout, batch.graph_share)))
        return self.output(nn.functional.dropout(hidden, DROPOUT, self.training))  # type: ignore[no-any-return]


class GIN(_Network):
    """Three layers of `GINConv`, each with batch normalisation and ReLU."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape, 3)
        self.convs = nn.ModuleList(GINLayer(shape.models, CHANNELS, normalised=True) for _ in range(3))
        self.norms = nn.ModuleList(BatchNorm(shape.models, CHANNELS) for _ in range(3))

    def layer_outputs(self, x: Tensor, batch: Batch) -> list[Tensor]:
        """Return the output of each layer."""
        outputs = []
        for conv, norm in zip(self.convs, self.norms, strict=True):
            x = torch.relu(norm(conv(x, batch), batch.node_share))
            outputs.append(x)
        return outputs


class GPS(_Network):
    """Two layers of `GPSConv` around `GINConv`, with attention over all nodes of a graph."""

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape, 2)
        linear = shape.linear_attention
        self.layers = nn.ModuleList(GPSLayer(shape.models, CHANNELS, HEADS, linear=linear) for _ in range(2))

    def layer_outputs(self, x: Tensor, batch: Batch) -> list[Tensor]:
        """Return the output of each layer."""
        outputs = []
        for layer in self.layers:
            x = layer(x, batch)
            outputs.append(x)
        return outputs


NETWORKS: dict[str, type[_Network]] = {"GIN": GIN, "GPS": GPS}
RATES = {"GIN": 5e-3, "GPS": 2e-3}
