"""The signatures that roles and similar nodes are found from, with progress, by options or by preset."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console
from vnestruct.cli.long_runs import working
from vnestruct.errors import ParameterError

if TYPE_CHECKING:
    from vnestruct.graph import Graph
    from vnestruct.types import ValueArray


def completing(*words: str) -> Callable[[str], list[str]]:
    """Return what completes a begun word in the shell."""
    # Typer passes the begun word by this name.
    return lambda incomplete: [word for word in words if word.startswith(incomplete)]


Preset = Annotated[
    str | None,
    typer.Option(
        "--preset",
        metavar="NAME",
        help="A named signature in place of --radius, --kind and --aggregate: noisy, for graphs with wrong edges.",
        autocompletion=completing("noisy"),
    ),
]
Scaling = Annotated[
    str,
    typer.Option(
        "--scaling",
        metavar="NAME",
        help="none, or standard to divide each column by its deviation, so that all count alike.",
        autocompletion=completing("none", "standard"),
    ),
]


def json_label(label: Any) -> str | int:
    """Return a node label as JSON has it: a number or a text."""
    return label if isinstance(label, str | int) else str(label)


def computed_signature(
    graph: Graph,
    console: Console,
    *,
    radius: int,
    kind: list[str] | None,
    weighted: bool,
    direction: str,
    aggregate: list[str] | None,
    preset: str | None,
    engine: str,
    address: str | None,
    jobs: int | None,
    checkpoint: str | None,
) -> tuple[ValueArray, list[str]]:
    """Return the signature of every node and the names of the columns.

    Raises
    ------
    ParameterError
        If the graph has no nodes, or a preset is given together with what it decides itself.
    """
    from vnestruct.embedding.embed_graph import signature_matrix
    from vnestruct.embedding.parameters import checked_settings

    settings = checked_settings(radius, options.words(kind) or "approx", weighted, direction, options.words(aggregate))
    if graph.n_nodes == 0:
        raise ParameterError("the graph has no nodes, so there is nothing to compare; check the file")
    if preset is not None:
        from vnestruct.roles.presets import preset_columns, preset_signature

        columns = preset_columns(preset)
        if settings != checked_settings(2) or checkpoint is not None or address is not None or engine != "threads":
            raise ParameterError(
                f"--preset {preset} decides the signature itself and needs no long run; leave out --radius, --kind, "
                "--weighted, --direction, --aggregate, --engine, --address and --checkpoint"
            )
        console.note_compiling()
        return preset_signature(graph, preset, n_jobs=jobs), columns
    with working(console, graph, settings, engine, address, jobs, checkpoint) as runner:
        return signature_matrix(graph, settings, None, runner), settings.columns
