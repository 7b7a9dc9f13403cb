"""The one thing that threads write and share: the largest eigenvalue of a component that some ball was found to be.

`Plan.components` says why that is harmless. Here many threads race for the same cells, many times over.
"""

from __future__ import annotations

import numpy as np
import pytest

from tests.embedding.test_bits import cut_differently
from tests.graphs import blown_up, disjoint_union, random_graphs, weighted_copy
from vnestruct import embed
from vnestruct.embedding import tasks
from vnestruct.graph import synthetic

MANY_SMALL = disjoint_union(*(graph for _, graph in random_graphs(30, seed=77)))
CASES = {
    "many components": (MANY_SMALL, False),
    "one component": (synthetic.barabasi_albert(60, 2, seed=3), False),
    "twins": (blown_up(synthetic.barabasi_albert(25, 2, seed=3), seed=1), False),
    "weights": (weighted_copy(MANY_SMALL, seed=1), True),
}
RADIUS = 6


@pytest.fixture(autouse=True)
def _no_short_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small work would stay in the calling thread."""
    monkeypatch.setattr(tasks, "_SHORT_COST", 0.0)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.full)])
def test_many_threads_many_times(name: str, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, weighted = CASES[name]
    chosen = np.random.default_rng(1).permutation(graph.n_nodes)[:150]
    expected = np.vstack([embed(graph, RADIUS, nodes=[node], n_jobs=1, weighted=weighted) for node in chosen])
    cut_differently(monkeypatch, max_items=1)
    for time in range(times):
        rows = embed(graph, RADIUS, n_jobs=8, weighted=weighted)
        assert rows[chosen].tobytes() == expected.tobytes(), f"{name}, time {time}"
