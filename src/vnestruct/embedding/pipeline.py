"""The one pipeline: from a checked request to a matrix.

Columns that can share their work are one pass: rank the graph, plan the work, compute radius 1 in closed form, run the
rest in blocks, complete the rows that follow from others.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from vnestruct import store
from vnestruct.embedding import parameters
from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.parameters import Settings, outputs_of
from vnestruct.embedding.plan import Plan, find_components, pair_weights, plan_ranked, read_only
from vnestruct.embedding.progress import Progress
from vnestruct.embedding.tasks import BallTooLargeError, NodeTask, task_type
from vnestruct.errors import EngineError, TooLargeError
from vnestruct.graph import Graph
from vnestruct.kernels import announce
from vnestruct.lazy import load
from vnestruct.types import BoolArray, OffsetArray, ValueArray

if TYPE_CHECKING:
    from vnestruct.store import Checkpoint

LARGE_ARCS = 2_000_000  # arcs of a graph whose plan takes so long that it is named


@dataclass(frozen=True)
class Run:
    """How one request is carried out."""

    backend: ThreadsBackend
    progress: Progress
    checkpoint: Checkpoint | None = None
    part: tuple[int, int] | None = None  # (k, n): compute only the k-th of n parts of the rows

    def slice_of(self, costs: ValueArray) -> slice:
        """Return the positions of a work list that belong to the part."""
        assert self.part is not None
        return store.part_slice(costs, *self.part)


@dataclass(frozen=True)
class Pass:
    """Signatures that are computed together, in one direction: the `index`-th of `count` such passes."""

    kind: str  # a kind that names their task
    outputs: tuple[str, ...]
    direction: str
    places: tuple[int, ...]  # where each output comes among all signatures of the request
    n_signatures: int  # of the request
    index: int
    count: int


def signature_matrix(graph: Graph, settings: Settings, chosen: OffsetArray | None, run: Run) -> ValueArray:
    """Return all columns for the chosen positions, or for all nodes; estimates carry their audit."""
    wanted, audit = np.ones(graph.n_nodes, bool), None
    # Named kinds describe neighbours as well, and theirs.
    if chosen is not None and settings.named is None:
        wanted[:] = False
        wanted[chosen] = True
        if settings.aggregates:
            wanted = load("vnestruct.embedding.neighbours:with_neighbours")(graph, chosen)
    if settings.approximate is None:
        values = entropy_columns(graph, settings, wanted, run)
    else:
        values, audit = load("vnestruct.embedding.audited:estimated_columns")(graph, settings, wanted, run)
    if settings.named is not None:
        values = load("vnestruct.embedding.named_kinds:named_rows")(graph, settings, values)
    if settings.aggregates:
        moments = load("vnestruct.embedding.neighbours:neighbour_moments")
        values = np.hstack([values, moments(graph, values, settings.aggregates)])
    values = values if chosen is None else values[chosen]
    return values if audit is None else load("vnestruct.store.audit:audited")(values, audit)


def entropy_columns(graph: Graph, settings: Settings, wanted: BoolArray, run: Run) -> ValueArray:
    """Return the base columns for all nodes, valid in the rows of `wanted`, in node order."""
    is_small = graph.n_nodes <= parameters.SMALL_GRAPH and load("vnestruct.reference:KINDS").issuperset(settings.kinds)
    return small_columns(graph, settings, run) if is_small else kernel_columns(graph, settings, wanted, run)


def small_columns(graph: Graph, settings: Settings, run: Run) -> ValueArray:
    """Return the base columns by the definition."""
    rows = load("vnestruct.reference:rows")
    if settings.weighted:
        pair_weights(graph)  # refuses a graph without weights
    values = np.empty((graph.n_nodes, len(settings.base_columns) // settings.radius, settings.radius))
    for one in planned_passes(settings):
        how = {"weighted": settings.weighted, "direction": one.direction}
        values[:, list(one.places)] = rows(graph, one.outputs, settings.radius, **how)
    if run.part is not None:
        chosen = run.slice_of(np.ones(graph.n_nodes))
        values[: chosen.start] = values[chosen.stop :] = np.nan
    run.progress.advance(1.0, 1.0)
    return values.reshape(graph.n_nodes, len(settings.base_columns))


def kernel_columns(graph: Graph, settings: Settings, wanted: BoolArray, run: Run) -> ValueArray:
    """Return the base columns by the kernels."""
    announce()
    values = np.empty((graph.n_nodes, len(settings.base_columns) // settings.radius, settings.radius))
    for one in planned_passes(settings):
        if settings.radius == 1 and _is_plain(graph, settings, one):
            if graph.indices.size >= LARGE_ARCS:
                run.progress.on_message("Counting triangles ...")
            found = run.backend.radius_one(graph, one.outputs)[:, :, None]
        else:
            found = run_pass(graph, settings, one, wanted, run)
        if values.shape == found.shape:
            values = found
        else:
            values[:, list(one.places)] = found
    return values.reshape(graph.n_nodes, len(settings.base_columns))


def planned_passes(settings: Settings) -> list[Pass]:
    """Return the passes that compute all signatures; kinds that can share one do."""
    groups: dict[tuple[object, str], tuple[str, list[tuple[str, int]]]] = {}
    place = 0
    for kind in settings.kinds:
        task = task_type(kind)
        for output in outputs_of(kind):
            for direction in settings.directions:
                key = (task if task.together else kind, direction)
                groups.setdefault(key, (kind, []))[1].append((output, place))
                place += 1
    passes: list[Pass] = []
    for (_, direction), (kind, found) in groups.items():
        outputs, places = zip(*found, strict=True)
        passes.append(Pass(kind, outputs, direction, places, place, len(passes), len(groups)))
    return passes


def is_closed_form(graph: Graph, settings: Settings) -> bool:
    """Tell whether every requested column follows from triangle counts alone."""
    is_short = settings.radius == 1 and settings.directions == ("all",)
    return is_short and all(_is_plain(graph, settings, one) for one in planned_passes(settings))


def _is_plain(graph: Graph, settings: Settings, one: Pass) -> bool:
    """Tell whether radius 1 has its closed form."""
    follows_all = one.direction == "all" or not graph.directed
    return not settings.weighted and follows_all and task_type(one.kind).has_closed_form


def run_pass(graph: Graph, settings: Settings, one: Pass, wanted: BoolArray, run: Run) -> ValueArray:
    """Return the values of one pass, by node, output and radius."""
    task = prepare(graph, settings, one, wanted, run)
    values = task.start()
    if run.part is not None:
        values[task.work] = np.nan
        task = replace(task, work=task.work[run.slice_of(task.plan.costs(task.work, settings.radius))])
    # Blocks: the rows of the work list, on the engine.
    fill(task, one, values, run)
    # Complete: rows of twins and leaves, in node order.
    return complete(task.plan, values)


def prepare(graph: Graph, settings: Settings, one: Pass, wanted: BoolArray, run: Run) -> NodeTask:
    """Return the task of one pass, with the work that the rows of `wanted` take."""
    if graph.indices.size >= LARGE_ARCS:
        run.progress.on_message("Planning ...")
    backend, kind = run.backend, task_type(one.kind)
    # Rank: the graph rewritten in ranks of degree.
    ranked = backend.rank(graph, settings, one.direction if graph.directed else "all")
    # Radius 1, beside the plan: in closed form, where it has one.
    is_plain = _is_plain(graph, settings, one)
    first = backend.submit(lambda: read_only(backend.radius_one(graph, one.outputs, ranked)) if is_plain else None)
    components = backend.submit(lambda: find_components(ranked))
    # Plan: which nodes must be worked on, and in which order.
    plan = plan_ranked(ranked, reduce_leaves=kind.leaves_follow(one.kind), collapse=is_plain, with_components=False)
    work = plan.in_order(plan.required(wanted if wanted.all() else wanted[plan.node]))
    plan = plan._replace(components=components())
    return kind(graph, plan, work, settings.radius, one.outputs, settings.tolerance, first())


def fill(task: NodeTask, one: Pass, values: ValueArray, run: Run) -> None:
    """Fill the rows of a task's work, from the checkpoint where it has them, by the engine otherwise."""
    node, radius = task.plan.node, task.radius
    # A checkpoint has a row per signature and node.
    shifts = np.array(one.places, np.int64) * node.size
    if run.checkpoint is not None:
        done, rows = run.checkpoint.finished(node.size * one.n_signatures)
        places = node[task.work][:, None] + shifts
        ready = done[places].all(axis=1)
        values[task.work[ready]] = rows[places[ready]]
        task = replace(task, work=read_only(task.work[~ready]))
    costs = task.plan.costs(task.work, radius)
    total, finished = float(costs.sum()), 0.0
    run.progress.advance(one.index * total, one.count * total)
    if not costs.size:
        return
    item = np.dtype((np.void, 8 * radius))  # numbers are copied faster if those of a row are one item
    try:
        with closing(run.backend.run(task, costs)) as results:
            for block, rows in results:
                ranks = task.work[block.start : block.stop]
                values.view(item)[ranks] = rows.reshape(ranks.size, *values.shape[1:]).view(item)
                if run.checkpoint is not None:
                    run.checkpoint.add((node[ranks][:, None] + shifts).ravel(), rows.reshape(-1, radius))
                finished = min(finished + block.cost, total)
                run.progress.advance(one.index * total + finished, one.count * total)
    except EngineError as failure:
        # An error of ours, from whatever process, explains itself; labels are known here alone.
        cause = failure.__cause__
        if isinstance(cause, BallTooLargeError):
            raise TooLargeError(task.explain(cause.rank, cause.n_nodes)) from None
        if isinstance(cause, TooLargeError):
            raise cause from None
        raise


def complete(plan: Plan, by_rank: ValueArray) -> ValueArray:
    """Return values in node order, also of twins, and of leaves, whose rows are filled in `by_rank`, too."""
    # The r-ball of its only neighbour is the (r+1)-ball of a leaf.
    leaves = np.flatnonzero(plan.leaf_of >= 0)
    hosts = plan.leaf_of[leaves]
    rows = by_rank.take(plan.leader.take(hosts), 0)
    # In an isolated edge both ends are leaves, and no larger ball exists.
    pair = plan.leaf_of.take(hosts) >= 0
    rows[pair, :, 1:] = rows[pair, :, :1]
    by_rank[leaves, :, 1:] = rows[:, :, :-1]
    return plan.parallel.take(by_rank, plan.leader.take(plan.rank))
