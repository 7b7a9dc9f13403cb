"""Balls as kernels see them: the local graph of the union of up to eight, made by the kernels one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from scipy import sparse

from tests import oracles
from tests.graphs import weighted_copy
from tests.kernels.calls import (
    count_probes,
    degrees_lanes,
    find_edges,
    join_rows,
    list_members,
    name_rows,
    next_level,
    rows_by_length,
    start_search,
)
from vnestruct import Graph
from vnestruct.embedding import plan as planning
from vnestruct.embedding.plan import Plan, plan_ranked, rank_graph
from vnestruct.kernels.workspace import Lanes, Rows, Workspace, enlarge, make_workspace

Matrix = npt.NDArray[np.float64]


@dataclass
class Union:
    """The union of some balls, with all that is known before the iteration."""

    plan: Plan
    space: Workspace
    k: int
    inside: npt.NDArray[np.bool_]
    """The nodes of each ball, by the oracle's search: one column per row of the union (all its nodes if collapsed)."""
    matrices: list[Matrix]
    """Dense adjacency of each ball, of the same nodes."""

    @property
    def lanes(self) -> Lanes:
        """Vectors, and what is known of each ball."""
        return self.space.lanes

    def arguments(self) -> tuple[Rows, Matrix | None, Matrix | None]:
        """The local graph as many functions take it, with rows from the longest to the shortest."""
        rows = self.space.rows
        rows.order[: self.k] = rows_by_length(rows.ptr, self.k)
        return rows, rows.weights, rows.twins

    def fact(self, row: int) -> Matrix:
        """One row of what is known, for the lanes in use."""
        return self.lanes.stats[row, : len(self.matrices)]

    def dense(self) -> Matrix:
        """The local rows as a dense matrix."""
        rows, end = self.space.rows, self.space.rows.ptr[self.k]
        values = np.ones(end) if rows.weights is None else rows.weights[:end]
        return sparse.csr_array((values, rows.columns[:end], rows.ptr[: self.k + 1]), (self.k, self.k)).toarray()


def union_of_balls(
    graph: Graph,
    nodes: Sequence[int],
    radius: int,
    *,
    weighted: bool = False,
    direction: str = "all",
    collapsed: bool = False,
) -> Union:
    """Search the balls of up to eight nodes of `graph` together and build their local graph.

    With `collapsed` one row stands for all its twins, however few of them there are; the radius is 2 at least then.
    """
    assert radius >= 2 or not collapsed
    with patch.object(planning, "_FEW_TWINS", 0.0):
        ranked = rank_graph(graph, weighted=weighted, direction=direction)
        plan = plan_ranked(ranked, reduce_leaves=False, collapse=collapsed)
    centres = plan.rank[np.asarray(nodes)]
    if collapsed:
        centres = plan.leader[centres]
    space = make_workspace(graph.n_nodes, weighted, collapsed)
    search = space.search
    length = start_search(search, centres)
    for r in range(1, radius + 1):
        length, _ = next_level(search, plan.search, length, r == radius)
    k = list_members(search)
    space = enlarge(space, k, count_probes(plan.graph.split, search.ball, k))
    graph_rows, rows = plan.graph, space.rows
    every = np.uint8((1 << centres.size) - 1)
    k = name_rows(search, rows, graph_rows.copies, rows.twins, k, every)
    find_edges(graph_rows, search, rows, graph_rows.weights, rows.low_weights, rows.nodes, k, every)
    join_rows(rows, rows.low_weights, rows.weights, k)
    degrees_lanes(rows, rows.weights, rows.twins, k, space.lanes.stats)
    balls = [sorted(oracles.ball(graph, node, radius, direction)) for node in nodes]
    members = np.unique(np.concatenate(balls)) if collapsed else plan.node[rows.nodes[:k]]
    whole = _in_units_of(plan, oracles.adjacency(graph, weighted))[np.ix_(members, members)]
    inside = np.array([np.isin(members, ball) for ball in balls])
    assert inside.sum(axis=1).tolist() == [len(ball) for ball in balls]
    return Union(plan, space, k, inside, [whole * np.outer(own, own) for own in inside])


def union_of(graph: Graph, nodes: Sequence[int], radius: int, kind: str, seed: int = 3) -> Union:
    """The same of one of three kinds: "plain", with "weights", or with one row for all "twins"."""
    graph = weighted_copy(graph, seed) if kind == "weights" else graph
    return union_of_balls(graph, nodes, radius, weighted=kind == "weights", collapsed=kind == "twins")


def _in_units_of(plan: Plan, matrix: Matrix) -> Matrix:
    """Scale weights as the plan has scaled them, which must be by a power of two: that changes no bit of a result."""
    if plan.graph.weights is None or not matrix.any():
        return matrix
    unit = float(plan.graph.weights.max() / matrix.max())
    assert math.frexp(unit)[0] == 0.5
    return matrix * unit


def groups(graph: Graph, size: int, seed: int) -> list[list[int]]:
    """All nodes of a graph in random groups of at most `size`."""
    order = np.random.default_rng(seed).permutation(graph.n_nodes).tolist()
    return [order[first : first + size] for first in range(0, len(order), size)]
