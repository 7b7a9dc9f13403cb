"""The one pipeline: from a checked request to a matrix, through plan, blocks, back end and checkpoint."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vnestruct import reference
from vnestruct.embedding.named_kinds import named_rows
from vnestruct.embedding.neighbours import neighbour_moments, with_neighbours
from vnestruct.embedding.parameters import Settings, outputs_of
from vnestruct.embedding.plan import Plan, find_components, pair_weights, plan_ranked, read_only
from vnestruct.embedding.run import Run
from vnestruct.embedding.tasks import NodeTask, task_type
from vnestruct.errors import EngineError
from vnestruct.execute import Block
from vnestruct.graph import Graph
from vnestruct.kernels import announce
from vnestruct.store import part_slice
from vnestruct.types import IdArray, OffsetArray, ValueArray

Mask = npt.NDArray[np.bool_]
LARGE_ARCS = 2_000_000  # arcs of a graph whose plan takes so long that it is named
Columns = Callable[[Graph, Settings, Mask, Run], ValueArray]  # computes the base columns of the wanted rows


@dataclass(frozen=True)
class Pass:
    """Signatures that are computed together, in one direction: the `index`-th of `count` such passes."""

    kind: str  # a kind that names their task
    outputs: tuple[str, ...]
    direction: str
    places: tuple[int, ...]  # where each output comes among all signatures of the request
    index: int = 0
    count: int = 1


@dataclass(frozen=True)
class Job:
    """The work of one pass: what is to be done, in order, and the rows by rank that it fills."""

    graph: Graph
    settings: Settings
    signatures: Pass
    plan: Plan
    first: ValueArray | None  # radius 1 by rank, one column per output, where it has its closed form
    work: IdArray
    limit: int | None = None  # bytes that each worker may take for local graphs

    def task(self, work: IdArray) -> NodeTask:
        """Return what a back end runs to fill the rows of `work`."""
        settings, signatures = self.settings, self.signatures
        return task_type(signatures.kind)(
            self.graph, self.plan, work, settings.radius, signatures.outputs, settings.tolerance, self.first,
            limit=self.limit,
        )  # fmt: skip

    def start(self) -> ValueArray:
        """Return all that is known before the work is done, by rank, output and radius."""
        task = self.task(self.work)
        values = task.start(self.graph.n_nodes)
        if self.first is not None:
            values[:, :, 0] = self.first
        elif (known := task.leaf_rows(leaves := np.flatnonzero(self.plan.leaf_of >= 0).astype(np.int32))) is not None:
            values[leaves, :, 0] = known
        return values


def signature_matrix(
    graph: Graph, settings: Settings, chosen: OffsetArray | None, run: Run, columns: Columns | None = None
) -> ValueArray:
    """Return all columns for the chosen positions, or for all nodes; `columns` is by default `entropy_columns`."""
    # What is said of neighbours takes their rows, too.
    is_whole = chosen is None or settings.named is not None
    wanted = np.full(graph.n_nodes, is_whole)
    if chosen is not None and settings.aggregates:
        wanted = with_neighbours(graph, chosen)
    elif chosen is not None and not is_whole:
        wanted[chosen] = True
    values = (columns or entropy_columns)(graph, settings, wanted, run)
    if settings.named is not None:
        values = named_rows(graph, settings, values)
    if settings.aggregates:
        values = np.hstack([values, neighbour_moments(graph, values, settings.aggregates)])
    return values if chosen is None else values[chosen]


def entropy_columns(graph: Graph, settings: Settings, wanted: Mask, run: Run) -> ValueArray:
    """Return the base columns for all nodes, valid in the rows of `wanted`, in node order."""
    is_small = graph.n_nodes <= reference.SMALL_GRAPH
    return small_columns(graph, settings, run) if is_small else kernel_columns(graph, settings, wanted, run)


def small_columns(graph: Graph, settings: Settings, run: Run) -> ValueArray:
    """Return the base columns by the definition."""
    values = np.empty((graph.n_nodes, len(settings.base_columns) // settings.radius, settings.radius))
    for signatures in planned_passes(settings):
        weighted, direction = settings.weighted, signatures.direction
        if weighted:
            pair_weights(graph)  # refuses a graph without weights
        found = reference.rows(graph, signatures.outputs, settings.radius, weighted=weighted, direction=direction)
        values[:, list(signatures.places)] = found
    if run.part is not None:
        chosen = part_slice(np.ones(graph.n_nodes), *run.part)
        values[: chosen.start] = values[chosen.stop :] = np.nan
    run.progress.advance(1.0, 1.0)
    return values.reshape(graph.n_nodes, len(settings.base_columns))


def kernel_columns(graph: Graph, settings: Settings, wanted: Mask, run: Run) -> ValueArray:
    """Return the base columns by the kernels."""
    announce()
    values = np.empty((graph.n_nodes, len(settings.base_columns) // settings.radius, settings.radius))
    for signatures in planned_passes(settings):
        if has_closed_form(graph, settings, signatures):
            if graph.indices.size >= LARGE_ARCS:
                run.progress.on_message("Counting triangles ...")
            found = run.backend.radius_one(graph, signatures.outputs)[:, :, None]
        else:
            found = run_pass(graph, settings, signatures, wanted, run)
        if values.shape == found.shape:
            values = found
        else:
            values[:, list(signatures.places)] = found
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
    return [
        Pass(kind, tuple(output for output, _ in found), direction, tuple(place for _, place in found), i, len(groups))
        for i, ((_, direction), (kind, found)) in enumerate(groups.items())
    ]


def has_closed_form(graph: Graph, settings: Settings, signatures: Pass) -> bool:
    """Tell whether signatures follow from triangle counts alone."""
    return settings.radius == 1 and _is_plain(graph, settings, signatures)


def is_closed_form(graph: Graph, settings: Settings) -> bool:
    """Tell whether every requested column follows from triangle counts alone."""
    return settings.directions == ("all",) and all(
        has_closed_form(graph, settings, signatures) for signatures in planned_passes(settings)
    )


def run_pass(graph: Graph, settings: Settings, signatures: Pass, wanted: Mask, run: Run) -> ValueArray:
    """Return the values of one pass, by node, output and radius: prepare, blocks, complete."""
    job = prepare(graph, settings, signatures, wanted, run)
    work, values = job.work, job.start()
    if run.part is not None:
        work = work[part_slice(job.plan.costs(work, settings.radius), *run.part)]
        values[job.work] = np.nan
    # Blocks: the rows of the work list, on the back end.
    fill(job, work, values, run)
    # Complete: rows of twins and leaves, in node order.
    return complete(job.plan, values)


def prepare(graph: Graph, settings: Settings, signatures: Pass, wanted: Mask, run: Run) -> Job:
    """Prepare one pass for the rows of `wanted`: rank, radius 1, plan."""
    if graph.indices.size >= LARGE_ARCS:
        run.progress.on_message("Planning ...")
    kind, outputs, backend = signatures.kind, signatures.outputs, run.backend
    # Rank: the graph rewritten in ranks of degree.
    ranked = backend.rank(graph, settings, signatures.direction if graph.directed else "all")
    # Radius 1, beside the plan: in closed form, where it has one.
    is_plain = _is_plain(graph, settings, signatures)
    first_column = backend.submit(lambda: read_only(backend.radius_one(graph, outputs, ranked)) if is_plain else None)
    components = backend.submit(lambda: find_components(ranked))
    # Plan: which nodes must be worked on, and in which order.
    reduce_leaves = task_type(kind).leaves_follow(kind)
    plan = plan_ranked(ranked, reduce_leaves=reduce_leaves, collapse=is_plain, with_components=False)
    work = plan.in_order(plan.required(wanted if wanted.all() else wanted[plan.node]))
    plan, first = replace(plan, components=components()), first_column()
    return Job(graph, settings, signatures, plan, first, work, ranked.limit)


def run_blocks(task: NodeTask, costs: ValueArray, run: Run, signatures: Pass) -> Iterator[tuple[Block, ValueArray]]:
    """Run a task on the back end, report progress, and let errors of ours out as what they are."""
    total, done = float(costs.sum()), 0.0
    index, count = signatures.index, signatures.count
    run.progress.advance(index * total, count * total)
    if not costs.size:
        return
    with closing(run.backend.run(task, costs)) as finished:
        try:
            for block, rows in finished:
                yield block, rows
                done = min(done + block.cost, total)
                run.progress.advance(index * total + done, count * total)
        except EngineError as failure:
            if (error := task.error_of(failure)) is failure:
                raise
            raise error from None


def _is_plain(graph: Graph, settings: Settings, signatures: Pass) -> bool:
    """Tell whether radius 1 has its closed form."""
    follows_all = signatures.direction == "all" or not graph.directed
    return not settings.weighted and follows_all and task_type(signatures.kind).has_closed_form


def fill(job: Job, work: IdArray, values: ValueArray, run: Run) -> None:
    """Fill the rows of `work`, from the checkpoint where it has them, by the back end otherwise."""
    n_nodes, radius = job.graph.n_nodes, job.settings.radius
    # A checkpoint has a row per signature and node.
    shifts = np.array(job.signatures.places, np.int64) * n_nodes
    if run.checkpoint is not None:
        done, rows = run.checkpoint.finished(n_nodes * len(job.settings.base_columns) // radius)
        places = job.plan.node[work][:, None] + shifts
        ready = done[places].all(axis=1)
        values[work[ready]] = rows[places[ready]]
        work = read_only(work[~ready])
    costs = job.plan.costs(work, radius)
    item = np.dtype((np.void, 8 * radius))  # numbers are copied faster if those of a row are one item
    for block, rows in run_blocks(job.task(work), costs, run, job.signatures):
        ranks = work[block.start : block.stop]
        values.view(item)[ranks] = rows.reshape(ranks.size, *values.shape[1:]).view(item)
        if run.checkpoint is not None:
            places = job.plan.node[ranks][:, None] + shifts
            run.checkpoint.add(places.ravel(), rows.reshape(-1, radius))


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
