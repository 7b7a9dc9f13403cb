"""Writing a graph to a file of any format, and what the writers share."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import IO

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import STANDARD_OUTPUT, atomic_file, standard_output
from vnestruct.files.compression import open_compressed
from vnestruct.graph import Graph
from vnestruct.graph.columns import SAMPLE_ROWS
from vnestruct.graph.labels import sides_of_columns
from vnestruct.io.delimited import detect_dialect
from vnestruct.io.fields import is_plain_integer
from vnestruct.io.registry import FORMATS, format_named, format_of_path, split_suffixes
from vnestruct.io.source import LineBlock, ReadOptions
from vnestruct.types import Array, FilePath

_CHUNK = 1 << 18
_TEXT_COLUMNS = ("edgelist", "csv", "tsv")
_COLUMNS = (*_TEXT_COLUMNS, "parquet", "feather")  # formats of two columns of labels
_AMBIGUOUS = re.compile(r"[\s,;]")
_UNFIT = re.compile(r"[\x00-\x08\n\r\x0e-\x1f\x7f]")


def write_graph(graph: Graph, path: FilePath, format: str | None = None) -> list[str]:
    """Write a graph to a file; the file appears whole or not at all.

    Parameters
    ----------
    graph : Graph
        The graph.
    path : path-like
        The file. Its suffix determines the format, a further ``.gz``, ``.bz2``, ``.xz`` or ``.zst`` the compression;
        ``-`` is standard output.
    format : str, optional
        A format that overrides the suffix.

    Returns
    -------
    list of str
        What the format cannot express, one sentence each; empty if the file holds the whole graph.

    Examples
    --------
    >>> from vnestruct.graph import Graph
    >>> write_graph(Graph([0, 1, 3, 4, 4], [1, 0, 2, 1]), "path.csv")
    ['1 node without edges cannot be written and is lost']
    """
    name = os.fspath(path)
    form = format_of_path(name) if format is None else format_named(format)[0]
    if form is None:
        known = ", ".join(form.suffixes[0] for form in FORMATS if form.writer)
        raise ParameterError(f"cannot tell the format of {name!r}; end it in one of {known}, or set `format`")
    writer = form.load_writer()
    if name == STANDARD_OUTPUT:
        with standard_output() as stream:
            return writer(graph, stream) + _losses(graph, form.name)
    compression = split_suffixes(name)[1]
    with atomic_file(name) as stream:
        if compression is None:
            notes = writer(graph, stream)
        else:
            with open_compressed(stream, compression, "wb") as packed:
                notes = writer(graph, packed)
    return notes + _losses(graph, form.name)


def _losses(graph: Graph, name: str) -> list[str]:
    """Return notes on what a format cannot express of this graph, whatever its labels."""
    if name == "vng":
        return []
    has_columns, sides = name in _COLUMNS, graph.sides
    (tails, heads, weights), n_isolated = graph.edges(), int(np.count_nonzero(graph.degrees == 0))
    lost = "1 node without edges cannot be written and is lost"
    found_sides = sides is None and graph.n_edges and sides_of_columns(tails, heads, graph.n_nodes) is not None
    notes = {
        lost if n_isolated == 1 else f"{n_isolated} nodes without edges cannot be written and are lost": (
            has_columns and n_isolated > 0
        ),
        "the file does not say that edges have a direction: read it with `directed=True`": (
            name in _TEXT_COLUMNS and graph.directed
        ),
        "weights that are all 1 are read as none": name == "npz"
        and weights is not None
        and np.isin(weights, (0, 1)).all(),
        "there are no edges, and a file without edges is not read back": has_columns and not graph.n_edges,
        "sides are lost": not has_columns and sides is not None,
        "sides are lost: some edges lead from side 1 to side 0": (
            has_columns and sides is not None and sides[tails].any()
        ),
        "the two columns share no label and are read as sides: read the file with `bipartite=False`": (
            has_columns and found_sides
        ),
    }
    return [note for note, holds in notes.items() if holds]


def label_texts(graph: Graph) -> tuple[list[str], list[str]]:
    """Return the label of every node as text, and notes on what that loses."""
    labels = graph.nodes.tolist()
    notes = []
    if graph.nodes.dtype == object and not all(isinstance(label, str) for label in labels):
        other = next(type(label).__name__ for label in labels if not isinstance(label, str))
        notes.append(f"labels that are not text, such as of type {other}, are written as text")
    texts = [str(label) for label in labels]
    if len(set(texts)) < len(texts):
        raise ParameterError("two labels are the same when written as text; use .vng, which keeps them apart")
    return texts, notes


def one_line_texts(graph: Graph) -> tuple[list[str], list[str]]:
    """Return label texts for formats in which a label is a part of a line; refuse labels that cannot be."""
    texts, notes = label_texts(graph)
    if graph.nodes.dtype == object:
        for text in texts:
            # A reader takes a mark at the start of a file for that of its encoding.
            if not text.strip() or _UNFIT.search(text) or text.startswith("\ufeff"):
                wrong = f"label {text!r} is empty or has line breaks, control characters or a byte order mark; "
                raise ParameterError(wrong + "use .vng, which keeps it")
            check_unicode(text)
        if any(text != text.strip() for text in texts):
            notes.append("blanks at the ends of labels are lost")
    return texts, notes


def integer_note(graph: Graph, texts: list[str], name: str, which: Callable[[Iterable[bool]], bool] = any) -> list[str]:
    """Return the note for text labels that would be read as integers: any of them, or `all`."""
    if graph.nodes.dtype != object or not which(map(is_plain_integer, texts)):
        return []
    return [f"text labels that look like integers: read the file with `format='{name}+text'`"]


def quoted(texts: list[str], special: str) -> list[str]:
    """Return texts, those that match a pattern in double quotes with the quotes inside doubled."""
    matches = re.compile(special).search
    return ['"' + text.replace('"', '""') + '"' if matches(text) else text for text in texts]


def edge_texts(graph: Graph, texts: list[str]) -> Iterator[list[list[str]]]:
    """Yield the edges, some at a time, as columns of texts: of their ends, and of their weights if there are any."""
    tails, heads, weights = graph.edges()
    words: Array = np.array(texts, dtype=object)
    for start in range(0, tails.size, _CHUNK):
        rows = slice(start, start + _CHUNK)
        values = [] if weights is None else [list(map(repr, weights[rows].tolist()))]
        yield [words[tails[rows]].tolist(), words[heads[rows]].tolist(), *values]


def edge_lines(graph: Graph, texts: list[str], separator: str) -> Iterator[list[str]]:
    """Yield one line of text per edge, some at a time."""
    for columns in edge_texts(graph, texts):
        yield [separator.join(row) + "\n" for row in zip(*columns, strict=True)]


def check_unicode(text: str) -> None:
    """Refuse a label that is not valid Unicode, which UTF-8 cannot express."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ParameterError(f"label {text!r} is not valid Unicode; use .vng, which keeps it") from None


