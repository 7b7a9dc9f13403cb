"""The network on sets, psi(sum of phi(x')), which gives the same result for every order of the nodes.

Cross-validation trains the same small network on many training sets. One such network leaves a processor idle most of
the time, so the layers hold F networks of one shape, the replicas, each with its own weights, and compute them as one
batched product. Values have the shape (F, rows, channels); rows of different replicas never mix. The nodes of the
graphs in a batch are concatenated; replicas are padded to the longest.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

POOLINGS = ("sum", "sum+mean+max")


class Batch(NamedTuple):
    """The nodes of some graphs for each of F replicas."""

    nodes: Tensor  # row of each node in the features, shape (F, rows); padding points to a row of zeros after the last
    lengths: Tensor  # number of rows of each graph slot of a replica, then of its padding, shape (F * (slots + 1),)
    graphs: Tensor  # graph in each slot, shape (F, slots); the number of graphs for an empty slot
    real_nodes: Tensor  # 1 for a real node, 0 for padding, shape (F, rows, 1)
    real_graphs: Tensor  # 1 for a real graph, 0 for an empty slot, shape (F, slots, 1)

    def pooled(self, values: Tensor, how: str) -> Tensor:
        """Return "sum" or "max" (at least 0) over each graph: (F, rows, channels) becomes (F, slots, channels)."""
        # One thread adds up one graph, in order: atomic additions on a GPU would not give the same bits twice.
        flat = torch.segment_reduce(values.flatten(0, 1), how, lengths=self.lengths, axis=0, unsafe=True, initial=0)
        return flat.view(len(self.graphs), -1, values.shape[2])[:, :-1]


class Batcher:
    """Make batches of graphs of the given sizes."""

    def __init__(self, sizes: npt.ArrayLike, device: Any = "cpu") -> None:
        counts = np.asarray(sizes, dtype=np.int64)
        self.device = torch.device(device)
        self.n_graphs, self.n_nodes = counts.size, int(counts.sum())
        # One more graph, without nodes, fills empty slots.
        self._sizes = torch.from_numpy(np.append(counts, 0)).to(self.device)
        self._first_node = torch.from_numpy(np.append(0, np.cumsum(counts))).to(self.device)

    def batch(self, graphs: Tensor) -> Batch:
        """Return the batch of graphs (F, slots); `n_graphs` stands for an empty slot."""
        graphs = graphs.to(self.device)
        counts = self._sizes[graphs]
        totals = counts.sum(1, keepdim=True)
        n_rows = int(totals.max())
        # Padding is one more graph of each replica, whose nodes are all the one after the last.
        lengths = torch.cat([counts, n_rows - totals], dim=1).flatten()
        first = nn.functional.pad(self._first_node[graphs], (0, 1), value=self.n_nodes).flatten()
        n_places = len(graphs) * n_rows
        shift = first - (lengths.cumsum(0) - lengths)
        places = torch.arange(n_places, device=self.device)
        nodes = places + torch.repeat_interleave(shift, lengths, output_size=n_places)
        nodes = nodes.clamp_max(self.n_nodes).view(-1, n_rows)
        masks = (nodes < self.n_nodes, graphs < self.n_graphs)
        return Batch(nodes, lengths, graphs, *(mask.to(torch.float32).unsqueeze(2) for mask in masks))

    def shuffled(self, members: Sequence[npt.NDArray[Any]], batch_size: int, random: Any) -> list[Tensor]:
        """Return the graphs of each batch of an epoch, shuffled by each replica's generator; sizes are equal."""
        longest = max(len(graphs) for graphs in members)
        n_batches = max(1, round(longest / batch_size))
        n_slots = -(-longest // n_batches)
        order = np.full((len(members), n_batches * n_slots), self.n_graphs, dtype=np.int64)
        for replica, graphs in enumerate(members):
            # Empty slots are spread over the batches, so that no batch of a shorter replica is nearly empty.
            places = np.arange(len(graphs)) * (n_batches * n_slots) // len(graphs)
            order[replica, places] = random[replica].permutation(graphs)
        return list(torch.tensor_split(torch.from_numpy(order).to(self.device), n_batches, dim=1))


class ReplicaLinear(nn.Module):
    """An affine map for each replica, from `n_in` to `n_out` channels."""

    def __init__(self, n_replicas: int, n_in: int, n_out: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_replicas, n_in, n_out))
        self.bias = nn.Parameter(torch.empty(n_replicas, 1, n_out))

    def forward(self, x: Tensor) -> Tensor:
        """Map (F, rows, n_in) to (F, rows, n_out)."""
        return torch.baddbmm(self.bias, x, self.weight)


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

    def forward(self, x: Tensor, is_real: Tensor) -> Tensor:
        """Normalise by the statistics of the real rows while training, by their running means otherwise."""
        mean, variance = self.running_mean, self.running_variance
        if self.training:
            count = is_real.sum(1, keepdim=True).clamp_min(1.0)
            real = x * is_real
            mean = real.sum(1, keepdim=True) / count
            # One pass over the rows instead of three; counts are small and values near 1, so nothing cancels.
            square = (real * real).sum(1, keepdim=True) / count
            variance = (square - mean * mean).clamp_min(0.0)
            with torch.no_grad():
                self.running_mean.lerp_(mean, self.momentum)
                unbiased = variance * (count / (count - 1.0).clamp_min(1.0))
                self.running_variance.lerp_(unbiased, self.momentum)
        scale = self.weight * torch.rsqrt(variance + self.epsilon)
        return torch.addcmul(self.bias - mean * scale, x, scale)


