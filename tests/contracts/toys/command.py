"""A toy command: the number of nodes of a graph."""

from __future__ import annotations

import sys

from vnestruct.cli.options import GraphOptions
from vnestruct.cli.output import Console


def tally(*, graph: GraphOptions, console: Console) -> None:
    """Print the number of nodes of a graph."""
    sys.stdout.write(f"{graph.load(console).n_nodes}\n")
