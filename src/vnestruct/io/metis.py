"""METIS graphs: a line with the numbers of nodes and edges, then the neighbours of each node on its line."""

import math
from array import array
from itertools import pairwise
from typing import IO, NamedTuple

import numpy as np

from vnestruct.graph import Graph, graph_from_ids, without_directions
from vnestruct.graph.columns import ignores_weights
from vnestruct.io.delimited import number_of
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import losses
from vnestruct.types import Offset, OffsetArray, Value, ValueArray


class _Header(NamedTuple):
    n_nodes: int
    n_edges: int
    n_skipped: int
    weighted: bool


def read_metis(source: Source, options: ReadOptions) -> Graph:
    """Read a METIS file. Labels are the line numbers 1..n that the format counts by."""
    header: _Header | None = None
    tails, heads, lines, weights = array("q"), array("q"), array("q"), array("d")
    for block in source.blocks():
        for number, line in enumerate(block.data.split(b"\n")[:-1], block.first_line):
            words = line.split()
            if line.lstrip().startswith(b"%"):
                continue
            # A blank line below the first is a node without neighbours.
            if header is None:
                header = _read_header(source, words, number) if words else None
            elif len(lines) < header.n_nodes:
                neighbours, values = _read_neighbours(source, header, words[header.n_skipped :], number)
                lines.append(number)
                heads.extend(neighbours)
                tails.extend([len(lines)] * len(neighbours))
                weights.extend(values)
            elif words:
                wrong = f"more lines than the {header.n_nodes} nodes declared; correct the first line"
                raise source.error(wrong, number)
    if header is None:
        raise source.error("no edges, only blank lines and comments; check the program that wrote it")
    source.check_declared(header.n_nodes)
    if len(lines) < header.n_nodes and len(tails) < 2 * header.n_edges:
        wrong = f"{len(lines)} lines of neighbours for {header.n_nodes} nodes; "
        raise source.error(wrong + "the file was cut short, write it again")
    rows, columns = (np.frombuffer(ends, dtype=Offset) - 1 for ends in (tails, heads))
    data = np.frombuffer(weights, dtype=Value) if header.weighted else np.ones(rows.size)
    up = _check_mutual(source, rows, columns, data, lines)
    n_loops = np.count_nonzero(rows == columns)
    if (len(tails) - n_loops) // 2 != header.n_edges and len(tails) != 2 * header.n_edges:
        wrong = f"{up.size} edges where the first line declares {header.n_edges}; correct the first line"
        raise source.error(wrong)
    rows, columns = rows[up], columns[up]
    kept = data[up] if header.weighted and not ignores_weights(options.weight) else None
    if options.directed:
        rows, columns = np.concatenate([rows, columns]), np.concatenate([columns, rows])
        kept = None if kept is None else np.concatenate([kept, kept])
    labels = np.arange(1, header.n_nodes + 1)
    return graph_from_ids(rows, columns, kept, n_nodes=header.n_nodes, nodes=labels, directed=bool(options.directed))


def _read_header(source: Source, words: list[bytes], number: int) -> _Header:
    if not 2 <= len(words) <= 4 or not all(word.isdigit() and len(word) < 19 for word in words):
        wrong = "the first line must be the numbers of nodes and edges, then the METIS format code if any"
        raise source.error(wrong, number)
    code = words[2].decode("ascii").rjust(3, "0") if len(words) > 2 else "000"
    if len(code) > 3 or set(code) - {"0", "1"}:
        raise source.error(f"unknown METIS format code {shown(code)}; it must be 0, 1, 10, 11, 100 ...", number)
    n_weights = int(words[3]) if len(words) > 3 else 1
    n_skipped = int(code[0]) + (n_weights if code[1] == "1" else 0)
    return _Header(int(words[0]), int(words[1]), n_skipped, code[2] == "1")


def _read_neighbours(source: Source, header: _Header, words: list[bytes], number: int) -> tuple[list[int], list[float]]:
    """Return the neighbours on a line, and their weights if there are any."""
    for word in words[::2] if header.weighted else words:
        if not word.isdigit() or not 1 <= int(word) <= header.n_nodes:
            wrong = f"{shown(word)} is not a node from 1 to {header.n_nodes}; correct it, or the first line"
            raise source.error(wrong, number)
    if not header.weighted:
        return [int(word) for word in words], []
    if len(words) % 2:
        raise source.error("a neighbour without a weight; write them in pairs", number)
    weights = []
    for word in words[1::2]:
        value = number_of(word)
        if value is None or value < 0 or not math.isfinite(value):
            raise source.error(f"the weight {shown(word)} is not a finite number from 0; fix it", number)
        weights.append(value)
    return [int(word) for word in words[::2]], weights


def _check_mutual(
    source: Source, tails: OffsetArray, heads: OffsetArray, weights: ValueArray, lines: "array[int]"
) -> OffsetArray:
    """Return the places of the edges from a node to a larger one; the others must be the same edges again."""
    up, down = np.flatnonzero(tails < heads), np.flatnonzero(tails > heads)
    up = up[np.lexsort((weights[up], heads[up], tails[up]))]
    down = down[np.lexsort((weights[down], tails[down], heads[down]))]
    n_both = min(up.size, down.size)
    first, second = up[:n_both], down[:n_both]
    same = (tails[first] == heads[second]) & (heads[first] == tails[second]) & (weights[first] == weights[second])
    if up.size == down.size and same.all():
        return up
    place = int(np.argmin(same)) if not same.all() else n_both
    # Of the two candidates, the smaller edge is the one without its reverse.
    candidates = [(tails[up[place]], heads[up[place]], up[place])] if place < up.size else []
    candidates += [(heads[down[place]], tails[down[place]], down[place])] if place < down.size else []
    entry = min(candidates)[2]
    tail, head = int(tails[entry]) + 1, int(heads[entry]) + 1
    wrong = f"node {tail} lists {head}, but {head} does not list {tail} with the same weight; "
    raise source.error(wrong + "METIS graphs are undirected, list every edge on both lines", lines[tail - 1])


def write_metis(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a METIS graph: nodes 1..n, their neighbours line by line."""
    notes = losses(graph, "labels")
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
