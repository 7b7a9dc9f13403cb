"""The same bits whatever the threads, the blocks, their order, the nodes asked for, or an interruption in between."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from tests.graphs import ZOO, blown_up, directed_copy, weighted_copy
from vnestruct import Graph, embed, sharing
from vnestruct.embedding import plan as planning
from vnestruct.embedding import radius_one, tasks
from vnestruct.embedding.backends import threads
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import signature_matrix
from vnestruct.embedding.plan import plan_ranked, rank_graph, read_only
from vnestruct.embedding.progress import as_progress
from vnestruct.embedding.run import Run
from vnestruct.embedding.tasks import BallTask, NodeTask
from vnestruct.execute import Block, cut_blocks
from vnestruct.execute import threads as execute_threads
from vnestruct.graph import synthetic
from vnestruct.types import ValueArray

SCALE_FREE = synthetic.barabasi_albert(2000, 3, seed=11)
GRID = synthetic.grid(40, 45, shuffled=3)
SMALL = synthetic.barabasi_albert(250, 2, seed=5)

# Each with what its runs are asked for: all code paths, on graphs of many blocks.
CASES: dict[str, tuple[Graph, int, dict[str, Any]]] = {
    "scale-free": (SCALE_FREE, 2, {}),
    "scale-free, radius 1": (SCALE_FREE, 1, {}),
    "grid": (GRID, 4, {}),
    "twins": (blown_up(SMALL, seed=4), 3, {}),
    "quadratic": (SCALE_FREE, 2, {"kind": "quadratic"}),
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
    monkeypatch.setattr(radius_one, "_INLINE_BELOW", 0)


def reference(name: str) -> ValueArray:
    """One thread, default blocks, all nodes: what every other run must reproduce."""
    if name not in _known:
        graph, radius, options = CASES[name]
        _known[name] = embed(graph, radius, n_jobs=1, **options)
    return _known[name]


every_case = for_each("name", CASES)
# Radius 1 in closed form has no rows to keep.
cases_with_rows = for_each("name", [name for name in CASES if name != "scale-free, radius 1"])


@every_case
def test_threads(name: str) -> None:
    graph, radius, options = CASES[name]
    for n_jobs in (1, 2, 3):
        assert np.array_equal(embed(graph, radius, n_jobs=n_jobs, **options), reference(name)), n_jobs


@every_case
def test_the_calling_thread(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, radius, options = CASES[name]
    expected = reference(name)
    monkeypatch.setattr(tasks, "_SHORT_COST", np.inf)
    assert np.array_equal(embed(graph, radius, n_jobs=2, **options), expected)


@every_case
def test_a_plan_for_few_nodes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No order of work, no costs, and rows that still have their twins: as if the graph were small, or as if not."""
    graph, radius, options = CASES[name]
    for few in (0, graph.n_nodes + 1):
        monkeypatch.setattr(planning, "_FEW_NODES", few)
        assert np.array_equal(embed(graph, radius, n_jobs=2, **options), reference(name)), few


