"""What is said of each node of a graph, and of its neighbourhood: columns of structure."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy import sparse

from vnestruct.embedding.embed_graph import embed
from vnestruct.embedding.named_kinds import core_numbers
from vnestruct.embedding.parameters import KINDS, NAMED_KINDS, settings_from
from vnestruct.errors import ParameterError
from vnestruct.graph import OUT, Graph
from vnestruct.types import Array, OffsetArray, ValueArray

_DAMPING, _PRECISION = 0.85, 1e-10  # of PageRank: share of steps along edges, and largest error of the sum
_ARCS = 1 << 15  # entries of the rows whose neighbours are looked up at once

SENTENCES = {
    "degree": "number of neighbours",
    "triangles": "number of links between neighbours",
    "clustering": "share of pairs of neighbours that are linked",
    "core": "core number: the largest k such that the node is in a group where all have at least k links to each other",
    "pagerank": "PageRank: how often a random walk with restarts comes by",
    "size": "logarithm of the number of nodes of the 1-ball, the node and its neighbours",
    "collision": "Renyi entropy of order 2 of the 1-ball",
    "least": "smallest Renyi entropy of the 1-ball: low where one node holds all links",
    "quadratic": "quadratic entropy of the 1-ball",
    "h1": "approximate Von Neumann entropy of the 1-ball",
    "out_count": "number of earlier edges from the node",
    "in_count": "number of earlier edges to the node",
    "since_last": "time since the latest edge of the node, in seconds if times are dates",
}
"""The measures and what each says."""

PAIR_SENTENCES = {
    "common_neighbours": "number of common neighbours of the two nodes",
    "jaccard": "common neighbours as a share of all neighbours of the two nodes",
    "seen_before": "whether the two nodes are linked",
    "since_pair": "time since the latest edge between the two nodes, in seconds if times are dates",
}

_LATE = ("out_count", "in_count", "since_last")
STATIC = tuple(name for name in SENTENCES if name not in _LATE)
IN_TIME = tuple(name for name in SENTENCES if name not in ("core", "pagerank"))


def ball_measures(nodes: ValueArray, edges: ValueArray, quadratic: ValueArray, h1: ValueArray) -> dict[str, ValueArray]:
    """Return the measures of 1-balls, from their numbers of nodes and edges and two entropies."""
    degree = nodes - 1.0
    triangles = edges - degree
    # H_hat is Q times the least entropy. Q is 0 only for one edge or none, where all entropies are 0.
    least = h1 / np.where(quadratic > 0.0, quadratic, 1.0)
    return {
        "degree": degree, "triangles": triangles,
        "clustering": triangles / np.maximum(degree * (degree - 1.0) / 2.0, 1.0),
        "size": np.log1p(degree), "collision": -np.log1p(-quadratic) + 0.0, "least": least,
        "quadratic": quadratic, "h1": h1,
    }  # fmt: skip


def checked_measures(measures: str | Iterable[str], *, in_time: bool) -> list[str]:
    """Return the names of measures and kinds to compute, without repetition."""
    known = IN_TIME if in_time else STATIC
    kinds: tuple[str, ...] = () if in_time else (*KINDS, *NAMED_KINDS)
    names = list(known) if measures == "auto" else [measures] if isinstance(measures, str) else list(measures)
    for name in names:
        if name not in known and name not in kinds:
            late = " at a point in time" if in_time else ""
            raise ParameterError(f"`measures`{late} are {', '.join((*known, *kinds))}, not {name!r}")
    return list(dict.fromkeys(names))


def structure(
    graph: Graph, measures: list[str], steps: int, radius: int, direction: str, weighted: bool, n_jobs: int | None,
    progress: Any = False,
) -> tuple[dict[str, str], ValueArray]:  # fmt: skip
    """Return measures and their moments over neighbours, `steps` times: what they say, and their values."""
    columns: dict[str, ValueArray] = {}
    sentences: dict[str, str] = {}
    for name in measures:
        if name not in STATIC or (name in KINDS and radius > 1):
            options: dict[str, Any] = {"kind": name, "direction": direction, "weighted": weighted}
            size = None if name in NAMED_KINDS else radius
            rows = embed(graph, size, n_jobs=n_jobs, progress=progress, **options)
            named = settings_from(size, options).on(graph).columns
            columns |= dict(zip(named, rows.T, strict=True))
            sentences |= {column: f"column {column} of kind {name}" for column in named}
            continue
        if name not in columns:
            columns |= _measured(graph, name, n_jobs)
        sentences[name] = SENTENCES[name]
    groups = [np.column_stack([np.empty((graph.n_nodes, 0)), *(columns[name] for name in sentences)])]
    for _ in range(steps):
        groups.append(moments(graph, groups[-1]))
    # Column by column, as they are read.
    values = np.empty((graph.n_nodes, sum(group.shape[1] for group in groups)), order="F")
    np.concatenate(groups, axis=1, out=values)
    return with_moments(sentences, steps), values


def _measured(graph: Graph, name: str, n_jobs: int | None) -> dict[str, ValueArray]:
    """Return a measure of all nodes, and those that are found with it."""
    if name == "core":
        return {name: core_numbers(graph).astype(np.float64)}
    if name == "pagerank":
        return {name: page_rank(graph)}
    h1, nodes, edges, _, quadratic, _ = embed(graph, radius=1, kind=("approx", "sizes"), n_jobs=n_jobs).T
    return ball_measures(nodes, edges, quadratic, h1)


def with_moments(sentences: dict[str, str], steps: int) -> dict[str, str]:
    """Return columns and their moments over neighbours, in order, and what each says."""
    found, last = dict(sentences), sentences
    for _ in range(steps):
        last = {
            f"{moment}_{name}": f"{words} over the neighbours of: {sentence}"
            for moment, words in (("mean", "mean"), ("std", "standard deviation"))
            for name, sentence in last.items()
        }
        found |= last
    return found


def moments(graph: Graph, values: ValueArray) -> ValueArray:
    """Return mean and deviation of each column over the neighbours that have a value; NaN where none has."""
    n_columns = values.shape[1]
    found = np.full((graph.n_nodes, 2 * n_columns), np.nan)
    linked = np.flatnonzero(graph.degrees)
    # Some rows at a time: one value per arc and column is too much for a large graph.
    for rows in np.split(linked, np.flatnonzero(np.diff(graph.indptr[linked] // _ARCS)) + 1):
        if rows.size:
            begin, degrees = graph.indptr[rows[0]], graph.degrees[rows]
            starts = graph.indptr[rows] - begin
            near = values[graph.indices[begin : begin + degrees.sum()]]
            is_present = ~np.isnan(near)
            counts = np.add.reduceat(is_present, starts, axis=0, dtype=np.float64)
            counts[counts == 0.0] = np.nan
            means = np.add.reduceat(np.where(is_present, near, 0.0), starts, axis=0) / counts
            gaps = np.where(is_present, near - np.repeat(means, degrees, axis=0), 0.0)
            found[rows, :n_columns] = means
            found[rows, n_columns:] = np.sqrt(np.add.reduceat(gaps * gaps, starts, axis=0) / counts)
    return found


def page_rank(graph: Graph) -> ValueArray:
    """Return PageRank, along the edges of a directed graph; the sum over all nodes is 1."""
    n_nodes = graph.n_nodes
    if n_nodes == 0:
        return np.empty(0)
    along = np.ones(graph.indices.size) if graph.directions is None else (graph.directions & OUT > 0).astype(np.float64)
    steps = sparse.csr_array((along, graph.indices, graph.indptr), shape=(n_nodes, n_nodes))
    out = np.asarray(steps.sum(axis=1)).ravel()
    into = steps.T.tocsr() if graph.directed else steps
    share = np.divide(1.0, out, out=np.zeros(n_nodes), where=out > 0.0)
    rank = (1.0 + into.sum(axis=1)) / (n_nodes + along.sum())
    while True:
        new = _DAMPING * (into @ (rank * share))
        new += (1.0 - new.sum()) / n_nodes
        error = float(np.abs(new - rank).sum()) * _DAMPING / (1.0 - _DAMPING)
        rank = new
        if error < _PRECISION:
            return np.asarray(rank)


def pair_measures(graph: Graph, left: OffsetArray, right: OffsetArray) -> dict[str, ValueArray]:
    """Return what is said of pairs of nodes; missing values where an end is unknown, -1."""
    links = sparse.csr_array((np.ones(graph.indices.size), graph.indices, graph.indptr), shape=(graph.n_nodes,) * 2)
    common, linked = np.full((2, left.size), np.nan)
    known = np.flatnonzero((left >= 0) & (right >= 0))
    for part in np.array_split(known, 1 + known.size // 100_000):
        common[part] = links[left[part]].multiply(links[right[part]]).sum(axis=1)
        linked[part] = np.asarray(links[left[part], right[part]]).ravel()
    degrees = np.append(graph.degrees, 0)
    return described_pairs(degrees[left], degrees[right], common, linked)


def described_pairs(left: Array, right: Array, common: ValueArray, linked: ValueArray) -> dict[str, ValueArray]:
    """Return the columns of pairs, from the degrees of both ends and what they have in common."""
    union = left + right - common
    jaccard = np.divide(common, union, out=0.0 * common, where=union > 0)
    return {"common_neighbours": common, "jaccard": jaccard, "seen_before": linked}


def taken_rows(matrix: ValueArray, rows: OffsetArray) -> list[ValueArray]:
    """Return the columns of some rows of a matrix, NaN for row -1."""
    unknown = rows < 0
    columns = []
    for column in matrix.T:
        found = column[rows] if matrix.shape[0] else np.empty(rows.size)
        found[unknown] = np.nan
        columns.append(found)
    return columns
