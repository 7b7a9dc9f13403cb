"""The network on sets, psi(sum of phi(x')), which gives the same result for every order of the nodes.

Cross-validation trains the same small network on many training sets. One such network leaves a processor idle most of
the time, so the layers hold F networks of one shape, the replicas, each with its own weights, and compute them as one
batched product. Values have the shape (F, rows, channels); rows of different replicas never mix.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn

from vnestruct.setmodel.batches import Batch, Rows, segment_max, segment_sum

POOLINGS = ("sum", "sum+mean+max")


class ReplicaLinear(nn.Module):
    """An affine map for each replica, from `n_in` to `n_out` channels."""

    def __init__(self, n_replicas: int, n_in: int, n_out: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_replicas, n_in, n_out))
        self.bias = nn.Parameter(torch.empty(n_replicas, 1, n_out)) if bias else None

    def draw(self, replica: int, generator: torch.Generator) -> None:
        """Draw the initial weights of one replica, from the same distribution as `torch.nn.Linear`."""
        bound = 1.0 / math.sqrt(max(self.weight.shape[1], 1))
        with torch.no_grad():
            for parameter in (self.weight, self.bias):
                if parameter is not None:
                    values = torch.rand(parameter.shape[1:], generator=generator)
                    parameter[replica] = ((2.0 * values - 1.0) * bound).to(parameter.device)

    def forward(self, x: Tensor) -> Tensor:
        """Map (F, rows, n_in) to (F, rows, n_out)."""
        if x.shape[0] == 1:
            # Views, not entries: the gradient of an entry is a copy into zeros.
            rows, weight = x.squeeze(0), self.weight.squeeze(0)
            flat = rows @ weight if self.bias is None else torch.addmm(self.bias.squeeze(0), rows, weight)
            return flat.unsqueeze(0)
        return torch.bmm(x, self.weight) if self.bias is None else torch.baddbmm(self.bias, x, self.weight)


class ReplicaNorm(nn.Module):
    """Batch normalisation of each replica over its real rows; a single row is allowed."""

    running_mean: Tensor
    running_variance: Tensor

    def __init__(self, n_replicas: int, n_channels: int, momentum: float = 0.1, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.momentum, self.epsilon = momentum, epsilon
        self.weight = nn.Parameter(torch.ones(n_replicas, 1, n_channels))
        self.bias = nn.Parameter(torch.zeros(n_replicas, 1, n_channels))
        self.register_buffer("running_mean", torch.zeros(n_replicas, 1, n_channels))
        self.register_buffer("running_variance", torch.ones(n_replicas, 1, n_channels))

    def forward(self, x: Tensor, rows: Rows) -> Tensor:
        """Normalise by the statistics of the batch while training, by their running means otherwise."""
        if x.shape[0] == 1 and rows.mask is None and (x.shape[1] > 1 or not self.training):
            flat = nn.functional.batch_norm(
                x.squeeze(0), self.running_mean.view(-1), self.running_variance.view(-1), self.weight.view(-1),
                self.bias.view(-1), self.training, self.momentum, self.epsilon,
            )  # fmt: skip
            return flat.unsqueeze(0)
        if not self.training:
            scale = self.weight * torch.rsqrt(self.running_variance + self.epsilon)
            return torch.addcmul(self.bias - self.running_mean * scale, x, scale)
        real = x if rows.mask is None else x * rows.mask
        mean = real.sum(1, keepdim=True) / rows.count
        # One pass over the rows instead of three; counts are small and values near 1, so nothing cancels.
        square = (real * real).sum(1, keepdim=True) / rows.count
        variance = (square - mean * mean).clamp_min(0.0)
        with torch.no_grad():
            unbiased = variance * (rows.count / (rows.count - 1.0).clamp_min(1.0))
            self.running_mean.lerp_(mean, self.momentum)
            self.running_variance.lerp_(unbiased, self.momentum)
        scale = self.weight * torch.rsqrt(variance + self.epsilon)
        return torch.addcmul(self.bias - mean * scale, x, scale)


class Perceptron(nn.Module):
    """Layers of affine map, batch normalisation, ReLU and dropout; `widths` are the input and layer channels."""

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
    """Scores of graph classes from sets of node vectors; see `DeepSetsClassifier`."""

    def __init__(
        self, n_replicas: int, n_inputs: int, n_classes: int, *, width: int = 32, node_layers: int = 2,
        graph_layers: int = 1, dropout: float = 0.5, pooling: str = "sum",
    ) -> None:  # fmt: skip
        super().__init__()
        self.pooling = pooling
        n_pooled = width * len(pooling.split("+"))
        self.phi = Perceptron(n_replicas, [n_inputs] + [width] * node_layers, 0.0)
        self.pooled_norm = ReplicaNorm(n_replicas, n_pooled)
        self.psi = Perceptron(n_replicas, [n_pooled] + [width] * graph_layers, dropout)
        self.last = ReplicaLinear(n_replicas, width if graph_layers else n_pooled, n_classes)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the scores of the classes, (F, slots, classes), from node vectors (F, rows, columns)."""
        hidden = self.phi(x, batch.node_rows)
        pooled = segment_sum(hidden, batch)
        if self.pooling != "sum":
            n_nodes = batch.lengths.view(batch.n_replicas, -1)[:, : batch.n_slots]
            mean = pooled / n_nodes.clamp_min(1).unsqueeze(2)
            pooled = torch.cat([pooled, mean, segment_max(hidden, batch)], dim=2)
        pooled = self.pooled_norm(pooled, batch.graph_rows)
        return cast(Tensor, self.last(self.psi(pooled, batch.graph_rows)))


def draw_weights(network: nn.Module, seeds: Sequence[int]) -> None:
    """Draw the initial weights of each replica from its own seed, independently of the other replicas."""
    layers = [layer for layer in network.modules() if isinstance(layer, ReplicaLinear)]
    for replica, seed in enumerate(seeds):
        generator = torch.Generator().manual_seed(int(seed))
        for layer in layers:
            layer.draw(replica, generator)


def mean_scores(scores: Sequence[Tensor]) -> Tensor:
    """Return the logarithm of the mean probability of each class over several networks."""
    logarithms = torch.stack([torch.log_softmax(each, dim=-1) for each in scores])
    return torch.logsumexp(logarithms, dim=0) - float(np.log(len(scores)))
