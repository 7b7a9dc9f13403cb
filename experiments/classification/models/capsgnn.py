"""CapsGNN (Xinyi and Chen, Capsule graph neural network, 2019), without its grid.

Published configuration: convolutions with tanh whose channels form two capsules per layer; one score per node and layer
that weighs nodes; graph capsules and class capsules by three rounds of routing; the margin loss. Two simplifications:
all nodes of a graph share the routing weights of a kind of capsule, and the loss of reconstructing counts of node
types, a regulariser of weight 0.1, is left out.
"""

from __future__ import annotations

from typing import Any, ClassVar, cast

import torch
from experiments.classification.models.layers import GraphConvolution
from experiments.classification.models.messages import MessageBatch
from torch import Tensor, nn

from vnestruct.setmodel.batches import Batch, segment_sum
from vnestruct.setmodel.network import ReplicaLinear

ROUNDS = 3


def squash(x: Tensor, dim: int = -1) -> Tensor:
    """Bring the length of each capsule below 1 and keep its direction."""
    square = (x * x).sum(dim, keepdim=True)
    return square / (1.0 + square) * x * torch.rsqrt(square + 1e-8)


def margin_loss(scores: Tensor, classes: Tensor) -> Tensor:
    """Return the margin loss of each graph; `scores` are the lengths of the class capsules."""
    wanted = nn.functional.one_hot(classes, scores.shape[2]).to(scores.dtype)
    near = torch.relu(0.9 - scores) ** 2
    far = torch.relu(scores - 0.1) ** 2
    return (wanted * near + 0.5 * (1.0 - wanted) * far).sum(2)


class Votes(ReplicaLinear):
    """A map whose first weights keep the length of what they vote on; shorter votes vanish when squashed twice."""

    def forward(self, x: Tensor) -> Tensor:
        """Map (F, rows, n_in) to (F, rows, n_out)."""
        return cast(Tensor, super().forward(x) * 3.0**0.5)


class CapsGNN(nn.Module):
    """Convolutions, attention over nodes, routing from node capsules to graph capsules to class capsules."""

    uses_arcs = True
    arc_weighting = "symmetric"
    training_options: ClassVar[dict[str, Any]] = {"loss": margin_loss}

    def __init__(
        self, n_replicas: int, n_inputs: int, n_classes: int, *, width: int = 16, layers: int = 4, channels: int = 2,
        capsules: int = 16,
    ) -> None:  # fmt: skip
        super().__init__()
        self.width, self.layers, self.channels = width, layers, channels
        self.capsules, self.classes = capsules, n_classes
        wide = width * channels
        befores = [n_inputs] + [wide] * (layers - 1)
        self.convolutions = nn.ModuleList([GraphConvolution(n_replicas, before, wide) for before in befores])
        self.attention = ReplicaLinear(n_replicas, wide * layers, wide * layers // 4)
        self.weights = ReplicaLinear(n_replicas, wide * layers // 4, layers * channels)
        # One map for each kind of capsule (layer and channel), shared by all nodes.
        self.node_votes = nn.ModuleList(
            [Votes(n_replicas, width, capsules * width, bias=False) for _ in range(layers * channels)]
        )
        self.graph_votes = nn.ModuleList(
            [Votes(n_replicas, width, n_classes * width, bias=False) for _ in range(capsules)]
        )

    def forward(self, x: Tensor, batch: MessageBatch, arc_weights: Tensor) -> Tensor:
        """Return the scores of the classes, (F, slots, classes)."""
        parts = []
        for convolution in self.convolutions:
            x = torch.tanh(convolution(x, batch, arc_weights))
            parts.append(x)
        primary = torch.cat(parts, dim=2)
        importance = self._attention(primary, batch)
        kinds = self.layers * self.channels
        replicas, rows, _ = primary.shape
        primary = primary.view(replicas, rows, kinds, self.width) * importance.unsqueeze(3)
        graph = self._graph_capsules(primary, batch)
        classes = self._class_capsules(graph)
        return cast(Tensor, classes.norm(dim=3))

    def _attention(self, primary: Tensor, batch: Batch) -> Tensor:
        """Return the weight of each node for each kind of capsule; the mean over the nodes of a graph is 1."""
        raw = torch.exp(self.weights(torch.tanh(self.attention(primary))).clamp(-10.0, 10.0))
        sums = segment_sum(torch.cat([raw, torch.ones_like(raw[..., :1])], dim=2), batch)
        total = self._spread(sums, batch)
        return raw * total[..., -1:] / total[..., :-1].clamp_min(1e-8)

    def _spread(self, values: Tensor, batch: Batch) -> Tensor:
        """Give each node the values of its graph; padding gets zeros."""
        replicas, slots, channels = values.shape
        padded = nn.functional.pad(values, (0, 0, 0, 1))
        flat = padded.reshape(replicas * (slots + 1), channels)[batch.owner]
        return flat.view(replicas, -1, channels)

    def _graph_capsules(self, primary: Tensor, batch: Batch) -> Tensor:
        """Route node capsules to graph capsules; votes of one kind of all nodes of a graph are summed."""
        # A vote is linear in its capsule and routing weights are shared by the nodes of a graph: sum first, map then.
        replicas, rows, kinds, width = primary.shape
        pooled = segment_sum(primary.reshape(replicas, rows, kinds * width), batch)
        pooled = pooled.view(replicas, -1, kinds, width)
        votes = torch.stack([part(pooled[:, :, place]) for place, part in enumerate(self.node_votes)], dim=2)
        return routed(votes.view(replicas, -1, kinds, self.capsules, width))

    def _class_capsules(self, graph: Tensor) -> Tensor:
        votes = torch.stack([part(graph[:, :, place]) for place, part in enumerate(self.graph_votes)], dim=2)
        return routed(votes.view(*graph.shape[:3], self.classes, self.width))


def routed(votes: Tensor) -> Tensor:
    """Return capsules (F, slots, out, width) from votes (F, slots, in, out, width), by agreement."""
    logits = torch.zeros_like(votes[..., 0])
    for _ in range(ROUNDS):
        coupling = torch.softmax(logits, dim=3)
        capsules = squash((coupling.unsqueeze(4) * votes).sum(2))
        logits = logits + (votes * capsules.unsqueeze(2)).sum(4)
    return capsules
