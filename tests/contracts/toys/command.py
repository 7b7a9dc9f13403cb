"""A toy command, with an option: the number of nodes of a graph, or of those with a link."""

from __future__ import annotations

import sys
from typing import Annotated

from vnestruct.cli.options import GraphOptions, option
from vnestruct.cli.output import Console


def tally(
    *,
    graph: GraphOptions,
    least: Annotated[int, option("LINKS", "Leave out nodes with fewer links.")] = 0,
    console: Console,
) -> None:
    """Print the number of nodes of a graph."""
    sys.stdout.write(f"{(graph.load(console).degrees >= least).sum()}\n")
