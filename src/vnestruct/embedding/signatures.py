"""From a checked request to a matrix: plan, blocks, engine, and what follows without work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vnestruct.embedding.devices import DeviceTask, device_closed_form, device_radius_one
from vnestruct.embedding.frugal import first_within, ranked_within
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Plan, Ranked, find_components, frozen, plan_ranked
from vnestruct.embedding.radius_one import radius_one
from vnestruct.embedding.runner import Runner
from vnestruct.embedding.tasks import BallTask, BallTooLargeError, SpectrumTask, too_large
from vnestruct.errors import EngineError, TooLargeError
from vnestruct.execute import Block, Engine, InlineEngine, Task, cut_blocks, cut_for_devices
from vnestruct.graph import Graph
from vnestruct.kernels import ranking
from vnestruct.kernels.workspace import Components
from vnestruct.store import part_slice
from vnestruct.types import IdArray, ValueArray

Mask = npt.NDArray[np.bool_]
INLINE_BELOW = 2e4
"""Cost, in arcs, of work that is done before a thread has started; Ctrl-C waits for it."""

_FEW_RADII = 8


@dataclass(frozen=True)
class Signature:
    """One of the requested signatures: a kind in a direction, the `index`-th of `count`."""

    kind: str
    direction: str
    index: int
    count: int


def entropy_columns(graph: Graph, settings: Settings, wanted: Mask, runner: Runner) -> ValueArray:
    """Return the base columns for all nodes, valid in the rows of `wanted`, in node order."""
    parts = [_columns_of(graph, settings, one, wanted, runner) for one in requested_signatures(settings)]
    return parts[0] if len(parts) == 1 else np.hstack(parts)


def compute_part(graph: Graph, settings: Settings, part: int, parts: int, runner: Runner) -> int:
    """Compute one share of all rows into the runner's checkpoint; return the number of nodes worked on."""
    everyone = np.ones(graph.n_nodes, bool)
    total = 0
    for one in requested_signatures(settings):
        if has_closed_form(graph, settings, one):
            continue
        job = prepare(graph, settings, one, everyone, runner)
        chosen = job.work[part_slice(job.costs(), part, parts)]
        total += chosen.size
        _fill(job, chosen, runner)
    return total


def requested_signatures(settings: Settings) -> list[Signature]:
    """Return the signatures in the order of their columns."""
    pairs = [(kind, direction) for kind in settings.kinds for direction in settings.directions]
    return [Signature(kind, direction, i, len(pairs)) for i, (kind, direction) in enumerate(pairs)]


def _is_plain(graph: Graph, settings: Settings, one: Signature) -> bool:
    """Tell whether radius 1 has its closed form."""
    follows_all = one.direction == "all" or not graph.directed
    return not settings.weighted and follows_all and one.kind in ("approx", "quadratic")


def has_closed_form(graph: Graph, settings: Settings, one: Signature) -> bool:
    """Tell whether a signature follows from triangle counts alone."""
    return settings.radius == 1 and _is_plain(graph, settings, one)


def is_closed_form(graph: Graph, settings: Settings) -> bool:
    """Tell whether every requested column follows from triangle counts alone."""
    return settings.directions == ("all",) and all(
        has_closed_form(graph, settings, one) for one in requested_signatures(settings)
    )


def _columns_of(graph: Graph, settings: Settings, one: Signature, wanted: Mask, runner: Runner) -> ValueArray:
    if has_closed_form(graph, settings, one):
        return _closed_form(graph, one.kind, runner)
    job = prepare(graph, settings, one, wanted, runner)
    _fill(job, job.work, runner)
    return _complete(job.plan, job.values)


@dataclass(frozen=True)
class Job:
    """The work of one signature: what is to be done, in order, and the rows by rank that it fills."""

    graph: Graph
    settings: Settings
    one: Signature
    plan: Plan
    first: ValueArray | None
    work: IdArray
    values: ValueArray
    limit: int | None = None
    """Bytes that a worker may take for local graphs."""

    def costs(self) -> ValueArray:
        """Return the estimated cost of each node of the work."""
        return self.plan.costs(self.work, self.settings.radius)

    def task(self, work: IdArray) -> BallTask | SpectrumTask:
        """Return what an engine runs to fill the rows of `work`."""
        radius, kind = self.settings.radius, self.one.kind
        if kind in ("approx", "quadratic"):
            tolerance, first = self.settings.tolerance, self.first
            return BallTask(self.graph, self.plan, work, radius, kind, tolerance, first, limit=self.limit)
        return SpectrumTask(self.graph, self.plan, work, radius, kind)


def prepare(graph: Graph, settings: Settings, one: Signature, wanted: Mask, runner: Runner) -> Job:
    """Plan the work of one signature: what must be done for the rows of `wanted`."""
    direction = one.direction if graph.directed else "all"
    ranked, limit = ranked_within(graph, settings, direction, runner)
    is_plain = _is_plain(graph, settings, one)

    def plan_work(components: Callable[[], Components] | None = None) -> tuple[Plan, IdArray]:
        # Without its centre a ball is another graph: a leaf's neighbour cannot stand for the leaf.
        collapse = is_plain and not runner.on_devices
        plan = plan_ranked(ranked, reduce_leaves=one.kind != "punctured", collapse=collapse, components=components)
        return plan, plan.in_order(plan.required(wanted[plan.node]))

    first = None
    if is_plain and runner.here[1] > 1 and runner.budget is None:
        with ThreadPoolExecutor(1) as pool:
            components_later = pool.submit(find_components, ranked)
            radius_one_later = pool.submit(_first_column, ranked, one.kind, runner)
            plan, work = plan_work(components_later.result)
            first = radius_one_later.result()
    else:
        # With little memory one after the other: each has its own peak.
        if is_plain:
            first = _first_column(ranked, one.kind, runner) if runner.budget is None else _frugal(graph, one, runner)
        plan, work = plan_work()
    values = np.zeros((graph.n_nodes, settings.radius))
    if first is not None:
        values[:, 0] = first
    return Job(graph, settings, one, plan, first, work, values, limit)


