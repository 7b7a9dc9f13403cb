"""GFN (Chen et al., Are powerful graph neural nets necessary?, 2019): structural features, then a network on sets.

Published configuration: features [d, X, AX, AAX, AAAX] with the symmetrically normalised A, one layer on the features,
three layers that stand where GCN convolves, sum, one hidden layer, width 128.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from vnestruct.setmodel.batches import Batch, segment_sum
from vnestruct.setmodel.network import Perceptron, ReplicaLinear

POWERS = 3


class GFN(nn.Module):
    """A network on sets that is as deep as the GCN it was made from."""

    uses_arcs = False
    arc_weighting = None

    def __init__(
        self, n_replicas: int, n_inputs: int, n_classes: int, *, width: int = 128, layers: int = 3, dropout: float = 0.0
    ) -> None:
        super().__init__()
        self.phi = Perceptron(n_replicas, [n_inputs] + [width] * (layers + 1), 0.0)
        self.hidden = Perceptron(n_replicas, [width, width], dropout)
        self.last = ReplicaLinear(n_replicas, width, n_classes)

    def forward(self, x: Tensor, batch: Batch) -> Tensor:
        """Return the scores of the classes, (F, slots, classes)."""
        pooled = segment_sum(self.phi(x, batch.node_rows), batch)
        scores: Tensor = self.last(self.hidden(pooled, batch.graph_rows))
        return scores


def propagated(x: Any, arcs: Any, weights: Any, powers: int = POWERS) -> Any:
    """Return [X, AX, ..., A^powers X] for arcs with the given weights."""
    size = (x.shape[0], x.shape[0])
    order = np.lexsort((arcs[1], arcs[0]))
    adjacency = torch.sparse_coo_tensor(
        torch.from_numpy(arcs[:, order].astype(np.int64)),
        torch.from_numpy(np.asarray(weights, dtype=np.float32)[order]),
        size,
        is_coalesced=True,
        check_invariants=False,
    )
    parts = [torch.from_numpy(np.asarray(x, dtype=np.float32))]
    for _ in range(powers):
        parts.append(torch.sparse.mm(adjacency, parts[-1]))
    return torch.cat(parts, dim=1).numpy()
