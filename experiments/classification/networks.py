"""The networks that VNEstruct is compared with, made of PyTorch Geometric's layers, as published.

GIN-0 (Xu et al., 2019); GCN and GFN as set up by Chen et al. (Are powerful graph neural nets necessary?, 2019); DGCNN
(Zhang et al., 2018), with the k that 60% of the graphs reach; CapsGNN (Xinyi and Chen, 2019) without its grid, without
its loss of reconstruction, and with routing weights that all nodes of a graph share.
"""

from itertools import pairwise

import torch
from torch import Tensor, nn
from torch_geometric.nn import MLP, GCNConv, GINConv, SAGEConv, SortAggregation, global_add_pool
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import add_self_loops, degree, softmax

KERNEL = 5
ROUNDS = 3
POWERS = 3


class GIN(nn.Module):
    """Sums over neighbours, each followed by a perceptron; all layers are read out."""

    def __init__(self, n_inputs: int, n_classes: int, width: int = 32, layers: int = 4) -> None:
        super().__init__()
        widths = [n_inputs] + [width] * layers
        maps = [MLP([before, width, width], plain_last=False) for before in widths[:-1]]
        self.convolutions = nn.ModuleList(map(GINConv, maps))
        self.readouts = nn.ModuleList(nn.Linear(before, n_classes) for before in widths)

    def forward(self, x: Tensor, edges: Tensor, graph_of: Tensor) -> Tensor:
        """Return the scores of the classes of each graph."""
        every = [x]
        for convolution in self.convolutions:
            every.append(convolution(every[-1], edges))
        read = [layer(global_add_pool(one, graph_of)) for layer, one in zip(self.readouts, every, strict=True)]
        return torch.stack([nn.functional.dropout(scores, 0.5, self.training) for scores in read]).sum(0)


class GCN(nn.Module):
    """A layer on the features, convolutions, a sum and a hidden layer; batch normalisation before each convolution."""

    def __init__(self, n_inputs: int, n_classes: int, width: int = 128, layers: int = 3) -> None:
        super().__init__()
        self.first, self.head = MLP([n_inputs, width], plain_last=False), MLP([width, width, n_classes])
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(layers))
        self.convolutions = nn.ModuleList(GCNConv(width, width) for _ in range(layers))

    def forward(self, x: Tensor, edges: Tensor, graph_of: Tensor) -> Tensor:
        """Return the scores of the classes of each graph."""
        x = self.first(x)
        for norm, convolution in zip(self.norms, self.convolutions, strict=True):
            x = convolution(norm(x), edges).relu()
        return self.head(global_add_pool(x, graph_of))  # type: ignore[no-any-return]


class GFN(nn.Module):
    """A network on sets whose features are the degree, X and what GCN would make of X in three steps."""

    def __init__(self, n_inputs: int, n_classes: int, width: int = 128, layers: int = 3) -> None:
        super().__init__()
        self.phi = MLP([1 + (POWERS + 1) * n_inputs] + [width] * (layers + 1), plain_last=False)
        self.head = MLP([width, width, n_classes])

    def forward(self, x: Tensor, edges: Tensor, graph_of: Tensor) -> Tensor:
        """Return the scores of the classes of each graph."""
        (source, target), weights = gcn_norm(edges, num_nodes=len(x))
        parts = [degree(edges[0], len(x))[:, None], x]
        for _ in range(POWERS):
            parts.append(torch.zeros_like(x).index_add(0, target, weights[:, None] * parts[-1][source]))
        return self.head(global_add_pool(self.phi(torch.cat(parts, 1)), graph_of))  # type: ignore[no-any-return]


