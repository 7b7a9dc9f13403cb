"""From the words of a command line to a graph and to nodes of it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from vnestruct.cli.console import Console
from vnestruct.cli.errors import in_options
from vnestruct.errors import ParameterError, UnknownNodeError

if TYPE_CHECKING:
    from vnestruct.graph import Graph
    from vnestruct.types import OffsetArray


def load_graph(
    path: str,
    console: Console,
    *,
    format: str | None,
    source: str | None,
    target: str | None,
    weight: str | None,
    directed: bool | None,
    summary: bool = True,
) -> Graph:
    """Read the graph of a command; say how the file was understood and, in a summary, what was read and cleaned."""
    from vnestruct.io import read_graph

    with _reader_notes(console):
        graph = read_graph(path, source=source, target=target, weight=weight, directed=directed, format=format)
    if not summary:
        return graph
    console.note(f"{path}: {graph.n_nodes:,} nodes, {graph.n_edges:,} edges. {graph.report}")
    return graph


class _Notes(logging.Handler):
    """Turns what readers log into notes for people."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.INFO)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Show one record."""
        self._console.note(f"Note: {in_options(record.getMessage())}.")


@contextmanager
def _reader_notes(console: Console) -> Iterator[None]:
    """Show what readers log in the block."""
    logger, handler = logging.getLogger("vnestruct.io"), _Notes(console)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)


def chosen_positions(graph: Graph, words: str) -> OffsetArray:
    """Return the positions of nodes that are named in a file, one a line, or separated by commas.

    Raises
    ------
    ParameterError
        If none is named, one is named twice, or the file cannot be read.
    UnknownNodeError
        If the graph has no such node.
    """
    import numpy as np

    names = _names(words)
    if not names:
        raise ParameterError(f"--nodes {words}: no node is named; separate labels by commas, or write one a line")
    place = {str(label): position for position, label in enumerate(graph.nodes.tolist())}
    unknown = next((name for name in names if name not in place), None)
    if unknown is not None:
        raise UnknownNodeError(f"--nodes: the graph has no node {unknown!r}; check its spelling")
    positions = np.array([place[name] for name in names], dtype=np.int64)
    if np.unique(positions).size < positions.size:
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise ParameterError(f"--nodes names node {twice!r} twice; name it once")
    return positions


def _names(words: str) -> list[str]:
    file = Path(words)
    try:
        if not file.is_file():
            return [name.strip() for name in words.split(",") if name.strip()]
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise ParameterError(f"--nodes {words}: the file is not UTF-8; write one label a line") from None
    except (OSError, ValueError) as error:
        raise ParameterError(f"--nodes {words}: cannot be read ({error}); check the name") from None
    return [line.strip() for line in lines if line.strip()]
