"""Layers that hold several networks of one shape at once, each with weights of its own.

Cross-validation trains the same small network on many training sets. One such network leaves a processor idle most of
the time; F of them as one batched product keep it busy. Values have the shape (F, rows, channels); rows of one replica
never meet those of another. Replicas may have different numbers of rows: the shorter ones are padded, and `Rows` says
which are real.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Rows:
    """Which rows of a (F, rows, channels) tensor are real.

    Parameters
    ----------
    mask : Tensor, shape (F, rows, 1), or None
        1 for a real row, 0 for padding; None if all are real.
    count : Tensor, shape (F, 1, 1)
        Number of real rows of each replica.
    """

    mask: Tensor | None
    count: Tensor


class ReplicaLinear(nn.Module):
    """An affine map for each replica.

    Parameters
    ----------
    n_replicas, n_in, n_out : int
        Number of replicas, of channels that come in and that go out.
    bias : bool, default True
        Whether to add a constant.
    """

    def __init__(self, n_replicas: int, n_in: int, n_out: int, bias: bool = True) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_replicas, n_in, n_out))
        self.bias = nn.Parameter(torch.empty(n_replicas, 1, n_out)) if bias else None

    def draw(self, replica: int, generator: torch.Generator) -> None:
        """Draw the first weights of one replica, from the same distribution as `torch.nn.Linear`."""
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
    """Batch normalisation of each replica over its real rows; one row alone is allowed.

    Parameters
    ----------
    n_replicas, n_channels : int
        Number of replicas and of channels.
    """

    running_mean: Tensor
    running_variance: Tensor

    def __init__(self, n_replicas: int, n_channels: int, momentum: float = 0.1, epsilon: float = 1e-5) -> None:
        super().__init__()
        self.momentum = momentum
        self.epsilon = epsilon
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


def draw_weights(network: nn.Module, seeds: Sequence[int]) -> None:
    """Give each replica its first weights, by a seed of its own: they do not depend on its neighbours.

    Examples
    --------
    >>> one, two = ReplicaLinear(1, 3, 2), ReplicaLinear(2, 3, 2)
    >>> draw_weights(one, [7])
    >>> draw_weights(two, [5, 7])
    >>> bool((one.weight[0] == two.weight[1]).all())
    True
    """
    layers = [layer for layer in network.modules() if isinstance(layer, ReplicaLinear)]
    for replica, seed in enumerate(seeds):
        generator = torch.Generator().manual_seed(int(seed))
        for layer in layers:
            layer.draw(replica, generator)
