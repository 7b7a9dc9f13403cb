"""Layers of many networks of the same shape, trained side by side: "stacks".

Activations have the shape (models, nodes, channels) and weights (models, inputs, outputs), so that one matrix product
serves all models, and one neighbourhood sum serves them too. The models share nothing but the graphs they are shown; a
mask says which graphs each model trains on. A stack of one model equals the layers of PyTorch Geometric, which a test
checks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from experiments.encodings.batches import Batch
from torch import Tensor, nn


class Linear(nn.Module):
    """One linear layer per model."""

    def __init__(self, models: int, inputs: int, outputs: int, *, bias: bool = True) -> None:
        super().__init__()
        bound = 1.0 / math.sqrt(inputs)
        self.weight = nn.Parameter(torch.empty(models, inputs, outputs).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(models, 1, outputs).uniform_(-bound, bound)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of all models."""
        return torch.bmm(x, self.weight) if self.bias is None else torch.baddbmm(self.bias, x, self.weight)


class InputLinear(nn.Module):
    """One linear layer per model; blocks of models share their input, of shape (blocks, nodes, largest width)."""

    def __init__(self, widths: Sequence[int], per_block: int, outputs: int) -> None:
        super().__init__()
        self.shape = (len(widths), per_block, outputs)
        self.weight = nn.Parameter(torch.empty(len(widths), max(widths), per_block * outputs))
        self.bias = nn.Parameter(torch.zeros(len(widths), 1, per_block * outputs))
        for weight, width in zip(self.weight.data, widths, strict=True):
            weight.uniform_(-1.0 / math.sqrt(width), 1.0 / math.sqrt(width))

    def forward(self, x: Tensor) -> Tensor:
        """Return the output of all models."""
        blocks, per_block, outputs = self.shape
        joined = torch.baddbmm(self.bias, x, self.weight).view(blocks, -1, per_block, outputs)
        return joined.transpose(1, 2).reshape(blocks * per_block, -1, outputs)


