"""A toy format: one edge per line, written ``a--b``."""

from __future__ import annotations

from typing import IO

import numpy as np

from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.io.source import ReadOptions, Source


def read_dashes(source: Source, options: ReadOptions) -> Graph:
    """Read a graph."""
    pairs = []
    for number, line in enumerate(source.content().decode().splitlines(), 1):
        ends = line.split("--")
        if len(ends) != 2:
            raise source.error("expected two labels with -- in between; fix the line", number)
        pairs.append(ends)
    return graph_from_pairs(*zip(*pairs, strict=True))


def write_dashes(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a graph; say what the format cannot store."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    for u, v in zip(rows.tolist(), graph.indices.tolist(), strict=True):
        if u <= v:
            stream.write(f"{graph.nodes[u]}--{graph.nodes[v]}\n".encode())
    return ["isolated nodes are left out"] if (graph.degrees == 0).any() else []