@every_case
def test_planning_shared_by_threads(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, radius, options = CASES[name]
    expected = reference(name)
    monkeypatch.setattr(execute_threads, "_FEW_THREADS", 2)
    monkeypatch.setattr(execute_threads, "_FEW_ARCS", 0)
    monkeypatch.setattr(sharing, "_MIN_ITEMS", 1)
    monkeypatch.setattr(planning, "_FEW_NODES", 0)
    assert np.array_equal(embed(graph, radius, n_jobs=3, **options), expected)


def test_triangles_counted_by_several_threads_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = reference("scale-free, radius 1")
    monkeypatch.setattr(radius_one, "_SERIAL_BELOW", 0)
    assert np.array_equal(embed(SCALE_FREE, 1, n_jobs=3), expected)
    assert np.array_equal(embed(SCALE_FREE, 2, n_jobs=2)[:, 0], expected[:, 0])


def cut_differently(monkeypatch: pytest.MonkeyPatch, **how: Any) -> None:
    def cut(costs: ValueArray, n_workers: int) -> list[Block]:
        return cut_blocks(costs, n_workers=n_workers, **how)

    monkeypatch.setattr(threads, "cut_blocks", cut)


@every_case
def test_block_sizes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, radius, options = CASES[name]
    expected = reference(name)
    for how in (
        {"max_items": 1},
        {"max_items": 5},
        {"max_items": 64},
        {"target": 1e300},
    ):
        cut_differently(monkeypatch, **how)
        assert np.array_equal(embed(graph, radius, n_jobs=2, **options), expected), how


class ShuffledBackend(ThreadsBackend):
    """Runs blocks one by one in random order, with a new workspace now and then."""

    def __init__(self, seed: int) -> None:
        super().__init__(3)
        self._generator = np.random.default_rng(seed)

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        scratch = task.scratch()
        blocks = cut_blocks(costs, n_workers=3)
        for place in self._generator.permutation(len(blocks)).tolist():
            if self._generator.random() < 0.2:
                scratch = task.scratch()
            yield blocks[place], task(blocks[place], scratch, np.zeros(1, np.uint8))


@every_case
def test_shuffled_blocks(name: str) -> None:
    graph, radius, options = CASES[name]
    settings = checked_settings(radius, **options)
    for seed in (1, 2):
        values = signature_matrix(graph, settings, None, Run(ShuffledBackend(seed), as_progress(False)))
        assert np.array_equal(values, reference(name)), f"seed {seed}"


@for_each("seed", [1, 2, 3])
@for_each("weighted", [False, True])
def test_any_nodes_side_by_side(seed: int, weighted: bool) -> None:
    """Eight nodes are worked on together; which eight must not matter."""
    graph = weighted_copy(SMALL, seed=2) if weighted else SMALL
    plan = plan_ranked(rank_graph(graph, weighted=weighted, direction="all"), reduce_leaves=True)
    ordered = plan.in_order(np.ones(graph.n_nodes, bool))
    shuffled = read_only(np.random.default_rng(seed).permutation(ordered))
    results = []
    for work in (ordered, shuffled):
        task = BallTask(graph, plan, work, 3, ("approx",), 1e-9, None)
        rows = np.full((graph.n_nodes, 3), np.nan)
        for block, part in ThreadsBackend(1).run(task, np.ones(work.size)):
            rows[work[block.start : block.stop]] = part
        results.append(rows)
        plan.components.largest[:] = np.nan
    assert np.array_equal(*results)


@every_case
def test_some_nodes_in_any_order(name: str) -> None:
    graph, radius, options = CASES[name]
    expected = reference(name)
    generator = np.random.default_rng(3)
    for count in (1, 2, 9, graph.n_nodes // 3, graph.n_nodes):
        nodes = generator.permutation(graph.n_nodes)[:count]
        assert np.array_equal(embed(graph, radius, nodes=nodes, n_jobs=2, **options), expected[nodes])


@every_case
def test_nodes_one_at_a_time_and_twice(name: str) -> None:
    graph, radius, options = CASES[name]
    expected = reference(name)
    # Leaves, twins and hubs among them.
    for node in [0, 1, int(np.argmin(graph.degrees)), graph.n_nodes - 1]:
        assert np.array_equal(embed(graph, radius, nodes=[node], **options), expected[[node]])
    assert np.array_equal(embed(graph, radius, nodes=[7, 3, 7], **options), expected[[7, 3, 7]])


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
    totals: list[float] = []
    values = embed(
        graph, radius, n_jobs=2, checkpoint=folder, progress=lambda done, total: totals.append(total), **options
    )
    assert np.array_equal(values, reference(name))
    # Whatever is finished is not done again, and nothing is left to do in the end.
    fresh: list[float] = []
    embed(graph, radius, n_jobs=1, progress=lambda done, total: fresh.append(total), **options)
    assert totals[0] < fresh[0] if blocks else totals[0] == fresh[0]
    again: list[float] = []
    values = embed(graph, radius, checkpoint=folder, progress=lambda done, total: again.append(total), **options)
    assert np.array_equal(values, reference(name))
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


@every_case
def test_two_runs(name: str) -> None:
    graph, radius, options = CASES[name]
    assert np.array_equal(embed(graph, radius, n_jobs=1, **options), reference(name))


@pytest.mark.parametrize(("name", "radius"), [("email-Eu-core", 2), ("ca-GrQc", 3)])
def test_real_graphs(
    name: str, radius: int, real_graph: Callable[[str], Graph], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = real_graph(name)
    expected = embed(graph, radius, n_jobs=1)
    assert np.array_equal(embed(graph, radius, n_jobs=3), expected)
    nodes = graph.nodes[np.random.default_rng(1).permutation(graph.n_nodes)[:200]]
    assert np.array_equal(embed(graph, radius, nodes=nodes, n_jobs=2), expected[graph.positions(nodes)])
    cut_differently(monkeypatch, max_items=11)
    assert np.array_equal(embed(graph, radius, n_jobs=2), expected)
