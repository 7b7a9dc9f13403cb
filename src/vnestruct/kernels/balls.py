"""Entropies of the balls of radius 1..R, or 2..R where radius 1 is known in closed form, for a run of nodes.

Nodes are taken in groups of eight consecutive ones of the work list, which the plan orders so that neighbours in the
list share their largest neighbours. A group searches its balls together, radius by radius; one local graph of their
union serves all, and Lanczos runs on eight lanes. That pays even where the balls hardly overlap: a step on eight lanes
costs less than two on one. A ball's value depends on its set of nodes alone, bit for bit, not on its group.

Shortcuts, each exact: a ball that did not grow keeps its value; a ball that is its whole component is computed once;
an unweighted ball with a node joined to all others has as many nodes as its largest eigenvalue; and one row stands for
all its twins.

Twins are nodes with the same neighbours but for one another. From radius 2 on a ball holds all of them or none, and a
vector that is opposite on two twins and 0 elsewhere has the eigenvalue d, or d + 1 if they are joined, where d is their
degree in the ball. No ball's largest eigenvalue is below its largest degree plus 1, and it is equal to that only if a
node is joined to all others. In all other balls the top eigenvector is thus equal on twins, and the iteration may keep
one entry for them. Of a vector x that entry holds the sum over m twins; then neighbours add up as they are,

    (L x)_i = (d_i - inner_i) x_i - m_i sum of x_j over the rows joined to row i,

where inner_i = m_i - 1 if the twins are joined to one another, else 0; and inner products weigh row i by 1 / m_i. With
m_i = 1 that is the Laplacian itself, to the last bit.
"""

import numpy as np

from vnestruct.kernels.bounds import second_bounds
from vnestruct.kernels.closed_form import describe_ball
from vnestruct.kernels.lanczos import lanczos_lanes
from vnestruct.kernels.local_rows import count_probes, find_edges, join_rows, name_rows
from vnestruct.kernels.machine import inlined, internal, kernel
from vnestruct.kernels.neighbour_sums import rows_by_length
from vnestruct.kernels.search import clear_search, list_members, next_level, start_search
from vnestruct.kernels.starts import add_noise, degrees_lanes, start_vector
from vnestruct.kernels.vector import WIDTH, store, zero
from vnestruct.kernels.workspace import (
    HUB,
    LARGEST,
    LINKS,
    N_ROWS,
    NODES,
    SQUARES,
    TRACE,
    Arcs,
    Components,
    RankedGraph,
    Workspace,
)
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray


