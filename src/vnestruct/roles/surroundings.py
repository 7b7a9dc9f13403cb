"""Plain facts about every node: how many neighbours, how many of them know each other, how large they are."""

from __future__ import annotations

import numpy as np

from vnestruct.graph import Graph
from vnestruct.types import OffsetArray, ValueArray


def triangle_counts(graph: Graph) -> OffsetArray:
    """Return the number of triangles through each node; directions and weights do not matter.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import clique
    >>> triangle_counts(clique(4)).tolist()
    [3, 3, 3, 3]
    """
    from vnestruct.kernels import closed_form, ranking, triangles

    rank, node = ranking.rank_by_degree(graph.indptr)
    rank.flags.writeable = node.flags.writeable = False
    rows = ranking.upward_rows(graph.indptr, graph.indices, rank, node)
    for array in rows:
        # Kernels compile for read-only arrays.
        array.flags.writeable = False
    split = rows[2]
    count = np.zeros(rows[1].size, np.int32)
    mark = np.zeros(split.size, np.int32)
    local = np.zeros(int(split.max(initial=0)) + 1, np.int32)
    triangles.count_triangles(*rows, 0, split.size, mark, local, count, True, np.zeros(1, np.uint8))
    twice, _ = closed_form.ball_sums(*rows, count)
    by_node: OffsetArray = twice[rank] // 2
    return by_node


def clustering_coefficients(graph: Graph) -> ValueArray:
    """Return the share of pairs of neighbours that are joined; 0 for a node with fewer than two neighbours.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import barbell
    >>> clustering_coefficients(barbell(4, 1)).round(3).tolist()
    [1.0, 1.0, 1.0, 0.5, 0.0, 0.5, 1.0, 1.0, 1.0]
    """
    degrees = graph.degrees.astype(np.float64)
    pairs = degrees * (degrees - 1.0) / 2.0
    return triangle_counts(graph) / np.maximum(pairs, 1.0)


def neighbour_degrees(graph: Graph) -> ValueArray:
    """Return the mean degree of each node's neighbours; 0 without neighbours.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> neighbour_degrees(star(3)).tolist()
    [1.0, 3.0, 3.0, 3.0]
    """
    owner = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    sums = np.bincount(owner, graph.degrees[graph.indices], minlength=graph.n_nodes)
    means: ValueArray = sums / np.maximum(graph.degrees, 1)
    return means
