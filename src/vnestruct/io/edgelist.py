"""Edge lists, and tables of edges in text: the door for columns."""

from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from vnestruct.graph import Graph
from vnestruct.graph.build import graph_from_columns
from vnestruct.io.delimited import Dialect, Edges, detect_dialect, parse
from vnestruct.io.source import LineBlock, ReadOptions, Source
from vnestruct.types import Array


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
        ends, weights = [], []
        for part in chain([block], blocks):
            edges = parse(part, dialect, source.error)
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
