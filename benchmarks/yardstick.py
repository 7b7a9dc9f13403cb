"""How close to C is radius 1? igraph's local clustering coefficients need the same triangle counts.

Both start from a graph in memory and return one number per node; one thread each, in alternation.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.harness import compare
from vnestruct import embed
from vnestruct.graph import Graph

REPEATS = 7


def against_igraph(graph: Graph, repeats: int = REPEATS) -> dict[str, Any]:
    """Time `embed` at radius 1 and `transitivity_local_undirected`, on one thread each, in alternation."""
    import igraph  # the only benchmark that needs it

    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    once = rows < graph.indices
    pairs = np.column_stack([rows[once], graph.indices[once]])
    other = igraph.Graph(n=graph.n_nodes, edges=pairs.tolist())
    timings = compare(
        {
            "ours": lambda: embed(graph, 1, n_jobs=1),
            "igraph": lambda: other.transitivity_local_undirected(mode="zero"),
        },
        repeats=repeats,
        once_above=float("inf"),
    )
    return {
        "ours": timings["ours"].as_dict(),
        "igraph": timings["igraph"].as_dict(),
        "ratio": timings["ours"].best / timings["igraph"].best,
    }
