"""BREC's pairs of graphs, and when two tables of node signatures differ as multisets of rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from vnestruct.graph import GraphSet, graph_from_ids

CATEGORIES = {
    "basic": "basic", "regular": "regular", "str": "strongly regular", "extension": "extension", "cfi": "CFI",
    "4vtx": "4-vertex condition", "dr": "distance-regular",
}  # fmt: skip
"""The categories of Wang and Zhang (2024), by the name of their file."""

TOLERANCE = 1e-6

Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Pairs:
    """Graphs 2 i and 2 i + 1 are pair i; `categories` names the category of each pair."""

    graphs: GraphSet
    categories: list[str]

    def rows_of(self, table: Rows, graph: int) -> Rows:
        """Return the rows of one graph in a table of all nodes."""
        first, last = self.graphs.offsets[graph : graph + 2]
        return table[first:last]

    def separated(self, table: Rows, tolerance: float = TOLERANCE) -> list[int]:
        """Return the pairs whose graphs differ as multisets of rows."""
        return [
            pair
            for pair in range(len(self.categories))
            if differ(self.rows_of(table, 2 * pair), self.rows_of(table, 2 * pair + 1), tolerance)
        ]


def read_pairs(folder: Path, categories: list[str] | None = None) -> Pairs:
    """Return the pairs of all categories, or of some."""
    chosen = categories or list(CATEGORIES)
    names = [name for name in chosen for _ in networkx_graphs(folder, [name])]
    return Pairs(graph_set(networkx_graphs(folder, chosen)), names[::2])


def networkx_graphs(folder: Path, categories: list[str]) -> list[nx.Graph]:
    """Return the graphs of some categories, the two of a pair one after the other."""
    files = [folder / "brec" / f"{category}.g6pairs" for category in categories]
    return [nx.from_graph6_bytes(word.encode()) for file in files for word in file.read_text().split()]


def graph_set(graphs: list[nx.Graph]) -> GraphSet:
    """Return networkx graphs with nodes 0 to n - 1 as one set."""
    members = []
    for graph in graphs:
        edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 2)
        members.append(graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=len(graph)))
    return GraphSet.from_graphs(members)


def differ(left: Rows, right: Rows, tolerance: float = TOLERANCE) -> bool:
    """Return whether two tables are different multisets of rows.

    Values of a column that are closer than the tolerance, or linked by others that are, count as equal.
    """
    if left.shape != right.shape:
        return True
    both = np.vstack([left, right])
    codes = np.zeros(both.shape, dtype=np.int64)
    for column, values in enumerate(both.T):
        order = np.argsort(values, kind="stable")
        codes[order[1:], column] = np.cumsum(np.diff(values[order]) > tolerance)
    one, other = (part[np.lexsort(part.T)] for part in (codes[: len(left)], codes[len(left) :]))
    return not np.array_equal(one, other)


def permuted(graphs: GraphSet, chosen: list[int], seed: int) -> GraphSet:
    """Return copies of some graphs with their nodes in random order."""
    rng = np.random.default_rng(seed)
    copies = []
    for place in chosen:
        first, last = (int(bound) for bound in graphs.offsets[place : place + 2])
        graph = graphs.graph
        degrees = np.diff(graph.indptr[first : last + 1])
        source = np.repeat(np.arange(last - first), degrees)
        target = graph.indices[graph.indptr[first] : graph.indptr[last]] - first
        order = rng.permutation(last - first)
        copies.append(graph_from_ids(order[source], order[target], n_nodes=last - first))
    return GraphSet.from_graphs(copies)
