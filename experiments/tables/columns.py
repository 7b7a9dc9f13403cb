"""Sets of columns to compare: a table's own, the reference design of tabular work on graphs, and ours."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from experiments.tables.data import NodeTable
from scipy import sparse
from scipy.sparse.linalg import eigsh

from vnestruct import Graph, as_graph, features
from vnestruct.columns.measures import page_rank

EIGENVECTORS = 16
PLAIN = ["degree", "triangles", "clustering", "core", "pagerank"]
ENTROPIES = ["size", "collision", "least", "quadratic", "h1"]


def graph_of(table: NodeTable) -> Graph:
    """Return the graph of a table; its nodes are 0, 1, ..., isolated ones among them."""
    n_nodes = len(table.own)
    ones = np.ones(len(table.edges))
    matrix = sparse.coo_array((ones, (table.edges[:, 0], table.edges[:, 1])), shape=(n_nodes, n_nodes)).tocsr()
    matrix = ((matrix + matrix.T) > 0).astype(float)
    return as_graph(matrix)


def extremes(graph: Graph, own: pd.DataFrame) -> pd.DataFrame:
    """Return mean, largest and smallest of each own column over the neighbours."""
    rows = graph.degrees > 0
    found = {}
    for name in own:
        near = own[name].to_numpy(float)[graph.indices]
        starts = graph.indptr[:-1][rows]
        for moment, reduce in (("mean", np.add), ("max", np.maximum), ("min", np.minimum)):
            values = np.full(graph.n_nodes, np.nan)
            values[rows] = reduce.reduceat(near, starts) / (graph.degrees[rows] if moment == "mean" else 1)
            found[f"{moment}_{name}"] = values
    return pd.DataFrame(found)


def positions(graph: Graph) -> pd.DataFrame:
    """Return degree, PageRank and eigenvectors of the normalised Laplacian to its smallest eigenvalues but one."""
    scale = 1.0 / np.sqrt(np.maximum(graph.degrees, 1))
    data = (scale[graph.sources] * scale[graph.indices]).astype(float)
    near = sparse.csr_array((data, graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    start = np.random.default_rng(0).standard_normal(graph.n_nodes)
    values, vectors = eigsh(near, k=EIGENVECTORS + 1, which="LA", v0=start)
    vectors = vectors[:, np.argsort(-values)[1:]]
    named = {f"eigenvector_{i}": column for i, column in enumerate(vectors.T)}
    return pd.DataFrame({"degree": graph.degrees, "pagerank": page_rank(graph), **named})


def ours(graph: Graph, own: pd.DataFrame, measures: list[str] | str = "auto", steps: int = 2) -> pd.DataFrame:
    """Return the own columns, and ours behind."""
    rows = own.assign(id=np.arange(len(own)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return features(graph, rows, key="id", measures=measures, steps=steps).drop(columns="id")


def column_sets() -> dict[str, Callable[[Graph, pd.DataFrame], pd.DataFrame]]:
    """Return how each set of columns is made from a graph and a table's own columns."""
    nothing = lambda graph, own: own  # noqa: E731
    return {
        "own": nothing,
        "neighbours": lambda graph, own: pd.concat([own, extremes(graph, own)], axis=1),
        "reference": lambda graph, own: pd.concat([own, extremes(graph, own), positions(graph)], axis=1),
        "positions alone": lambda graph, own: positions(graph),
        "own, twice": lambda graph, own: ours(graph, own, []),
        "structure alone": lambda graph, own: ours(graph, own, "auto").drop(columns=list(ours(graph, own, []))),
        "plain": lambda graph, own: ours(graph, own, PLAIN),
        "entropies": lambda graph, own: ours(graph, own, ENTROPIES),
        "one step": lambda graph, own: ours(graph, own, "auto", 1),
        "ours": lambda graph, own: ours(graph, own, "auto"),
        "ours and eigenvectors": lambda graph, own: pd.concat(
            [ours(graph, own), positions(graph).iloc[:, 2:]], axis=1
        ),
    }  # fmt: skip
