"""Named signatures: columns that are chosen, and perhaps weighted, for one purpose.

"profile" is the entropy profile (`vnestruct.profile`), for real graphs.

"noisy" is for graphs with spurious or missing edges. It describes the 1-ball of a node, and the 1-balls of the nodes
one and two steps away. A wrong edge changes the larger balls of many nodes, but only few 1-balls, and means over
neighbours dampen the change. All quantities are closed forms of the 1-ball and of degrees, so the preset costs as much
as counting triangles, however large the hubs are:

- ``size``, ``collision``, ``least``, ``quadratic``, ``h1``: the entropies that the profile begins with;
- ``arrivals``: ln(1 + the sum over the neighbours of 1 / degree): how often one step of random walks, one from every
  node, ends here.

A step takes the ``mean``, ``std``, ``max`` or ``min`` over the neighbours, or ``part``: a node's own value over the sum
of itself and the largest of its neighbours'. Parts distinguish a leaf from a node of a ring even where a wrong edge
moved the leaf or joined it to something else; no sum of separate columns does.

Columns and weights were chosen by a search on perturbed rings of shapes (``experiments/preset_anneal.py``).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.checks import one_of
from vnestruct.embedding.entropy_profile import ENTROPIES, ball_entropies, profile, profile_columns
from vnestruct.embedding.pipeline import neighbour_moments
from vnestruct.graph import Graph, GraphSet
from vnestruct.io import as_graph
from vnestruct.types import ValueArray


@dataclass(frozen=True)
class PresetColumn:
    """One column: a quantity of the 1-ball, compared with or taken over neighbours step by step, times a weight."""

    weight: float
    quantity: str
    steps: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Name of the column, such as ``least_mean_std``: the deviation, over the neighbours, of their means."""
        return "_".join([self.quantity, *self.steps])


_WEIGHTS = {
    "noisy": {
        "h1": 1.03, "h1_part": 0.815, "h1_part_max": 0.928, "size_part": 2.54, "arrivals": 0.494, "arrivals_max": 0.294,
        "quadratic": 0.244, "collision_part_std_mean": 3.29, "least_std_mean": 0.642, "least_mean_std": 1.28,
    },
    "profile": dict.fromkeys(profile_columns(), 1.0),
}  # fmt: skip
PRESETS: dict[str, tuple[PresetColumn, ...]] = {
    preset: tuple(PresetColumn(weight, name.split("_")[0], (*name.split("_")[1:],)) for name, weight in columns.items())
    for preset, columns in _WEIGHTS.items()
}


def preset_columns(name: str) -> list[str]:
    """Return the names of the columns of a preset."""
    one_of("preset", name, PRESETS)
    return [column.name for column in PRESETS[name]]


def preset_signature(graph: Any, name: str = "noisy", *, n_jobs: int | None = None) -> ValueArray:
    """Return the signature of every node by a named preset; edge weights and directions are ignored.

    `vnestruct.profile` takes more parameters, weights and directions among them.

    Parameters
    ----------
    graph : graph
        Anything `vnestruct.as_graph` takes, or a `GraphSet`.
    name : {"noisy", "profile"}, default "noisy"
        The preset.
    n_jobs : int, optional
        Number of threads.

    Returns
    -------
    ndarray of float64, shape (n, number of columns)
        One row per node, in node order; the columns are already weighted.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> from vnestruct.roles import preset_signature
    >>> preset_signature(star(3)).shape
    (4, 10)
    """
    one_of("preset", name, PRESETS)
    network = graph.graph if isinstance(graph, GraphSet) else as_graph(graph)
    if name == "profile":
        return profile(network, n_jobs=n_jobs)
    paths = [(column.quantity, *column.steps) for column in PRESETS[name]]
    values = path_values(network, paths, n_jobs)
    return np.column_stack([column.weight * values[path] for column, path in zip(PRESETS[name], paths, strict=True)])


def path_values(
    graph: Graph, paths: Iterable[tuple[str, ...]], n_jobs: int | None = None
) -> dict[tuple[str, ...], ValueArray]:
    """Return columns before they are weighted: each a quantity, and the steps taken from it."""
    owner = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    arrivals = np.bincount(owner, 1.0 / graph.degrees[graph.indices], minlength=graph.n_nodes)
    known: dict[tuple[str, ...], ValueArray] = {("arrivals",): np.log1p(arrivals)}
    known |= {(name,): values for name, values in zip(ENTROPIES, ball_entropies(graph, n_jobs=n_jobs).T, strict=True)}
    for path in paths:
        for end in range(2, len(path) + 1):
            if path[:end] not in known:
                known[path[:end]] = _over_neighbours(graph, known[path[: end - 1]], path[end - 1])
    return known


def _over_neighbours(graph: Graph, values: ValueArray, step: str) -> ValueArray:
    """Take a step; a node without neighbours has 0."""
    if step in ("mean", "std"):
        return neighbour_moments(graph, values[:, None], (step,))[:, 0]
    extremes = np.zeros(graph.n_nodes)
    rows = graph.degrees > 0
    if rows.any():
        choose = np.minimum if step == "min" else np.maximum
        extremes[rows] = choose.reduceat(values[graph.indices], graph.indptr[:-1][rows])
    if step != "part":
        return extremes
    both = values + extremes
    return np.divide(values, both, out=np.zeros(graph.n_nodes), where=both > 0.0)
