"""The networks that VNEstruct is compared with, made of PyTorch Geometric's layers, as published.

GIN-0 (Xu et al., 2019); GCN and GFN as set up by Chen et al. (Are powerful graph neural nets necessary?, 2019); DGCNN
(Zhang et al., 2018), with the k that 60% of the graphs reach. CapsGNN (Xinyi and Chen, 2019), of which
PyTorch Geometric has no parts, was measured without its grid by code of commit b3aabe0.
"""

from itertools import pairwise

import torch
from torch import nn
from torch_geometric.nn import MLP, GCNConv, GINConv, SAGEConv, SortAggregation, global_add_pool
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import add_self_loops, degree

KERNEL = 5
POWERS = 3


class GIN(nn.Module):
    """Sums over neighbours, each followed by a perceptron; all layers are read out."""

    def __init__(self, n_inputs, n_classes, width=32, layers=4):
        super().__init__()
        widths = [n_inputs] + [width] * layers
        maps = [MLP([before, width, width], plain_last=False) for before in widths[:-1]]
        self.convolutions = nn.ModuleList(map(GINConv, maps))
        self.readouts = nn.ModuleList(nn.Linear(before, n_classes) for before in widths)

    def forward(self, x, edges, graph_of):
        """Return the scores of the classes of each graph."""
        every = [x]
        for convolution in self.convolutions:
            every.append(convolution(every[-1], edges))
        read = [layer(global_add_pool(one, graph_of)) for layer, one in zip(self.readouts, every, strict=True)]
        return torch.stack([nn.functional.dropout(scores, 0.5, self.training) for scores in read]).sum(0)


class GCN(nn.Module):
    """A layer on the features, convolutions, a sum and a hidden layer; batch normalisation before each convolution."""

    def __init__(self, n_inputs, n_classes, width=128, layers=3):
        super().__init__()
        self.first, self.head = MLP([n_inputs, width], plain_last=False), MLP([width, width, n_classes])
        self.norms = nn.ModuleList(nn.BatchNorm1d(width) for _ in range(layers))
        self.convolutions = nn.ModuleList(GCNConv(width, width) for _ in range(layers))

    def forward(self, x, edges, graph_of):
        """Return the scores of the classes of each graph."""
        x = self.first(x)
        for norm, convolution in zip(self.norms, self.convolutions, strict=True):
            x = convolution(norm(x), edges).relu()
        return self.head(global_add_pool(x, graph_of))


class GFN(nn.Module):
    """A network on sets whose features are the degree, X and what GCN would make of X in three steps."""

    def __init__(self, n_inputs, n_classes, width=128, layers=3):
        super().__init__()
        self.phi = MLP([1 + (POWERS + 1) * n_inputs] + [width] * (layers + 1), plain_last=False)
        self.head = MLP([width, width, n_classes])

    def forward(self, x, edges, graph_of):
        """Return the scores of the classes of each graph."""
        (source, target), weights = gcn_norm(edges, num_nodes=len(x))
        parts = [degree(edges[0], len(x))[:, None], x]
        for _ in range(POWERS):
            parts.append(torch.zeros_like(x).index_add(0, target, weights[:, None] * parts[-1][source]))
        return self.head(global_add_pool(self.phi(torch.cat(parts, 1)), graph_of))


class DGCNN(nn.Module):
    """Nodes sorted by a learned colour, then read like a sequence."""

    def __init__(self, n_inputs, n_classes, width=32, k=16):
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

    def forward(self, x, edges, graph_of):
        """Return the scores of the classes of each graph."""
        edges, layers = add_self_loops(edges, num_nodes=len(x))[0], [x]
        for convolution in self.convolutions:
            layers.append(convolution(layers[-1], edges).tanh())
        return self.read(self.sort(torch.cat(layers[1:], 1), graph_of)[:, None])


NETWORKS = {"gin": GIN, "gcn": GCN, "gfn": GFN, "dgcnn": DGCNN}
