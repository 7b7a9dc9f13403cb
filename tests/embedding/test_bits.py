"""The same bits whatever the threads, the blocks, their order, the nodes asked for, or an interruption in between."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from tests.graphs import ZOO, blown_up, directed_copy, disjoint_union, random_graphs, weighted_copy
from vnestruct import Graph, embed
from vnestruct.embedding import backends, tasks
from vnestruct.embedding import plan as planning
from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import Run, signature_matrix
from vnestruct.embedding.progress import as_progress
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, cut_blocks
from vnestruct.graph import synthetic
from vnestruct.kernels import ranking
from vnestruct.types import ValueArray

SCALE_FREE = synthetic.barabasi_albert(2000, 3, seed=11)
GRID = synthetic.grid(40, 45, shuffled=3)
SMALL = synthetic.barabasi_albert(250, 2, seed=5)
MANY_SMALL = disjoint_union(*(graph for _, graph in random_graphs(30, seed=77)))

# Each with what its runs are asked for: all code paths, on graphs of many blocks.
CASES: dict[str, tuple[Graph, int, dict[str, Any]]] = {
    "scale-free": (SCALE_FREE, 2, {}),
    "scale-free, radius 1": (SCALE_FREE, 1, {}),
    "grid": (GRID, 4, {}),
    "twins": (blown_up(SMALL, seed=4), 3, {}),
    "cheap kinds": (SCALE_FREE, 2, {"kind": ("quadratic", "sizes", "unscaled")}),
    "spectra": (SMALL, 2, {"kind": ("exact", "normalized", "punctured")}),
    "weighted": (weighted_copy(SMALL, seed=2), 3, {"weighted": True, "kind": ("approx", "quadratic")}),
    "weighted spectra": (weighted_copy(SMALL, seed=3), 1, {"weighted": True, "kind": ("exact", "punctured")}),
    "directed": (directed_copy(SMALL, seed=2), 3, {"direction": "out+in", "kind": ("approx", "quadratic")}),
    "aggregates": (SMALL, 2, {"aggregate": ("mean", "std")}),
}

_known: dict[str, ValueArray] = {}


@pytest.fixture(autouse=True)
def _no_short_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small work would stay in the calling thread."""
    monkeypatch.setattr(tasks, "_SHORT_COST", 0.0)
    monkeypatch.setattr(backends, "_INLINE_BELOW", 0)


def reference(name: str) -> ValueArray:
    """One thread, default blocks, all nodes: what every other run must reproduce."""
    if name not in _known:
        graph, radius, options = CASES[name]
        _known[name] = embed(graph, radius, n_jobs=1, **options)
    return _known[name]


def cut_differently(monkeypatch: pytest.MonkeyPatch, **how: Any) -> None:
    def cut(costs: ValueArray, n_workers: int, **_: int) -> list[Block]:
        return cut_blocks(costs, n_workers=n_workers, **how)

    monkeypatch.setattr(backends, "cut_blocks", cut)


SHARED = {
    (backends, "_FEW_THREADS"): 2, (backends, "_FEW_ARCS"): 0, (ranking, "_MIN_ITEMS"): 1,
    (planning, "_FEW_NODES"): 0,
}  # fmt: skip
CONDITIONS: list[tuple[int, dict[tuple[Any, str], float], dict[str, float]]] = [
    (1, {}, {}),
    (3, {}, {}),
    (2, {(tasks, "_SHORT_COST"): np.inf}, {}),  # in the calling thread
    (2, {(planning, "_FEW_NODES"): 0}, {}),  # plans of large graphs
    (2, {(planning, "_FEW_NODES"): 10**6}, {}),  # no order of work, no costs, rows that still have their twins
    (3, SHARED, {}),  # planning shared by threads
    *((2, {}, how) for how in ({"max_items": 1}, {"max_items": 5}, {"max_items": 64}, {"target": 1e300})),
]
"""Numbers of threads, constants, and how blocks are cut."""

every_case = for_each("name", CASES)
# Radius 1 in closed form has no rows to keep.
cases_with_rows = for_each("name", [name for name in CASES if name != "scale-free, radius 1"])


