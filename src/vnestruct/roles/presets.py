"""Named signatures: a few columns, chosen and weighted for one purpose.

"noisy" is for graphs with spurious or missing edges. It describes the 1-ball of a node, and by means, deviations and
maxima the 1-balls of the nodes one and two steps away. A wrong edge changes the larger balls of many nodes; it changes
few 1-balls, and an average over neighbours blunts it. All quantities are entropies of the 1-ball in closed form, so the
preset costs as much as counting triangles, whatever the hubs:

- ``size``: the logarithm of the number of nodes, which no entropy of the ball exceeds;
- ``h1``: the signature itself;
- ``quadratic``: Q, and ``collision``: -ln(1 - Q), Renyi's entropy of order 2;
- ``least``: -ln of the largest eigenvalue, Renyi's entropy of infinite order.

Columns and weights were found by a greedy search on perturbed rings of shapes (``experiments/preset_search.py`` and
``preset_balance.py``), for nearest neighbours and for ward linkage together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.embedding import embed
from vnestruct.embedding.neighbours import neighbour_moments
from vnestruct.graph import Graph, GraphSet
from vnestruct.io import as_graph
from vnestruct.roles.checks import one_of
from vnestruct.types import ValueArray


@dataclass(frozen=True)
class PresetColumn:
    """One column: a quantity of the 1-ball, averaged over neighbours step by step, times a weight."""

    weight: float
    quantity: str
    steps: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the column, such as ``size_mean_std``: the deviation, over the neighbours, of their means."""
        return "_".join([self.quantity, *self.steps])


PRESETS: dict[str, tuple[PresetColumn, ...]] = {
    "noisy": (
        PresetColumn(1.01, "h1"),
        PresetColumn(0.5, "h1", ("mean", "std")),
        PresetColumn(0.49, "size"),
        PresetColumn(0.35, "size", ("mean",)),
        PresetColumn(0.49, "size", ("max",)),
        PresetColumn(0.35, "collision", ("mean",)),
        PresetColumn(0.11, "collision", ("max",)),
        PresetColumn(0.42, "collision", ("mean", "mean")),
        PresetColumn(0.19, "collision", ("mean", "std")),
        PresetColumn(1.12, "least", ("mean", "std")),
        PresetColumn(1.5, "quadratic", ("mean", "std")),
    ),
}


def preset_columns(name: str) -> list[str]:
    """Return the names of the columns of a preset.

    Examples
    --------
    >>> preset_columns("noisy")[:4]
    ['h1', 'h1_mean_std', 'size', 'size_mean']
    """
    one_of("preset", name, PRESETS)
    return [column.name for column in PRESETS[name]]


def preset_signature(graph: Any, name: str = "noisy", *, n_jobs: int | None = None) -> ValueArray:
    """Return the signature of every node by a named preset; weights and directions of edges play no part.

    Parameters
    ----------
    graph : graph
        Anything `vnestruct.as_graph` takes, or a `GraphSet`.
    name : {"noisy"}, default "noisy"
        The preset.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    ndarray of float64, shape (n, number of columns)
        Rows in node order, columns weighted already: use them as they are.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> from vnestruct.roles import preset_signature
    >>> preset_signature(star(3)).shape
    (4, 11)
    """
    one_of("preset", name, PRESETS)
    network = graph.graph if isinstance(graph, GraphSet) else as_graph(graph)
    quantities = _quantities(network, n_jobs)
    known: dict[tuple[str, ...], ValueArray] = {(quantity,): values for quantity, values in quantities.items()}
    columns = []
    for column in PRESETS[name]:
        path: tuple[str, ...] = (column.quantity,)
        for step in column.steps:
            if (*path, step) not in known:
                known[(*path, step)] = _over_neighbours(network, known[path], step)
            path = (*path, step)
        columns.append(column.weight * known[path])
    return np.column_stack(columns)


def _quantities(graph: Graph, n_jobs: int | None) -> dict[str, ValueArray]:
    approx, quadratic = embed(graph, 1, kind=["approx", "quadratic"], n_jobs=n_jobs).T
    return {
        "size": np.log1p(graph.degrees),
        "h1": approx,
        "quadratic": quadratic,
        "collision": -np.log1p(-quadratic),
        # The approximate entropy is their product. Where Q is 0 the ball has one edge or none, and all entropies are 0.
        "least": approx / np.where(quadratic > 0.0, quadratic, 1.0),
    }


def _over_neighbours(graph: Graph, values: ValueArray, step: str) -> ValueArray:
    if step != "max":
        moments: ValueArray = neighbour_moments(graph, values[:, None], (step,))[:, 0]
        return moments
    largest = np.zeros(graph.n_nodes)
    rows = graph.degrees > 0
    if rows.any():
        largest[rows] = np.maximum.reduceat(values[graph.indices], graph.indptr[:-1][rows])
    return largest