@kernel
def fill_rows(
    graph: RankedGraph, search: Arcs, work: IdArray, first: int, last: int, smallest: int, radius: int,
    outputs: OffsetArray, scale: float, with_largest: bool, tolerance: float, components: Components,
    space: Workspace, rows: ValueArray, cancel: FlagArray,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill ``rows[i, r - 1, o]`` with output o of the r-ball of node ``work[i]``, i = first..last-1.

    Radii go from `smallest` to `radius`; with `smallest` 2, radius 1 is there already. `outputs` and `scale` are those
    of `closed_form.describe_ball`; `with_largest` tells whether an output needs lambda_max. Returns (position reached,
    rows needed, arcs needed): when `space` is too small for the next group, it must be enlarged and the call repeated
    from that position.
    """
    for position in range(first, last, WIDTH):
        if cancel[0] != 0:
            return position, 0, 0
        centres = work[position : min(last, position + WIDTH)]
        length = start_search(centres, space.seen, space.front, space.members, space.summary, space.frontier)
        active = np.uint8((1 << centres.size) - 1)
        k = -1
        for r in range(1, radius + 1):
            length, reached = next_level(
                search.indptr, search.indices, space.seen, space.front, space.new, space.members, space.summary,
                space.frontier, length, space.following, r == radius,
            )  # fmt: skip
            if r < smallest:
                continue
            for j in range(centres.size):
                if r == 1:
                    describe_ball(1.0, 0.0, 0.0, 0.0, 0.0, outputs, scale, rows[position + j, 0])
                else:
                    for o in range(outputs.size):
                        rows[position + j, r - 1, o] = rows[position + j, r - 2, o]
            if r == 2:
                reached |= _with_twins(graph.copies, centres)
            # A ball that did not grow will not grow later.
            active &= reached
            if active == 0:
                k = -1
                continue
            k = list_members(space.members, space.summary, space.ball)
            probes = count_probes(graph.split, space.ball, k)
            if k > space.masks.size or probes > space.low.size - 1:
                clear_search(space.ball, k, space.seen, space.members, space.summary)
                return position, k, probes
            _fill_radius(
                graph, graph.weights, centres, k, active, outputs, scale, with_largest, tolerance, components, space,
                space.twins, space.low_weights, space.values, rows[position:last], r, cancel,
            )  # fmt: skip
            if cancel[0] != 0:
                break
        if k < 0:
            k = list_members(space.members, space.summary, space.ball)
        clear_search(space.ball, k, space.seen, space.members, space.summary)
    return last, 0, 0


@internal
def _with_twins(copies: IdArray | None, centres: IdArray) -> int:
    """Return the centres that stand for twins two steps away, which the search does not see: those balls do grow."""
    found = np.uint8(0)
    if copies is not None:
        for j in range(centres.size):
            if copies[centres[j]] > 1:
                found |= np.uint8(1 << j)
    return found


@inlined
def _fill_radius(
    graph: RankedGraph, weights: ValueArray | None, centres: IdArray, k: int,
    active: int, outputs: OffsetArray, scale: float, with_largest: bool, tolerance: float, components: Components,
    space: Workspace, twins: ValueArray | None, low_weights: ValueArray | None, local_weights: ValueArray | None,
    rows: ValueArray, r: int, cancel: FlagArray,
) -> None:  # fmt: skip
    k = name_rows(
        graph.copies, twins, space.spread, k, active, space.seen, space.ball, space.rows, space.local, space.masks
    )
    find_edges(
        graph.indptr, graph.indices, weights, graph.split, space.seen, space.local, space.rows, k, active,
        space.low, low_weights, space.low_ptr, space.high,
    )  # fmt: skip
    join_rows(
        space.low, low_weights, space.low_ptr, space.high, k, space.ptr, space.place, space.columns, local_weights
    )
    lane_facts = space.lane_facts
    degrees_lanes(
        space.ptr, space.columns, local_weights, twins, space.spread, space.masks, k, space.degree, lane_facts
    )
    pending = np.int64(0)
    for j in range(centres.size):
        if not (active >> j) & 1:
            continue
        space.theta[j] = lane_facts[NODES, j]
        space.steps[j] = 0
        if not with_largest or (weights is None and lane_facts[LARGEST, j] + 1.0 >= lane_facts[NODES, j]):
            continue
        component = components.of[centres[j]]
        largest = components.largest[component]
        if lane_facts[NODES, j] == components.size[component] and not np.isnan(largest):
            space.theta[j] = largest
        else:
            pending |= 1 << j
    if pending != 0:
        # The scratch of `join_rows` is free by now.
        order = space.high
        rows_by_length(space.ptr, k, space.low_ptr, order)
        second_bounds(
            space.ptr, space.columns, local_weights, twins, space.degree, k, order, lane_facts, pending, space.v,
            space.w, space.second,
        )  # fmt: skip
        nothing = zero()
        for i in range(k):
            store(space.v, i, nothing)
        noisy = np.int64(0)
        for j in range(centres.size):
            if (pending >> j) & 1:
                start_vector(
                    space.ptr, space.columns, local_weights, twins, space.degree, j, np.int64(lane_facts[HUB, j]),
                    lane_facts[LARGEST, j], space.v,
                )  # fmt: skip
                if space.second[j] == np.inf:
                    noisy |= 1 << j
        if noisy != 0:
            add_noise(twins, space.degree, k, lane_facts, space.rows, noisy, space.v)
        lanczos_lanes(
            space.ptr, space.columns, local_weights, twins, space.degree, k, order, space.v, space.before, space.w,
            lane_facts[N_ROWS], space.second, tolerance, pending, space.alpha, space.beta2, space.theta,
            space.steps, cancel,
        )  # fmt: skip
    for j in range(centres.size):
        if not (active >> j) & 1:
            continue
        describe_ball(
            lane_facts[NODES, j], lane_facts[TRACE, j], lane_facts[SQUARES, j], lane_facts[LINKS, j], space.theta[j],
            outputs, scale, rows[j, r - 1],
        )  # fmt: skip
        component = components.of[centres[j]]
        if (pending >> j) & 1 and lane_facts[NODES, j] == components.size[component] and cancel[0] == 0:
            # Threads may write this at once: all write the same bits, and NaN means that it is not yet known.
            components.largest[component] = space.theta[j]
