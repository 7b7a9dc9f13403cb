"""The signature that roles are found from: entropies of `embed`, or a named preset.

A preset has columns that are chosen, and perhaps weighted, for one purpose. "profile" is the entropy profile
(`vnestruct.profile`), for real graphs.

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
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from vnestruct.checks import one_of
from vnestruct.embedding import embed
from vnestruct.embedding.entropy_profile import ENTROPIES, ball_entropies, profile, profile_columns
from vnestruct.embedding.parameters import Settings, checked_settings
from vnestruct.embedding.pipeline import neighbour_moments
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.graph import Graph, GraphSet
from vnestruct.io import as_graph
from vnestruct.types import ValueArray

PRECOMPUTED = "precomputed"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetSettings(Settings):
    """The parameters of a preset, which stands for radius, kind and aggregates."""

    preset: str

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        if self.preset == "profile":
            return profile_columns(direction="+".join(self.directions))
        return preset_columns(self.preset)

    def identity(self) -> dict[str, object]:
        """Return what two signatures must share to be compared."""
        return {"preset": self.preset, "weighted": self.weighted, "direction": list(self.directions)}


def signature_settings(radius: int = 2, *, preset: str | None = None, **parameters: Any) -> Settings:
    """Check the parameters of a signature, those of `checked_settings`; refuse what a preset decides itself."""
    settings = checked_settings(radius, **parameters)
    if preset is None:
        return settings
    one_of("preset", preset, PRESETS)
    kept = {"weighted", "direction"} if preset == "profile" else set()
    if settings != checked_settings(2, **{name: value for name, value in parameters.items() if name in kept}):
        raise _refusal(preset)
    return PresetSettings(**asdict(settings), preset=preset)


def role_signature(
    graph: Graph, radius: int = 2, *, preset: str | None = None, **parameters: Any
) -> tuple[ValueArray, list[str]]:
    """Return one row per node, and the names of the columns.

    The parameters are those of `vnestruct.embed`. A preset is a named signature instead: it stands for radius, kind and
    aggregates. "profile" takes all other parameters, "noisy" only `n_jobs`.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> values, columns = role_signature(star(3), 1, kind="quadratic")
    >>> values.shape, columns
    ((4, 1), ['h1_quadratic'])
    """
    names = ("kind", "weighted", "direction", "aggregate")
    chosen = {name: value for name, value in parameters.items() if name in names}
    run = {name: value for name, value in parameters.items() if name not in ("kind", "aggregate")}
    settings = signature_settings(radius, preset=preset, **chosen)
    if graph.n_nodes == 0:
        raise ParameterError("the graph has no nodes, so there is nothing to compare; check how it was built")
    if preset is None:
        values = embed(graph, radius, **parameters)
    elif preset == "profile":
        values = profile(graph, **run)
    elif {name for name, value in run.items() if value not in (None, "threads")} - {*names, "n_jobs", "progress"}:
        raise _refusal(preset)
    else:
        values = preset_signature(graph, preset, n_jobs=run.get("n_jobs"))
    return values, settings.columns


def _refusal(preset: str) -> ParameterError:
    names, more = "radius kind aggregate", ""
    if preset != "profile":
        names, more = "radius kind weighted direction aggregate engine address checkpoint", " and needs no long run"
    listed: list[str | Parameter] = [part for name in names.split() for part in (", ", Parameter(name))]
    reason = f" decides the signature itself{more}; leave out "
    return ParameterError(Message(Parameter("preset", preset), reason, *listed[1:-2], " and ", listed[-1]))
