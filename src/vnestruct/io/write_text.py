"""Writers of plain text: edge lists, tables, adjacency lists, METIS, Pajek."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import IO

import numpy as np

from vnestruct.graph import Graph
from vnestruct.graph.redirect import without_directions
from vnestruct.io.dialect import SAMPLE_LINES, judge
from vnestruct.io.edges import chunked_rows, direction_note, edge_columns, isolated_note, one_line_texts
from vnestruct.io.fields import COMMENTS, is_plain_integer
from vnestruct.io.source import Block, ReadOptions

_AMBIGUOUS = re.compile(r"[\s,;]")
_MARKS = tuple(mark.decode("ascii") for mark in COMMENTS)


def write_edgelist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an edge list: two labels a line, and the weight if there is one."""
    texts, notes = one_line_texts(graph)
    separator = "\t" if any(map(_AMBIGUOUS.search, texts)) else " "
    special = re.compile(r'^["#%]|^//|\t|^[\s]|[\s]$')
    quoted = [_quoted(text) if special.search(text) else text for text in texts]
    text_labels = graph.nodes.dtype == object
    first, integers = True, False
    for tails, heads, weights in chunked_rows(graph, quoted):
        lines = _lines(separator, tails, heads, weights)
        if first and text_labels:
            names, integers = _judged(lines, separator)
            stream.write(separator.join(names[: 2 if weights is None else 3]).encode() + b"\n" if names else b"")
        first = False
        stream.write("".join(lines).encode())
    notes += isolated_note(graph) + direction_note(graph) + _integer_note(integers, "edgelist")
    return notes + (["there are no edges, and a file without edges is not read back"] if first else [])


def _judged(lines: list[str], separator: str) -> tuple[list[str], bool]:
    """Return column names if the first edge would pass for them, and whether labels look like integers."""
    sample = "".join(lines[: SAMPLE_LINES + 1]).encode()
    dialect = judge(Block(sample, 1), "edgelist", ReadOptions(), lambda message, line: ValueError(message))
    names = ["source", "target", "weight"] if dialect is None or dialect.body_line > 1 else []
    return names, dialect is not None and dialect.integers


def write_csv(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a comma-separated table with columns source, target and weight."""
    return _write_table(graph, stream, ",", "csv")


def write_tsv(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a tab-separated table with columns source, target and weight."""
    return _write_table(graph, stream, "\t", "tsv")


def _write_table(graph: Graph, stream: IO[bytes], separator: str, name: str) -> list[str]:
    texts, notes = one_line_texts(graph)
    special = re.compile(rf'["{separator}]|^\s|\s$')
    quoted = [_quoted(text) if special.search(text) else text for text in texts]
    names = ["source", "target"] + ([] if graph.weights is None else ["weight"])
    stream.write((separator.join(names) + "\n").encode())
    for tails, heads, weights in chunked_rows(graph, quoted):
        stream.write("".join(_lines(separator, tails, heads, weights)).encode())
    looks = graph.nodes.dtype == object and any(is_plain_integer(text.encode()) for text in texts)
    notes += isolated_note(graph) + direction_note(graph) + _integer_note(looks, name)
    return notes + (["there are no edges, and a file without edges is not read back"] if graph.n_edges == 0 else [])


def _lines(separator: str, tails: list[str], heads: list[str], weights: list[float] | None) -> list[str]:
    if weights is None:
        return [f"{tail}{separator}{head}\n" for tail, head in zip(tails, heads, strict=True)]
    rows = zip(tails, heads, weights, strict=True)
    return [f"{tail}{separator}{head}{separator}{weight!r}\n" for tail, head, weight in rows]


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _integer_note(looks: bool, name: str) -> list[str]:
    return [f"text labels that look like integers: read the file with format='{name}+text'"] if looks else []


def write_adjlist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an adjacency list: each node, then the neighbours it has not been listed for yet."""
    texts, notes = one_line_texts(graph)
    special = re.compile(r'[\s,;"]|^[#%]|^//')
    quoted = [_quoted(text) if special.search(text) else text for text in texts]
    rows: list[list[str]] = [[text] for text in quoted]
    tails, heads, _ = edge_columns(graph)
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        rows[tail].append(quoted[head])
    for row in rows:
        stream.write((" ".join(row) + "\n").encode())
    looks = graph.nodes.dtype == object and any(is_plain_integer(text.encode()) for text in texts)
    notes += direction_note(graph) + _integer_note(looks, "adjlist")
    return notes + (["weights are lost"] if graph.weights is not None else [])


def write_metis(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a METIS graph: nodes 1..n, their neighbours line by line."""
    notes = numbering_note(graph)
    if graph.directed:
        graph = without_directions(graph)
        notes.append("directions are lost")
    weights = graph.weights
    values: list[str] | None = None
    if weights is not None:
        whole = bool(np.all(weights == np.floor(weights)) and weights.max(initial=0) < 2**53)
        values = [str(int(weight)) if whole else repr(weight) for weight in weights.tolist()]
        notes += [] if whole else ["METIS itself reads whole weights only"]
    stream.write(f"{graph.n_nodes} {graph.n_edges}{' 001' if values else ''}\n".encode())
    places, neighbours = graph.indptr.tolist(), (graph.indices + np.int64(1)).tolist()
    for start, stop in pairwise(places):
        words = map(str, neighbours[start:stop])
        if values is not None:
            words = map(" ".join, zip(words, values[start:stop], strict=True))
        stream.write((" ".join(words) + "\n").encode())
    return notes


def numbering_note(graph: Graph) -> list[str]:
    """Return the note for formats whose nodes are 1..n."""
    kept = graph.nodes.dtype == np.int64 and np.array_equal(graph.nodes, np.arange(1, graph.n_nodes + 1))
    return [] if kept else ["labels are lost: nodes are numbered from 1 in their order"]


def write_pajek(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a Pajek network."""
    texts, notes = one_line_texts(graph)
    stream.write(f"*Vertices {graph.n_nodes}\n".encode())
    for number, text in enumerate(texts, 1):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        stream.write(f'{number} "{escaped}"\n'.encode())
    stream.write(b"*Arcs\n" if graph.directed else b"*Edges\n")
    numbers = [str(number) for number in range(1, graph.n_nodes + 1)]
    for tails, heads, weights in chunked_rows(graph, numbers):
        stream.write("".join(_lines(" ", tails, heads, weights)).encode())
    looks = graph.nodes.dtype == object and all(is_plain_integer(text.encode()) for text in texts)
    ones = graph.weights is not None and not np.any((graph.weights != 1) & (graph.weights != 0))
    return notes + _integer_note(looks, "pajek") + (["weights that are all 1 are read as none"] if ones else [])
