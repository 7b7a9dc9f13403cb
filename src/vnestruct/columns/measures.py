"""What is said of each node of a graph, and of its neighbourhood: columns of structure."""

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import sparse

from vnestruct.embedding.embed_graph import embed
from vnestruct.embedding.named_kinds import core_numbers
from vnestruct.embedding.neighbours import neighbour_moments
from vnestruct.embedding.parameters import AGGREGATES, KINDS, NAMED_KINDS, settings_from
from vnestruct.errors import ParameterError
from vnestruct.graph import OUT, Graph
from vnestruct.types import Array, OffsetArray, ValueArray

_DAMPING, _PRECISION = 0.85, 1e-10  # of PageRank: share of steps along edges, and largest error of the sum

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

STATIC = ("degree", "triangles", "clustering", "core", "pagerank", "size", "collision", "least", "quadratic", "h1")
IN_TIME = tuple(name for name in SENTENCES if name not in ("core", "pagerank"))
OF_BALLS = ("degree", "triangles", "clustering", "size", "collision", "least", "quadratic", "h1")


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
    kinds = [name for name in measures if name in KINDS and (name not in STATIC or radius > 1)]
    kinds += [name for name in measures if name in NAMED_KINDS]
    balls: Mapping[str, ValueArray] = {}
    if not set(OF_BALLS).isdisjoint(set(measures) - set(kinds)):
        h1, nodes, edges, _, quadratic, _ = embed(graph, radius=1, kind=("approx", "sizes"), n_jobs=n_jobs).T
        balls = ball_measures(nodes, edges, quadratic, h1)
    columns: dict[str, ValueArray] = {}
    sentences: dict[str, str] = {}
    for name in measures:
        if name in kinds:
            options: dict[str, Any] = {"kind": name, "direction": direction, "weighted": weighted}
            size = None if name in NAMED_KINDS else radius
            rows = embed(graph, size, n_jobs=n_jobs, progress=progress, **options)
            found = dict(zip(settings_from(size, options).on(graph).columns, rows.T, strict=True))
            sentences |= {column: f"column {column} of kind {name}" for column in found}
            columns |= found
            continue
        sentences[name] = SENTENCES[name]
        if name == "core":
            columns[name] = core_numbers(graph).astype(np.float64)
        else:
            columns[name] = page_rank(graph) if name == "pagerank" else balls[name]
    width = len(columns)
    values = np.empty((graph.n_nodes, width * (2 ** (steps + 1) - 1)))
    for i, name in enumerate(list(columns)):
        values[:, i] = columns.pop(name)
    begin = 0
    for _ in range(steps):
        before = np.ascontiguousarray(values[:, begin : begin + width])
        begin += width
        width *= 2
        _fill_moments(graph, before, values[:, begin : begin + width], n_jobs)
    return with_moments(sentences, steps), values


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


def _fill_moments(graph: Graph, values: ValueArray, moments: ValueArray, n_jobs: int | None) -> None:
    """Fill mean and deviation over neighbours of each column, some rows at a time."""
    n_parts = 1 + graph.n_nodes // 50_000
    edges = np.linspace(0, graph.n_nodes, n_parts + 1).astype(np.int64)

    def fill(begin: int, end: int) -> None:
        moments[begin:end] = neighbour_moments(graph, values, AGGREGATES, np.arange(begin, end))

    with ThreadPoolExecutor(workers(n_jobs)) as threads:
        list(threads.map(fill, edges[:-1].tolist(), edges[1:].tolist()))


def workers(n_jobs: int | None) -> int:
    """Return a number of threads."""
    from vnestruct.execute import resolve_n_jobs

    return resolve_n_jobs(n_jobs)


def present_moments(graph: Graph, values: ValueArray) -> ValueArray:
    """Return mean and deviation of each column over neighbours where it is present; NaN where it is in none."""
    n_columns = values.shape[1]
    moments = np.full((graph.n_nodes, 2 * n_columns), np.nan)
    rows = np.flatnonzero(graph.degrees)
    # Some rows at a time: one value per arc and column is too much for a large graph.
    cuts = np.flatnonzero(np.diff(graph.indptr[rows] // 1_000_000, prepend=0, append=-1))
    for begin, end in zip(np.append(0, cuts[:-1]), cuts, strict=True):
        part = rows[begin:end]
        if not part.size:
            continue
        first, last = graph.indptr[part[0]], graph.indptr[part[-1] + 1]
        starts, degrees = graph.indptr[part] - first, graph.degrees[part]
        found = values[graph.indices[first:last]]
        is_present = ~np.isnan(found)
        counts = np.add.reduceat(is_present, starts, axis=0, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            means = np.add.reduceat(np.where(is_present, found, 0.0), starts, axis=0) / counts
            gaps = np.where(is_present, found - np.repeat(means, degrees, axis=0), 0.0)
            moments[part, :n_columns] = means
            moments[part, n_columns:] = np.sqrt(np.add.reduceat(gaps * gaps, starts, axis=0) / counts)
    return moments


def page_rank(graph: Graph) -> ValueArray:
    """Return PageRank, along the edges of a directed graph; the sum over all nodes is 1."""
    n_nodes = graph.n_nodes
    if n_nodes == 0:
        return np.empty(0)
    along = np.ones(graph.indices.size) if graph.directions is None else (graph.directions & OUT > 0).astype(np.float64)
    steps = sparse.csr_array((along, graph.indices, graph.indptr), shape=(n_nodes, n_nodes))
    out = np.asarray(steps.sum(axis=1)).ravel()
    into = steps.T.tocsr() if graph.directed else steps
    rank = (1.0 + into.sum(axis=1)) / (n_nodes + along.sum())
    while True:
        share = np.divide(rank, out, out=np.zeros(n_nodes), where=out > 0.0)
        new = _DAMPING * (into @ share)
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
