"""The network on sets, psi(sum of phi(x')), the same for every order of the nodes, and its training."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vnestruct.setmodel.evaluation import History

POOLINGS = ("sum", "sum+mean+max")

_DECAY, _DECAY_EVERY = 0.3, 50  # of the learning rate


class Norm(nn.BatchNorm1d):
    """Batch normalisation that also allows a single row, which has no variance."""

    def forward(self, input: Tensor) -> Tensor:
        """Normalise by the statistics of the rows while training, by their running means otherwise."""
        if self.training and len(input) < 2:
            mean, variance = self.running_mean, self.running_var
            return functional.batch_norm(input, mean, variance, self.weight, self.bias, eps=self.eps)
        return super().forward(input)


class SetNetwork(nn.Module):
    """Scores of graph classes from sets of node vectors; see `DeepSetsClassifier`."""

    def __init__(
        self, n_inputs: int, n_classes: int, *, width: int = 32, node_layers: int = 2, graph_layers: int = 1,
        dropout: float = 0.5, pooling: str = "sum",
    ) -> None:  # fmt: skip
        super().__init__()
        self.poolings = pooling.split("+")
        n_pooled = width * len(self.poolings)
        self.phi = _layers([n_inputs] + [width] * node_layers, 0.0)
        psi = _layers([n_pooled] + [width] * graph_layers, dropout)
        self.psi = nn.Sequential(Norm(n_pooled), *psi, nn.Linear(width if graph_layers else n_pooled, n_classes))

    def forward(self, graphs: Sequence[Tensor]) -> Tensor:
        """Return the scores of the classes, one row per graph, from the node vectors of each graph."""
        hidden = self.phi(torch.cat(list(graphs)))
        sizes = torch.tensor([len(nodes) for nodes in graphs], device=hidden.device)
        # One thread adds up one graph, in order: atomic additions on a GPU would not give the same bits twice.
        pooled = [
            torch.segment_reduce(hidden, how, lengths=sizes, axis=0, unsafe=True, initial=0) for how in self.poolings
        ]
        return cast(Tensor, self.psi(torch.cat(pooled, dim=1)))


def _layers(widths: list[int], dropout: float) -> nn.Sequential:
    """Return affine map, batch normalisation, ReLU and dropout for each pair of neighbouring widths."""
    # A constant before a normalisation changes nothing; Adam would let it drift.
    layers: list[nn.Module] = []
    for n_in, n_out in pairwise(widths):
        layers += [nn.Linear(n_in, n_out, bias=False), Norm(n_out), nn.ReLU(), nn.Dropout(dropout)]
    return nn.Sequential(*layers)


def train(
    network: nn.Module, graphs: Sequence[Tensor], classes: Tensor, watched: Sequence[Sequence[Tensor]] = (), *,
    epochs: int = 300, batch_size: int = 64, learning_rate: float = 0.01,
    on_epoch: Callable[[], None] = lambda: None,
) -> History:  # fmt: skip
    """Train a network by Adam; `watched` are sets of graphs that it is tested on after every epoch."""
    optimizer = torch.optim.Adam(network.parameters(), lr=learning_rate)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, _DECAY_EVERY, _DECAY)
    losses: list[float] = []
    scores: list[list[Tensor]] = [[] for _ in watched]
    n_batches = max(1, round(len(graphs) / batch_size))
    for _ in range(epochs):
        network.train()
        total = torch.zeros((), device=classes.device)
        for batch in torch.randperm(len(graphs)).tensor_split(n_batches):
            members = [graphs[place] for place in batch.tolist()]
            loss = functional.cross_entropy(network(members), classes[batch.to(classes.device)])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            total += loss.detach()
        schedule.step()
        losses.append(float(total) / n_batches)
        network.eval()
        with torch.no_grad():
            for found, tested in zip(scores, watched, strict=True):
                found.append(network(tested).cpu())
        on_epoch()
    return History(np.array(losses), [torch.stack(found).numpy() for found in scores])