def write_edgelist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an edge list: two labels per line, and the weight if there is one."""
    texts, notes = one_line_texts(graph)
    separator = "\t" if any(map(_AMBIGUOUS.search, texts)) else " "
    words = quoted(texts, r'^["#%]|^//|\t|^[\s]|[\s]$')
    first = True
    for lines in edge_lines(graph, words, separator):
        if first and graph.nodes.dtype == object:
            block = LineBlock("".join(lines[: SAMPLE_ROWS + 1]).encode(), 1)
            dialect = detect_dialect(block, "edgelist", ReadOptions(), lambda message, line: ValueError(message))
            # The first edge would be taken for column names.
            if dialect is None or dialect.body_line > 1:
                stream.write(separator.join(_names(graph)).encode() + b"\n")
        first = False
        stream.write("".join(lines).encode())
    return notes + integer_note(graph, texts, "edgelist")


def _names(graph: Graph) -> list[str]:
    return ["source", "target"] + ([] if graph.weights is None else ["weight"])


def write_csv(graph: Graph, stream: IO[bytes], separator: str = ",", name: str = "csv") -> list[str]:
    """Write a table with columns source, target and weight."""
    texts, notes = one_line_texts(graph)
    stream.write((separator.join(_names(graph)) + "\n").encode())
    for lines in edge_lines(graph, quoted(texts, rf'["{separator}]|^\s|\s$'), separator):
        stream.write("".join(lines).encode())
    return notes + integer_note(graph, texts, name)


write_tsv = partial(write_csv, separator="\t", name="tsv")
