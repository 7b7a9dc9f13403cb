"""Graphs of which only the nodes fit into memory: arcs stay in mapped files, and the plan is built slice by slice."""

from __future__ import annotations

import numpy as np

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked, frozen, rank_graph
from vnestruct.embedding.radius_one import radius_one
from vnestruct.embedding.runner import Runner
from vnestruct.embedding.slices import SLICE_ARCS, has_ranked_file, ranked_from_file, upward_arcs
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph
from vnestruct.kernels import ranking
from vnestruct.types import IdArray, ValueArray

_FIRST_BYTES = 100
"""Memory for each node while radius 1 is computed, and 4 more for each thread."""

_PLAN_BYTES = 130
"""Memory for each node while a plan is made, 24 for each radius, and 32 more for each worker."""


def first_within(graph: Graph, kind: str, runner: Runner) -> tuple[ValueArray, IdArray]:
    """Return radius 1 of every node by rank, and the ranks, within the budget of the runner."""
    assert runner.budget is not None
    assert isinstance(graph, MappedGraph)
    engine, n_workers = runner.here
    room = runner.budget.room(graph.n_nodes * (_FIRST_BYTES + 4 * n_workers), "radius 1 of this graph")
    rank, node = ranking.rank_by_degree(graph.indptr)
    arcs = upward_arcs(graph, frozen(rank), frozen(node), runner.budget, room)
    split = frozen(np.diff(arcs.indptr).astype(np.int32))
    degrees = frozen(np.diff(graph.indptr)[node])
    graph.release()
    values = radius_one(
        *arcs, split, degrees, approximate=kind == "approx", engine=engine, n_workers=n_workers,
        count=runner.budget.zeros(arcs.indices.size, room),
    )  # fmt: skip
    return frozen(values), rank


def ranked_within(graph: Graph, settings: Settings, direction: str, runner: Runner) -> tuple[Ranked, int | None]:
    """Return the graph in ranks, in a file where memory is short or workers share storage; and bytes for each worker.

    Bytes are None without a budget.
    """
    plain = not settings.weighted and (direction == "all" or not graph.directed)
    slice_arcs, room = SLICE_ARCS, None
    if runner.budget is not None:
        taken = graph.n_nodes * (_PLAN_BYTES + 24 * settings.radius + 32 * runner.n_workers)
        if not plain:
            # Weights and directions are rewritten in memory, with what they are made from beside them.
            taken += graph.indices.size * (32 if settings.weighted else 12)
        room = runner.budget.room(taken, "this graph")
        slice_arcs = runner.budget.slice_arcs(room)
        room //= runner.n_workers
    if plain and isinstance(graph, MappedGraph):
        folder = runner.plans or (runner.budget.folder if runner.budget is not None else None)
        if folder is not None or (runner.local is not None and has_ranked_file(graph)):
            return ranked_from_file(graph, folder, slice_arcs), room
    return rank_graph(graph, weighted=settings.weighted, direction=direction), room