class DGCNN(nn.Module):
    """Nodes sorted by a learned colour, then read like a sequence."""

    def __init__(self, n_inputs: int, n_classes: int, width: int = 32, k: int = 16) -> None:
        super().__init__()
        widths = [n_inputs, width, width, width, 1]
        # The mean over a node and its neighbours: rows of the adjacency matrix with self-loops, divided by their sums.
        pairs = pairwise(widths)
        self.convolutions = nn.ModuleList(SAGEConv(*pair, root_weight=False) for pair in pairs)
        k, n_channels = max(k, 2 * KERNEL), sum(widths[1:])
        self.sort = SortAggregation(k)
        self.read = nn.Sequential(
            nn.Conv1d(1, 16, n_channels, n_channels), nn.ReLU(), nn.MaxPool1d(2), nn.Conv1d(16, 32, KERNEL), nn.ReLU(),
            nn.Flatten(), nn.Linear(32 * (k // 2 - KERNEL + 1), 128), nn.ReLU(), nn.Dropout(0.5),
            nn.Linear(128, n_classes),
        )  # fmt: skip

    def forward(self, x: Tensor, edges: Tensor, graph_of: Tensor) -> Tensor:
        """Return the scores of the classes of each graph."""
        edges, layers = add_self_loops(edges, num_nodes=len(x))[0], [x]
        for convolution in self.convolutions:
            layers.append(convolution(layers[-1], edges).tanh())
        return self.read(self.sort(torch.cat(layers[1:], 1), graph_of)[:, None])  # type: ignore[no-any-return]


class CapsGNN(nn.Module):
    """Convolutions, attention over nodes, routing from node capsules to graph capsules to class capsules."""

    def __init__(self, n_inputs: int, n_classes: int, width: int = 16, layers: int = 4, channels: int = 2) -> None:
        super().__init__()
        wide, kinds, capsules = width * channels, layers * channels, 16
        befores = [n_inputs] + [wide] * (layers - 1)
        self.convolutions = nn.ModuleList(GCNConv(before, wide) for before in befores)
        self.attention = nn.Sequential(
            nn.Linear(wide * layers, wide * layers // 4), nn.Tanh(), nn.Linear(wide * layers // 4, kinds)
        )
        # One map for each kind of capsule (layer and channel), shared by all nodes; no vote is shorter at first.
        self.graph_votes = nn.Parameter(torch.randn(kinds, width, capsules, width) * width**-0.5)
        self.class_votes = nn.Parameter(torch.randn(capsules, width, n_classes, width) * width**-0.5)

    def forward(self, x: Tensor, edges: Tensor, graph_of: Tensor) -> Tensor:
        """Return the lengths of the class capsules of each graph."""
        layers = [x]
        for convolution in self.convolutions:
            layers.append(convolution(layers[-1], edges).tanh())
        primary = torch.cat(layers[1:], 1)
        # The mean weight over the nodes of a graph is 1.
        weights = softmax(self.attention(primary), graph_of) * degree(graph_of)[graph_of, None]
        kinds, width = self.graph_votes.shape[:2]
        capsules = primary.view(-1, kinds, width) * weights[..., None]
        # A vote is linear in its capsule, so that those of one kind are summed first.
        pooled = global_add_pool(capsules.flatten(1), graph_of).view(-1, kinds, width)
        graph = routed(torch.einsum("gkw,kwcv->gkcv", pooled, self.graph_votes))
        return routed(torch.einsum("gkw,kwcv->gkcv", graph, self.class_votes)).norm(dim=2)


def routed(votes: Tensor) -> Tensor:
    """Return capsules (graphs, out, width) from votes (graphs, in, out, width), by agreement."""
    logits = torch.zeros_like(votes[..., 0])
    for _ in range(ROUNDS):
        total = (logits.softmax(2)[..., None] * votes).sum(1)
        square = (total * total).sum(2, keepdim=True)
        capsules = square / (1.0 + square) * total * torch.rsqrt(square + 1e-8)
        logits = logits + (votes * capsules[:, None]).sum(3)
    return capsules


def margin_loss(scores: Tensor, classes: Tensor, reduction: str = "mean") -> Tensor:
    """Return the margin loss of CapsGNN."""
    wanted = nn.functional.one_hot(classes, scores.shape[1])
    lost = (wanted * torch.relu(0.9 - scores) ** 2 + 0.5 * (1 - wanted) * torch.relu(scores - 0.1) ** 2).sum(1)
    return lost.mean() if reduction == "mean" else lost.sum()


NETWORKS = {"gin": GIN, "gcn": GCN, "gfn": GFN, "dgcnn": DGCNN, "capsgnn": CapsGNN}
