"""Edge lists, and tables of edges in text: the door for columns."""

import re
from functools import partial
from itertools import chain
from typing import IO, Any

import numpy as np

from vnestruct.graph import Graph
from vnestruct.graph.build import graph_from_columns
from vnestruct.graph.columns import SAMPLE_ROWS
from vnestruct.io import write
from vnestruct.io.delimited import Edges, detect_dialect, parse
from vnestruct.io.source import LineBlock, ReadOptions, Source
from vnestruct.types import Array

_AMBIGUOUS = re.compile(r"[\s,;]")


def read_edgelist(source: Source, options: ReadOptions, name: str = "edgelist") -> Graph:
    """Read an edge list: labels separated by blanks, tabs, commas or semicolons, comments anywhere; or a table."""
    blocks = source.blocks()
    for block in blocks:
        dialect = detect_dialect(block, name, options, source.error)
        if dialect is None:
            continue
        block = LineBlock(block.data.split(b"\n", dialect.body_line - block.first_line)[-1], dialect.body_line)
        sample, ends, weights = block.data[:1024], [], []
        for part in chain([block], blocks):
            edges = parse(part, dialect, sample, source.error)
            ends.append(_compact(edges, dialect.integers))
            weights.append(edges.weight)
        if any(map(len, chain.from_iterable(ends))):
            weight = None if dialect.columns.weight is None else np.concatenate(weights)
            pairs, words = _joined(ends, dialect.integers)
            del ends, edges, weights
            return graph_from_columns(
                pairs, weight, dialect.columns.names, words=words, directed=bool(options.directed),
                bipartite=options.bipartite,
            )  # fmt: skip
    raise source.error("no edges, only blank lines, comments or column names; check the program that wrote it")


read_csv, read_tsv = partial(read_edgelist, name="csv"), partial(read_edgelist, name="tsv")


def _compact(edges: Edges, integers: bool) -> Any:
    """Return two columns in less memory: 32 bits if that is enough, or texts by their places in a dictionary."""
    if integers:
        pairs = np.column_stack(edges[:2])
        narrow = pairs.astype(np.int32)
        return narrow if np.array_equal(narrow, pairs) else pairs
    import pyarrow

    return pyarrow.chunked_array(edges[:2]).dictionary_encode().chunks


def _joined(ends: list[Any], integers: bool) -> tuple[Array, Array | None]:
    """Return both columns as one array, of integers or of places in an array of words, and these."""
    if integers:
        return np.concatenate(ends), None
    import pyarrow

    chunks = pyarrow.chunked_array(chain.from_iterable(ends)).unify_dictionaries().chunks
    codes = [np.from_dlpack(chunk.indices) for chunk in chunks]
    pairs = np.column_stack([np.concatenate(codes[::2]), np.concatenate(codes[1::2])])
    return pairs, np.array(chunks[0].dictionary.to_pylist(), dtype=object)


def write_edgelist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an edge list: two labels per line, and the weight if there is one."""
    texts, notes = write.one_line_texts(graph)
    separator = "\t" if any(map(_AMBIGUOUS.search, texts)) else " "
    words = write.quoted(texts, r'^["#%]|^//|\t|^[\s]|[\s]$')
    first, integers = True, False
    for lines in write.edge_lines(graph, words, separator):
        if first and graph.nodes.dtype == object:
            block = LineBlock("".join(lines[: SAMPLE_ROWS + 1]).encode(), 1)
            dialect = detect_dialect(block, "edgelist", ReadOptions(), lambda message, line: ValueError(message))
            integers = dialect is not None and dialect.integers
            # The first edge would be taken for column names.
            if dialect is None or dialect.body_line > 1:
                stream.write(separator.join(_names(graph)).encode() + b"\n")
        first = False
        stream.write("".join(lines).encode())
    notes += write.losses(graph, "isolated nodes", "directions") + (write.text_note("edgelist") if integers else [])
    return notes + write.losses(graph, "no edges")


def _names(graph: Graph) -> list[str]:
    return ["source", "target"] + ([] if graph.weights is None else ["weight"])


def write_csv(graph: Graph, stream: IO[bytes], separator: str = ",", name: str = "csv") -> list[str]:
    """Write a table with columns source, target and weight."""
    texts, notes = write.one_line_texts(graph)
    stream.write((separator.join(_names(graph)) + "\n").encode())
    for lines in write.edge_lines(graph, write.quoted(texts, rf'["{separator}]|^\s|\s$'), separator):
        stream.write("".join(lines).encode())
    notes += write.losses(graph, "isolated nodes", "directions") + write.integer_note(graph, texts, name)
    return notes + write.losses(graph, "no edges")


write_tsv = partial(write_csv, separator="\t", name="tsv")
