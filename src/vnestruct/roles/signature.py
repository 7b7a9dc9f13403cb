"""The signature that roles are found from: entropies of `embed`, or a named preset."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vnestruct.embedding import embed
from vnestruct.embedding.parameters import checked_settings
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.graph import Graph
from vnestruct.roles.presets import preset_columns, preset_signature
from vnestruct.types import ValueArray

PRECOMPUTED = "precomputed"

_WITH_PRESET = {"n_jobs", "progress"}


def role_signature(
    graph: Graph,
    radius: int = 2,
    *,
    preset: str | None = None,
    kind: str | Iterable[str] = "approx",
    weighted: bool = False,
    direction: str = "all",
    aggregate: str | Iterable[str] = (),
    **run: Any,
) -> tuple[ValueArray, list[str]]:
    """Return one row per node, and the names of the columns.

    The parameters are those of `vnestruct.embed`. A preset is a named signature instead: it decides which entropies are
    used, is quick to compute, and takes only `n_jobs` of the parameters of a run.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> values, columns = role_signature(star(3), 1, kind="quadratic")
    >>> values.shape, columns
    ((4, 1), ['h1_quadratic'])
    """
    settings = checked_settings(radius, kind, weighted, direction, aggregate)
    if graph.n_nodes == 0:
        raise ParameterError("the graph has no nodes, so there is nothing to compare; check how it was built")
    if preset is None:
        values = embed(graph, radius, kind=kind, weighted=weighted, direction=direction, aggregate=aggregate, **run)
        return values, settings.columns
    columns = preset_columns(preset)
    refused = {name for name, value in run.items() if value not in (None, "threads")} - _WITH_PRESET
    if refused or settings != checked_settings(2):
        names = ("radius", "kind", "weighted", "direction", "aggregate", "engine", "address", "checkpoint")
        decided: list[str | Parameter] = [part for name in names for part in (", ", Parameter(name))]
        raise ParameterError(
            Message(
                Parameter("preset", preset),
                " decides the signature itself and needs no long run; leave out ",
                *decided[1:-2],
                " and ",
                decided[-1],
            )
        )
    return preset_signature(graph, preset, n_jobs=run.get("n_jobs")), columns
