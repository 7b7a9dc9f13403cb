"""METIS graphs: a line with the numbers of nodes and edges, then the neighbours of each node on its line."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from itertools import pairwise
from typing import IO

import numpy as np

from vnestruct.graph import Graph, graph_from_ids, without_directions
from vnestruct.graph.columns import ignores_weights
from vnestruct.io.delimited import number_of
from vnestruct.io.source import ReadOptions, Source, shown
from vnestruct.io.write import numbering_note
from vnestruct.types import Offset, OffsetArray, Value, ValueArray


@dataclass(frozen=True)
class _Header:
    n_nodes: int
    n_edges: int
    n_skipped: int
    weighted: bool


def read_metis(source: Source, options: ReadOptions) -> Graph:
    """Read a METIS file. Labels are the line numbers 1..n that the format counts by."""
    reader = _MetisReader(source)
    for block in source.blocks():
        for number, line in enumerate(block.data.split(b"\n")[:-1], block.first_line):
            # A blank line is a node without neighbours.
            if not line.lstrip().startswith(b"%"):
                reader.take(line.split(), number)
    return reader.graph(options)


class _MetisReader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._header: _Header | None = None
        self._n_lines = 0
        self._tails, self._heads, self._lines = array("q"), array("q"), array("q")
        self._weights = array("d")

    def take(self, words: list[bytes], number: int) -> None:
        if self._header is None:
            if words:
                self._header = self._read_header(words, number)
            return
        self._n_lines += 1
        header = self._header
        if self._n_lines > header.n_nodes:
            if words:
                raise self._source.error(
                    f"more lines than the {header.n_nodes} nodes declared; correct the first line", number
                )
            return
        words = words[header.n_skipped :]
        heads = words[::2] if header.weighted else words
        for word in heads:
            if not word.isdigit() or not 1 <= int(word) <= header.n_nodes:
                raise self._source.error(
                    f"{shown(word)} is not a node from 1 to {header.n_nodes}; correct it, or the first line",
                    number,
                )
        if header.weighted:
            if len(words) % 2:
                raise self._source.error("a neighbour without a weight; write them in pairs", number)
            self._weights.extend(self._weight(word, number) for word in words[1::2])
        self._heads.extend(map(int, heads))
        self._tails.extend([self._n_lines] * len(heads))
        self._lines.append(number)

    def graph(self, options: ReadOptions) -> Graph:
        header = self._header
        if header is None:
            raise self._source.error("no edges, only blank lines and comments; check the program that wrote it")
        self._source.check_declared(header.n_nodes)
        tails, heads = (np.frombuffer(column, dtype=Offset) - 1 for column in (self._tails, self._heads))
        if self._n_lines < header.n_nodes and tails.size < 2 * header.n_edges:
            raise self._source.error(
                f"{self._n_lines} lines of neighbours for {header.n_nodes} nodes; "
                "the file was cut short, write it again"
            )
        weights = np.frombuffer(self._weights, dtype=Value) if header.weighted else np.ones(tails.size)
        up, down = np.flatnonzero(tails < heads), np.flatnonzero(tails > heads)
        up = up[np.lexsort((weights[up], heads[up], tails[up]))]
        down = down[np.lexsort((weights[down], tails[down], heads[down]))]
        self._check_mutual(tails, heads, weights, up, down)
        if (tails.size - np.count_nonzero(tails == heads)) // 2 != header.n_edges and tails.size != 2 * header.n_edges:
            raise self._source.error(
                f"{up.size} edges where the first line declares {header.n_edges}; correct the first line"
            )
        kept = weights[up] if header.weighted and not ignores_weights(options.weight) else None
        ends = (tails[up], heads[up])
        if options.directed:
            ends = (np.concatenate(ends), np.concatenate(ends[::-1]))
            kept = None if kept is None else np.concatenate([kept, kept])
        labels = np.arange(1, header.n_nodes + 1)
        return graph_from_ids(*ends, kept, n_nodes=header.n_nodes, nodes=labels, directed=bool(options.directed))

    def _check_mutual(
        self, tails: OffsetArray, heads: OffsetArray, weights: ValueArray, up: OffsetArray, down: OffsetArray
    ) -> None:
        n_both = min(up.size, down.size)
        first, second = up[:n_both], down[:n_both]
        same = (tails[first] == heads[second]) & (heads[first] == tails[second]) & (weights[first] == weights[second])
        if up.size == down.size and same.all():
            return
        place = int(np.argmin(same)) if not same.all() else n_both
        # Of the two candidates, the smaller edge is the one without its reverse.
        candidates = [(tails[up[place]], heads[up[place]], up[place])] if place < up.size else []
        candidates += [(heads[down[place]], tails[down[place]], down[place])] if place < down.size else []
        entry = min(candidates)[2]
        tail, head = int(tails[entry]) + 1, int(heads[entry]) + 1
        raise self._source.error(
            f"node {tail} lists {head}, but {head} does not list {tail} with the same weight; "
            "METIS graphs are undirected, list every edge on both lines",
            self._lines[tail - 1],
        )

    def _read_header(self, words: list[bytes], number: int) -> _Header:
        if not 2 <= len(words) <= 4 or not all(word.isdigit() and len(word) < 19 for word in words):
            raise self._source.error(
                "the first line must be the numbers of nodes and edges, then the METIS format code if any",
                number,
            )
        code = words[2].decode("ascii").rjust(3, "0") if len(words) > 2 else "000"
        if len(code) > 3 or set(code) - {"0", "1"}:
            raise self._source.error(
                f"unknown METIS format code {shown(code)}; it must be 0, 1, 10, 11, 100 ...", number
            )
        n_weights = int(words[3]) if len(words) > 3 else 1
        n_skipped = int(code[0]) + (n_weights if code[1] == "1" else 0)
        n_nodes, n_edges = int(words[0]), int(words[1])
        return _Header(n_nodes, n_edges, n_skipped, code[2] == "1")

    def _weight(self, word: bytes, number: int) -> float:
        value = number_of(word)
        if value is None or value < 0 or not math.isfinite(value):
            raise self._source.error(f"the weight {shown(word)} is not a finite number from 0; fix it", number)
        return value


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