@for_each(("n_jobs", "constants", "how"), CONDITIONS)
@every_case
def test_how_the_work_is_done(
    name: str, n_jobs: int, constants: dict[Any, float], how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, radius, options = CASES[name]
    expected = reference(name)
    for place, value in constants.items():
        monkeypatch.setattr(*place, value)
    if how:
        cut_differently(monkeypatch, **how)
    assert np.array_equal(embed(graph, radius, n_jobs=n_jobs, **options), expected)


def test_triangles_counted_by_several_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = reference("scale-free, radius 1")
    monkeypatch.setattr(backends, "_SERIAL_BELOW", 0)
    assert np.array_equal(embed(SCALE_FREE, 1, n_jobs=3), expected)
    assert np.array_equal(embed(SCALE_FREE, 2, n_jobs=2)[:, 0], expected[:, 0])


class ShuffledBackend(ThreadsBackend):
    """Runs blocks one by one in random order, with a new workspace now and then."""

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        generator, scratch, blocks = np.random.default_rng(1), task.scratch(), cut_blocks(costs, n_workers=3)
        for place in generator.permutation(len(blocks)).tolist():
            if generator.random() < 0.2:
                scratch = task.scratch()
            yield blocks[place], task(blocks[place], scratch, np.zeros(1, np.uint8))


@every_case
def test_shuffled_blocks(name: str) -> None:
    graph, radius, options = CASES[name]
    values = signature_matrix(
        graph, checked_settings(radius, **options), None, Run(ShuffledBackend(3), as_progress(False))
    )
    assert np.array_equal(values, reference(name))


@every_case
def test_some_nodes_in_any_order(name: str) -> None:
    graph, radius, options = CASES[name]
    draw = np.random.default_rng(3).permutation(graph.n_nodes)
    # Leaves, twins and hubs alone; nodes asked for twice; many, and all.
    chosen = [[0], [1], [int(np.argmin(graph.degrees))], [7, 3, 7], draw[:9], draw[: graph.n_nodes // 3], draw]
    for nodes in chosen:
        assert np.array_equal(embed(graph, radius, nodes=nodes, n_jobs=2, **options), reference(name)[nodes])


def test_every_single_node_of_the_zoo() -> None:
    for name, graph in ZOO.items():
        expected = embed(graph, 3)
        for node in range(graph.n_nodes):
            assert np.array_equal(embed(graph, 3, nodes=[node], n_jobs=1), expected[[node]]), f"{name}, node {node}"


def stop_after(reports: int) -> Callable[[float, float], None]:
    """A progress function that presses Ctrl-C; the first report precedes the first block."""
    count = 0

    def report(done: float, total: float) -> None:
        nonlocal count
        count += 1
        if count > reports:
            raise KeyboardInterrupt

    return report


@cases_with_rows
@for_each("blocks", [0, 1, 7])
def test_resume_after_an_interrupt(name: str, blocks: int, tmp_path: Path) -> None:
    graph, radius, options = CASES[name]
    folder = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        embed(graph, radius, n_jobs=1, checkpoint=folder, progress=stop_after(blocks), **options)
    totals: list[list[float]] = []
    for checkpoint in (None, folder, folder):
        seen: list[float] = []
        listener = lambda done, total, seen=seen: seen.append(total)  # noqa: E731
        values = embed(graph, radius, n_jobs=2, checkpoint=checkpoint, progress=listener, **options)
        assert np.array_equal(values, reference(name))
        totals.append(seen)
    fresh, resumed, again = totals
    # Whatever is finished is not done again, and nothing is left to do in the end.
    assert resumed[0] < fresh[0] if blocks else resumed[0] == fresh[0]
    assert set(again) == {0.0}


@every_case
@for_each("parts", [1, 2, 3])
def test_parts_joined(name: str, parts: int, tmp_path: Path) -> None:
    graph, radius, options = CASES[name]
    folder = tmp_path / "run"
    # Last part first: parts may be computed in any order, by anyone.
    seen = np.zeros(reference(name).shape, bool)
    for part in range(parts, 0, -1):
        values = embed(graph, radius, n_jobs=1, checkpoint=folder, part=(part, parts), **options)
        known = ~np.isnan(values)
        assert np.array_equal(values[known], reference(name)[known])
        seen |= known
    # Aggregates need the neighbours of a node, which may be in other parts.
    assert "aggregate" in options or seen.all()
    left: list[float] = []
    values = embed(graph, radius, checkpoint=folder, progress=lambda done, total: left.append(total), **options)
    assert np.array_equal(values, reference(name))
    assert set(left) <= {0.0}


@pytest.mark.parametrize("times", [3, pytest.param(100, marks=pytest.mark.full)])
@for_each(
    ("graph", "weighted"),
    [
        (MANY_SMALL, False),
        (synthetic.barabasi_albert(60, 2, seed=3), False),
        (blown_up(synthetic.barabasi_albert(25, 2, seed=3), seed=1), False),
        (weighted_copy(MANY_SMALL, seed=1), True),
    ],
)
def test_threads_that_race_for_the_eigenvalue_of_a_component(
    graph: Graph, weighted: bool, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one thing that threads write and share; `Plan.components` says why that is harmless."""
    chosen = np.random.default_rng(1).permutation(graph.n_nodes)[:150]
    expected = np.vstack([embed(graph, 6, nodes=[node], n_jobs=1, weighted=weighted) for node in chosen])
    cut_differently(monkeypatch, max_items=1)
    for _ in range(times):
        assert embed(graph, 6, n_jobs=8, weighted=weighted)[chosen].tobytes() == expected.tobytes()
