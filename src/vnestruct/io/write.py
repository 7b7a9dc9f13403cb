"""Writing a graph to a file of any format."""

from __future__ import annotations

import os
import sys
from typing import IO

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_file
from vnestruct.files.compression import compressing
from vnestruct.graph import Graph
from vnestruct.io.registry import FORMATS, format_named, format_of_path, split_suffixes


def write_graph(graph: Graph, path: str | os.PathLike[str], format: str | None = None) -> list[str]:
    """Write a graph to a file; the file appears whole or not at all.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : path-like
        The file. Its suffix tells the format, a further ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` that it is
        compressed; ``-`` is standard output.
    format : str, optional
        A format, whatever the suffix.

    Returns
    -------
    list of str
        What the format cannot say and was lost, one sentence each; empty if the file holds the whole graph.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.graph import Graph
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_graph(Graph([0, 1, 2, 2], [1, 0]), pathlib.Path(folder, "pair.csv"))
    ['1 node without edges cannot be written and is lost']
    """
    name = os.fspath(path)
    form = format_of_path(name) if format is None else format_named(format)[0]
    if form is None:
        known = ", ".join(form.suffixes[0] for form in FORMATS if form.writer)
        raise ParameterError(f"cannot tell the format of {name!r}; end it in one of {known}, or say format=")
    writer = form.load_writer()
    if name == "-":
        return writer(graph, sys.stdout.buffer)
    compression = split_suffixes(name)[1]
    with atomic_file(name) as stream:
        if compression is None:
            return writer(graph, stream)
        packed: IO[bytes]
        with compressing(stream, compression) as packed:
            return writer(graph, packed)
