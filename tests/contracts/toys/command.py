"""A toy command: the number of nodes of a graph."""

from __future__ import annotations

import sys

from vnestruct.cli.console import Console
from vnestruct.cli.options import GraphOptions


def tally(*, graph: GraphOptions, console: Console) -> None:
    """Print the number of nodes of a graph."""
    sys.stdout.write(f"{graph.load(console).n_nodes}\n")
