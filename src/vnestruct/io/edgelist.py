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
from vnestruct.io.delimited import Dialect, Edges, detect_dialect, parse
from vnestruct.io.source import LineBlock, ReadOptions, Source
from vnestruct.types import Array

_AMBIGUOUS = re.compile(r"[\s,;]")


def read_edgelist(source: Source, options: ReadOptions, name: str = "edgelist") -> Graph:
    """Read an edge list: labels separated by blanks, tabs, commas or semicolons, comments anywhere; or a table."""
    dialect, ends, weights = _read(source, options, name)
    weight = None if dialect.columns.weight is None else np.concatenate(weights)
    words = None if dialect.integers else _without_words(ends)
    names, directed = dialect.columns.names, bool(options.directed)
    return graph_from_columns(ends, weight, names, words=words, directed=directed, bipartite=options.bipartite)


def _read(source: Source, options: ReadOptions, name: str) -> tuple[Dialect, list[Any], list[Any]]:
    """Return the dialect, the columns of ends in pieces, and those of the weights."""
    blocks = source.blocks()
    for block in blocks:
        dialect = detect_dialect(block, name, options, source.error)
        if dialect is None:
            continue
        block = LineBlock(block.data.split(b"\n", dialect.body_line - block.first_line)[-1], dialect.body_line)
        sample, ends, weights = block.data[:1024], [], []
        for part in chain([block], blocks):
            edges = parse(part, dialect, sample, source.error)
            ends += _compact(edges, dialect.integers)
            weights.append(edges.weight)
        if any(map(len, ends)):
            import pyarrow

            pyarrow.default_memory_pool().release_unused()
            return dialect, ends, weights
    raise source.no_edges()


read_csv, read_tsv = partial(read_edgelist, name="csv"), partial(read_edgelist, name="tsv")


def _compact(edges: Edges, integers: bool) -> list[Any]:
    """Return two columns in less memory: of 32 bits if that is enough, or of places in a dictionary of texts."""
    if integers:
        pairs = np.column_stack(edges[:2])
        narrow = pairs.astype(np.int32)
        return [narrow if np.array_equal(narrow, pairs) else pairs]
    import pyarrow

    return pyarrow.chunked_array(edges[:2]).dictionary_encode().chunks  # type: ignore[no-any-return]


def _without_words(ends: list[Any]) -> Array:
    """Replace columns of texts by one array of their places in an array of words, and return that."""
    import pyarrow

    chunks = pyarrow.chunked_array(ends).unify_dictionaries().chunks
    codes = [np.from_dlpack(chunk.indices) for chunk in chunks]
    ends[:] = [np.column_stack(columns) for columns in zip(codes[::2], codes[1::2], strict=True)]
    return np.array(chunks[0].dictionary.to_pylist(), dtype=object)


def write_edgelist(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write an edge list: two labels per line, and the weight if there is one."""
    texts, notes = write.one_line_texts(graph)
    separator = "\t" if any(map(_AMBIGUOUS.search, texts)) else " "
    words = write.quoted(texts, r'^["#%]|^//|\t|^[\s]|[\s]$')
    first = True
    for lines in write.edge_lines(graph, words, separator):
        if first and graph.nodes.dtype == object:
            block = LineBlock("".join(lines[: SAMPLE_ROWS + 1]).encode(), 1)
            dialect = detect_dialect(block, "edgelist", ReadOptions(), lambda message, line: ValueError(message))
            # The first edge would be taken for column names.
            if dialect is None or dialect.body_line > 1:
                stream.write(separator.join(_names(graph)).encode() + b"\n")
        first = False
        stream.write("".join(lines).encode())
    return notes + write.integer_note(graph, texts, "edgelist")


def _names(graph: Graph) -> list[str]:
    return ["source", "target"] + ([] if graph.weights is None else ["weight"])


def write_csv(graph: Graph, stream: IO[bytes], separator: str = ",", name: str = "csv") -> list[str]:
    """Write a table with columns source, target and weight."""
    texts, notes = write.one_line_texts(graph)
    stream.write((separator.join(_names(graph)) + "\n").encode())
    for lines in write.edge_lines(graph, write.quoted(texts, rf'["{separator}]|^\s|\s$'), separator):
        stream.write("".join(lines).encode())
    return notes + write.integer_note(graph, texts, name)


write_tsv = partial(write_csv, separator="\t", name="tsv")
