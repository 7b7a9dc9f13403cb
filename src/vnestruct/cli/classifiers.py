"""What `classify` and `predict` share: collections as input, accuracies as a table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from vnestruct.cli.console import Console, duration

if TYPE_CHECKING:
    from vnestruct.datasets import Collection
    from vnestruct.setmodel import Evaluation

Collections = Annotated[
    str,
    typer.Argument(metavar="DATA", help="The graphs: a folder or zip archive in the TU Dortmund layout, or a name."),
]
DataFolder = Annotated[
    str | None,
    typer.Option("--data", metavar="DIR", help="Folder of collections, before VNESTRUCT_DATA and the download cache."),
]


def load_collection(data: str, folder: str | None, console: Console) -> Collection:
    """Read the collection of a command, and say what it is."""
    from vnestruct.datasets import load

    collection = load(data, folder)
    console.note(
        f"{data}: {len(collection):,} graphs, {collection.graph.n_nodes:,} nodes, {collection.graph.n_edges:,} edges."
    )
    return collection


def print_evaluation(result: Evaluation, name: str, seconds: float) -> None:
    """Print accuracies on standard output: one line a seed of folds, and all together."""
    lines = [f"{name}, {result.model}, {result.protocol} protocol, {duration(seconds)}", "", "folds    mean     std"]
    for seed, row in enumerate(result.accuracies):
        lines.append(f"{f'seed {seed}':<7}{100 * row.mean():6.2f}  {100 * row.std():6.2f}")
    if len(result.accuracies) > 1:
        lines.append(f"{'all':<7}{100 * result.mean:6.2f}  {100 * result.std:6.2f}")
    chosen: dict[str, int] = {}
    for row in result.chosen:
        for what in row:
            chosen[what] = chosen.get(what, 0) + 1
    common = sorted(chosen, key=lambda what: -chosen[what])[:3]
    lines += ["", "chosen: " + ", ".join(f"{what} ({chosen[what]}x)" for what in common)]
    sys.stdout.write("\n".join(lines) + "\n")
