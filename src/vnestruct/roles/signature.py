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


def role_signature(
    graph: Graph,
    radius: int,
    *,
    kind: str | Iterable[str],
    preset: str | None,
    weighted: bool,
    direction: str,
    aggregate: str | Iterable[str],
    n_jobs: int | None = None,
    **run: Any,
) -> tuple[ValueArray, list[str]]:
    """Return one row per node and the names of the columns.

    Raises
    ------
    ParameterError
        If a preset is asked for together with parameters that it decides itself.
    """
    settings = checked_settings(radius, kind, weighted, direction, aggregate)
    if preset is None:
        values = embed(
            graph, radius, kind=kind, weighted=weighted, direction=direction, aggregate=aggregate, n_jobs=n_jobs, **run
        )
        return values, settings.columns
    columns = preset_columns(preset)
    long = run.get("engine", "threads") != "threads" or run.get("address") or run.get("checkpoint")
    if settings != checked_settings(2) or long:
        names = ("radius", "kind", "weighted", "direction", "aggregate", "engine", "address")
        listed = [part for name in names for part in (Parameter(name), ", ")]
        raise ParameterError(
            Message(
                Parameter("preset", preset), " decides the signature itself and needs no long run; leave out ",
                *listed[:-1], " and ", Parameter("checkpoint"),
            )
        )  # fmt: skip
    return preset_signature(graph, preset, n_jobs=n_jobs), columns
