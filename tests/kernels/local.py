"""Balls as kernels see them: the local graph of the union of up to eight, made by the kernels one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import numpy.typing as npt

from tests import oracles
from tests.kernels.calls import (
    count_probes,
    degrees_lanes,
    find_edges,
    join_rows,
    list_members,
    name_rows,
    next_level,
    start_search,
)
from vnestruct import Graph
from vnestruct.embedding import plan as planning
from vnestruct.embedding.plan import Plan, plan_ranked, rank_graph
from vnestruct.kernels.lanczos import with_continuation
from vnestruct.kernels.workspace import Workspace, enlarge, make_workspace

Matrix = npt.NDArray[np.float64]


@dataclass
class Union:
    """The union of some balls, with all that is known before the iteration."""

    plan: Plan
    space: Workspace
    k: int
    centres: npt.NDArray[np.int32]
    matrices: list[Matrix]
    """Dense adjacency of each ball over the rows of the union (all its nodes if collapsed), by the oracle's search."""

    @property
    def columns(self) -> npt.NDArray[np.int32]:
        """Columns of the local rows."""
        return self.space.columns[: self.space.ptr[self.k]]

    def fact(self, row: int) -> Matrix:
        """One row of what is known, for the lanes in use."""
        return self.space.lane_facts[row, : self.centres.size]

    def dense(self) -> Matrix:
        """The local rows as a dense matrix."""
        matrix = np.zeros((self.k, self.k))
        for i in range(self.k):
            row = slice(self.space.ptr[i], self.space.ptr[i + 1])
            values = 1.0 if self.space.values is None else self.space.values[row]
            matrix[i, self.space.columns[row]] = values
        return matrix


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
    assert (plan.graph.copies is not None) == collapsed
    centres = plan.rank[np.asarray(nodes)]
    if collapsed:
        centres = plan.leader[centres]
    space = with_continuation(make_workspace(graph.n_nodes, weighted, collapsed), plan.graph.indices.size)
    arcs = plan.search
    length = start_search(centres, space.seen, space.front, space.members, space.summary, space.frontier)
    for r in range(1, radius + 1):
        length, _ = next_level(
            arcs.indptr, arcs.indices, space.seen, space.front, space.new, space.members, space.summary,
            space.frontier, length, space.following, r == radius,
        )  # fmt: skip
    k = list_members(space.members, space.summary, space.ball)
    space = enlarge(space, k, count_probes(plan.graph.split, space.ball, k))
    rows = plan.graph
    every = np.uint8((1 << centres.size) - 1)
    k = name_rows(
        rows.copies, space.twins, space.spread, k, every, space.seen, space.ball, space.rows, space.local, space.masks
    )
    find_edges(
        rows.indptr, rows.indices, rows.weights, rows.split, space.seen, space.local, space.rows, k, every,
        space.low, space.low_weights, space.low_ptr, space.high,
    )  # fmt: skip
    join_rows(
        space.low, space.low_weights, space.low_ptr, space.high, k, space.ptr, space.place, space.columns,
        space.values,
    )  # fmt: skip
    degrees_lanes(
        space.ptr,
        space.columns,
        space.values,
        space.twins,
        space.spread,
        space.masks,
        k,
        space.degree,
        space.lane_facts,
    )
    balls = [sorted(oracles.ball(graph, node, radius, direction)) for node in nodes]
    members = np.unique(np.concatenate(balls)) if collapsed else plan.node[space.rows[:k]]
    whole = _in_units_of(plan, oracles.adjacency(graph, weighted))[np.ix_(members, members)]
    matrices = []
    for ball in balls:
        inside = np.isin(members, ball)
        matrices.append(whole * np.outer(inside, inside))
    return Union(plan, space, k, centres, matrices)


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