def _frugal(graph: Graph, one: Signature, runner: Runner) -> ValueArray:
    return first_within(graph, one.kind, runner)[0]


def _fill(job: Job, work: IdArray, runner: Runner) -> None:
    """Fill the rows of `work`, from the checkpoint where it has them, by the engine otherwise."""
    n_nodes = job.graph.n_nodes
    shift = job.one.index * n_nodes
    if runner.checkpoint is not None:
        done, rows = runner.checkpoint.finished(n_nodes * job.one.count)
        done, rows = done[shift : shift + n_nodes][job.plan.node], rows[shift : shift + n_nodes][job.plan.node]
        ready = work[done[work]]
        job.values[ready] = rows[ready]
        work = frozen(work[~done[work]])
    costs = job.plan.costs(work, job.settings.radius)
    task: Task = job.task(work)
    if runner.on_devices and isinstance(task, BallTask):
        task = DeviceTask(task, costs)
    for block, rows in run_blocks(task, costs, runner, job.one.index, job.one.count):
        ranks = work[block.start : block.stop]
        job.values[ranks] = rows
        if runner.checkpoint is not None:
            runner.checkpoint.add(job.plan.node[ranks] + np.int64(shift), rows)


def run_blocks(
    task: Task, costs: ValueArray, runner: Runner, index: int = 0, count: int = 1
) -> Iterator[tuple[Block, ValueArray]]:
    """Cut the work, run it, report progress, and let our own errors out as what they are."""
    engine, blocks = _share_out(task, costs, runner)
    total = float(costs.sum())
    done = 0.0
    report = runner.report
    if report is not None:
        report(index * total, count * total)
    with closing(engine.run(task, blocks)) as finished:
        try:
            for block, rows in finished:
                yield block, rows
                done = min(done + block.cost, total)
                if report is not None:
                    report(index * total + done, count * total)
        except EngineError as error:
            cause = error.__cause__
            if isinstance(cause, BallTooLargeError) and isinstance(task, BallTask | SpectrumTask):
                raise too_large(task, cause) from None
            if isinstance(cause, TooLargeError):
                raise cause from None
            raise


def _share_out(task: Task, costs: ValueArray, runner: Runner) -> tuple[Engine, list[Block]]:
    """Return who runs a task, and in what blocks."""
    if isinstance(task, DeviceTask):
        return runner.engine, cut_for_devices(costs, runner.n_workers)
    # What GPUs have no kernel for is done beside them.
    engine, n_workers = runner.here if runner.on_devices else (runner.engine, runner.n_workers)
    blocks = cut_blocks(costs, n_workers=n_workers)
    return (InlineEngine() if _is_short(task, float(costs.sum())) else engine), blocks


def _is_short(task: Task, total: float) -> bool:
    """Tell whether work is over in a moment, whatever its balls look like; a spectrum never is."""
    return isinstance(task, BallTask) and task.radius <= _FEW_RADII and total * task.radius < INLINE_BELOW


def _closed_form(graph: Graph, kind: str, runner: Runner) -> ValueArray:
    """Radius 1 alone: only the arcs to larger degrees are rewritten in ranks."""
    if runner.budget is not None:
        values, rank = first_within(graph, kind, runner)
        frugal: ValueArray = values[rank][:, None]
        return frugal
    if runner.on_devices:
        by_node = device_closed_form(graph.indptr, graph.indices, approximate=kind == "approx")
        if by_node is not None:
            return by_node[:, None]
    engine, n_workers = runner.here
    rank, node = ranking.rank_by_degree(graph.indptr)
    rows = ranking.upward_rows(graph.indptr, graph.indices, frozen(rank), frozen(node))
    indptr, indices, split = (frozen(array) for array in rows)
    degrees = frozen(np.diff(graph.indptr)[node])
    values = radius_one(
        indptr, indices, split, degrees,
        approximate=kind == "approx", engine=engine, n_workers=n_workers,
    )  # fmt: skip
    columns: ValueArray = values[rank][:, None]
    return columns


def _first_column(ranked: Ranked, kind: str, runner: Runner) -> ValueArray:
    engine, n_workers = runner.here
    rows = ranked.graph
    if runner.on_devices:
        by_rank = device_radius_one(rows, approximate=kind == "approx")
        if by_rank is not None:
            return frozen(by_rank)
    values = radius_one(
        rows.indptr, rows.indices, rows.split, frozen(np.diff(rows.indptr)),
        approximate=kind == "approx", engine=engine, n_workers=n_workers,
    )  # fmt: skip
    return frozen(values)


def _complete(plan: Plan, by_rank: ValueArray) -> ValueArray:
    """Return rows in node order, with those of twins, and of leaves: r-balls of their neighbours are (r+1)-balls."""
    values: ValueArray = by_rank[plan.leader[plan.rank]]
    leaves = np.flatnonzero(plan.leaf_of >= 0)
    hosts = plan.leaf_of[leaves]
    # In an isolated edge both ends are leaves, and no larger ball exists.
    pair = plan.leaf_of[hosts] >= 0
    places = plan.node[leaves]
    values[places[~pair], 1:] = by_rank[plan.leader[hosts[~pair]], :-1]
    values[places[pair], 1:] = values[places[pair], :1]
    return values