class Perceptron(nn.Module):
    """Layers of affine map, batch normalisation, ReLU and dropout; `widths` are the input and layer channels."""

    def __init__(self, n_replicas: int, widths: list[int], dropout: float) -> None:
        super().__init__()
        self.maps = nn.ModuleList([ReplicaLinear(n_replicas, *pair) for pair in pairwise(widths)])
        self.norms = nn.ModuleList([ReplicaNorm(n_replicas, after) for after in widths[1:]])
        self.dropout = dropout

    def forward(self, x: Tensor, is_real: Tensor) -> Tensor:
        """Map (F, rows, channels) layer by layer."""
        for affine, norm in zip(self.maps, self.norms, strict=True):
            x = torch.relu(norm(affine(x), is_real))
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
        hidden = self.phi(x, batch.real_nodes)
        pooled = batch.pooled(hidden, "sum")
        if self.pooling != "sum":
            n_nodes = batch.lengths.view(len(x), -1)[:, :-1]
            mean = pooled / n_nodes.clamp_min(1).unsqueeze(2)
            pooled = torch.cat([pooled, mean, batch.pooled(hidden, "max")], dim=2)
        pooled = self.pooled_norm(pooled, batch.real_graphs)
        return cast(Tensor, self.last(self.psi(pooled, batch.real_graphs)))


@torch.no_grad()
def draw_weights(network: nn.Module, seeds: Sequence[int]) -> None:
    """Draw the initial weights of each replica from its own seed, from the same distribution as `torch.nn.Linear`."""
    layers = [layer for layer in network.modules() if isinstance(layer, ReplicaLinear)]
    for replica, seed in enumerate(seeds):
        generator = torch.Generator().manual_seed(int(seed))
        for layer in layers:
            bound = 1.0 / math.sqrt(max(layer.weight.shape[1], 1))
            for parameter in (layer.weight, layer.bias):
                values = torch.rand(parameter.shape[1:], generator=generator)
                parameter[replica] = (2.0 * values - 1.0) * bound


def mean_scores(scores: Sequence[Tensor]) -> Tensor:
    """Return the logarithm of the mean probability of each class over several networks."""
    logarithms = torch.stack([torch.log_softmax(each, dim=-1) for each in scores])
    return torch.logsumexp(logarithms, dim=0) - math.log(len(scores))