class _MaskedNormalisation(torch.autograd.Function):
    """Batch normalisation with the mean and variance of a share of the rows."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, share: Tensor, scale: Tensor, shift: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean = torch.bmm(share, x)
        centred = x - mean
        variance = torch.bmm(share, centred.square())
        factor = torch.rsqrt(variance + 1e-5)
        normal = centred.mul_(factor)
        ctx.save_for_backward(normal, share, scale * factor)
        ctx.mark_non_differentiable(mean, variance)
        return torch.addcmul(shift, normal, scale), mean, variance

    @staticmethod
    def backward(ctx: Any, gradient: Tensor, *_: Any) -> tuple[Tensor, None, Tensor, Tensor]:
        normal, share, factor = ctx.saved_tensors
        of_shift = gradient.sum(1, keepdim=True)
        of_scale = (gradient * normal).sum(1, keepdim=True)
        through = torch.addcmul(of_shift, normal, of_scale).mul_(share.transpose(1, 2))
        return (gradient - through).mul_(factor), None, of_scale, of_shift


class BatchNorm(nn.Module):
    """Batch normalisation per model, with statistics of the rows that the model trains on."""

    mean: Tensor
    variance: Tensor

    def __init__(self, models: int, channels: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(models, 1, channels))
        self.shift = nn.Parameter(torch.zeros(models, 1, channels))
        self.register_buffer("mean", torch.zeros(models, 1, channels))
        self.register_buffer("variance", torch.ones(models, 1, channels))

    def forward(self, x: Tensor, share: Tensor) -> Tensor:
        """Return the output of all models."""
        if not self.training:
            factor = self.scale * torch.rsqrt(self.variance + 1e-5)
            return torch.addcmul(self.shift - self.mean * factor, x, factor)
        y, mean, variance = _MaskedNormalisation.apply(x, share, self.scale, self.shift)
        self.mean.lerp_(mean, 0.1)
        self.variance.lerp_(variance, 0.1)
        return y  # type: ignore[no-any-return]


class _Propagation(torch.autograd.Function):
    """Sums over each node and its neighbours; the matrix is symmetric, so the gradient is the same sum."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, batch: Batch) -> Tensor:
        ctx.batch = batch
        return batch.propagate(x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.batch.propagate(gradient), None


class _Rows(torch.autograd.Function):
    """Rows by index, zeros for -1; the index is injective, so the gradient is rows by the inverse index."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, index: Tensor, inverse: Tensor) -> Tensor:
        ctx.inverse = inverse
        return _rows(x, index)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        return _rows(gradient, ctx.inverse), None, None


def _rows(x: Tensor, index: Tensor) -> Tensor:
    return x.index_select(1, index.clamp(min=0)) * (index >= 0).to(x.dtype)[:, None]


class _Pool(torch.autograd.Function):
    """Sums over the nodes of each graph."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, batch: Batch) -> Tensor:
        ctx.batch = batch
        return batch.pool(x)

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return gradient.index_select(1, ctx.batch.graph_of), None


class GINLayer(nn.Module):
    """``GINConv`` with eps = 0 around Linear, (BatchNorm,) ReLU, Linear."""

    def __init__(self, models: int, channels: int, *, normalised: bool) -> None:
        super().__init__()
        self.first = Linear(models, channels, channels)
        self.norm = BatchNorm(models, channels) if normalised else None
        self.second = Linear(models, channels, channels)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the output of all models."""
        h = self.first(_Propagation.apply(x, batch))
        h = h if self.norm is None else self.norm(h, batch.node_share)
        return self.second(torch.relu_(h))  # type: ignore[no-any-return]


class Attention(nn.Module):
    """Multi-head attention inside each graph; `linear` replaces the softmax by the Performer's ReLU features."""

    projection: Tensor

    def __init__(self, models: int, channels: int, heads: int, *, linear: bool) -> None:
        super().__init__()
        self.heads, self.linear = heads, linear
        self.inputs = Linear(models, channels, 3 * channels, bias=not linear)
        self.output = Linear(models, channels, channels)
        size = channels // heads
        n_features = int(size * math.log(size))
        blocks = [torch.linalg.qr(torch.randn(size, size))[0].T for _ in range(-(-n_features // size))]
        self.register_buffer("projection", torch.cat(blocks)[:n_features])

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the output of all models."""
        models, _, channels = x.shape
        padded = _Rows.apply(self.inputs(x), batch.slots, batch.position)
        parts = []
        for bucket in batch.buckets:
            part = padded[:, bucket.first : bucket.last]
            shape = (models, bucket.graphs, bucket.size, 3, self.heads, channels // self.heads)
            query, key, value = part.reshape(shape).permute(3, 0, 1, 4, 2, 5).flatten(1, 2).unbind(0)
            mixed = self._mix(query, key, value, bucket.inside.repeat(models, 1))
            mixed = mixed.view(models, bucket.graphs, self.heads, bucket.size, -1).transpose(2, 3)
            parts.append(mixed.reshape(models, -1, channels))
        joined = torch.cat(parts, 1) if len(parts) > 1 else parts[0]
        return self.output(_Rows.apply(joined, batch.position, batch.slots))  # type: ignore[no-any-return]

    def _mix(self, query: Tensor, key: Tensor, value: Tensor, inside: Tensor) -> Tensor:
        if self.linear:
            query = torch.relu(query @ self.projection.T) + 1e-3
            key = (torch.relu(key @ self.projection.T) + 1e-3) * inside[:, None, :, None]
            total = query @ key.sum(-2).unsqueeze(-1)
            return (query @ (key.transpose(-2, -1) @ value)) / total
        mask = torch.zeros_like(inside, dtype=query.dtype).masked_fill_(~inside, -torch.inf)
        mask = mask[:, None, None].expand(-1, self.heads, query.shape[2], -1)
        return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)


class GPSLayer(nn.Module):
    """``GPSConv`` around a GIN layer without normalisation, without dropout."""

    def __init__(self, models: int, channels: int, heads: int, *, linear: bool) -> None:
        super().__init__()
        self.conv = GINLayer(models, channels, normalised=False)
        self.attention = Attention(models, channels, heads, linear=linear)
        self.norms = nn.ModuleList(BatchNorm(models, channels) for _ in range(3))
        self.first = Linear(models, channels, 2 * channels)
        self.second = Linear(models, 2 * channels, channels)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the output of all models."""
        share = batch.node_share
        out = self.norms[0](self.conv(x, batch) + x, share) + self.norms[1](self.attention(x, batch) + x, share)
        return self.norms[2](out + self.second(torch.relu_(self.first(out))), share)  # type: ignore[no-any-return]


def pooled(x: Tensor, batch: Batch) -> Tensor:
    """Return mean and sum over the nodes of each graph, side by side."""
    total: Tensor = _Pool.apply(x, batch)
    return torch.cat([total / batch.sizes[:, None], total], -1)
