"""Balls as kernels see them: the local graph of the union of up to eight, made by the kernels one after the other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tests import oracles
from vnestruct import Graph
from vnestruct.embedding.plan import Plan, make_plan
from vnestruct.kernels.local_rows import count_probes, find_edges, join_rows
from vnestruct.kernels.search import list_members, next_level, start_search
from vnestruct.kernels.starts import degrees_lanes
from vnestruct.kernels.vector import WIDTH
from vnestruct.kernels.workspace import Space, enlarge, make_space

Matrix = npt.NDArray[np.float64]


@dataclass
class Union:
    """The union of some balls, with all that is known before the iteration."""

    plan: Plan
    space: Space
    k: int
    centres: npt.NDArray[np.int32]
    matrices: list[Matrix]
    """Dense adjacency of each ball over the rows of the union, by the oracle's search."""

    @property
    def columns(self) -> npt.NDArray[np.int32]:
        """Columns of the local rows."""
        return self.space.columns[: self.space.ptr[self.k]]

    def fact(self, row: int) -> Matrix:
        """One row of what is known, for the lanes in use."""
        return self.space.facts[row * WIDTH : row * WIDTH + self.centres.size]

    def dense(self) -> Matrix:
        """The local rows as a dense matrix."""
        matrix = np.zeros((self.k, self.k))
        for i in range(self.k):
            row = slice(self.space.ptr[i], self.space.ptr[i + 1])
            values = 1.0 if self.space.values is None else self.space.values[row]
            matrix[i, self.space.columns[row]] = values
        return matrix


def union_of_balls(
    graph: Graph, nodes: Sequence[int], radius: int, *, weighted: bool = False, direction: str = "all"
) -> Union:
    """Search the balls of up to eight nodes of `graph` together and build their local graph."""
    plan = make_plan(graph, weighted=weighted, direction=direction, reduce_leaves=False)
    centres = plan.rank[np.asarray(nodes)]
    space = make_space(graph.n_nodes, weighted)
    arcs = plan.search
    length = start_search(centres, space.seen, space.front, space.members, space.summary, space.frontier)
    for r in range(1, radius + 1):
        length, _ = next_level(
            arcs.indptr, arcs.indices, space.seen, space.front, space.new, space.members, space.summary,
            space.frontier, length, space.following, r == radius,
        )  # fmt: skip
    k = list_members(space.members, space.summary, space.ball)
    space = enlarge(space, k, count_probes(plan.graph.split, space.ball, k))
    space.local[space.ball[:k]] = np.arange(k, dtype=np.int32)
    space.masks[:k] = space.seen[space.ball[:k]]
    rows = plan.graph
    every = np.uint8((1 << centres.size) - 1)
    find_edges(
        rows.indptr, rows.indices, rows.weights, rows.split, space.seen, space.local, space.ball, k, every,
        space.low, space.low_weights, space.low_ptr, space.high,
    )  # fmt: skip
    join_rows(
        space.low, space.low_weights, space.low_ptr, space.high, k, space.ptr, space.place, space.columns,
        space.values,
    )  # fmt: skip
    degrees_lanes(space.ptr, space.columns, space.values, space.masks, k, space.degree, space.facts)
    members = plan.node[space.ball[:k]]
    whole = _in_units_of(plan, oracles.adjacency(graph, weighted))[np.ix_(members, members)]
    matrices = []
    for node in nodes:
        inside = np.isin(members, sorted(oracles.ball(graph, node, radius, direction)))
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
