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
from vnestruct.kernels.workspace import LARGEST, LINKS, NODES, SQUARES, TRACE, Balls, Workspace
from vnestruct.types import FlagArray, IdArray, ValueArray


@kernel
def fill_rows(
    balls: Balls, space: Workspace, work: IdArray, rows: ValueArray, cancel: FlagArray
) -> tuple[int, int, int]:
    """Fill ``rows[i, r - 1, o]`` with output o of the r-ball of node ``work[i]``.

    With 2 as the smallest radius, radius 1 is there already. Returns (position reached, rows needed, arcs needed): when
    `space` is too small for the next group, it must be enlarged and the call repeated from that position.
    """
    graph, arcs, _, request = balls
    search = space.search
    for position in range(0, work.size, WIDTH):
        if cancel[0] != 0:
            return position, 0, 0
        centres, own = work[position : position + WIDTH], rows[position : position + WIDTH]
        length = start_search(search, centres)
        active = np.uint8((1 << centres.size) - 1)
        k = -1
        for r in range(1, request.radius + 1):
            length, reached = next_level(search, arcs, length, r == request.radius)
            if r < request.smallest:
                continue
            for j in range(centres.size):
                if r == 1:
                    describe_ball(1.0, 0.0, 0.0, 0.0, 0.0, request.outputs, request.scale, own[j, 0])
                else:
                    for o in range(request.outputs.size):
                        own[j, r - 1, o] = own[j, r - 2, o]
            if r == 2:
                reached |= _with_twins(graph.copies, centres)
            # A ball that did not grow will not grow later.
            active &= reached
            if active == 0:
                k = -1
                continue
            k = list_members(search)
            probes = count_probes(graph.split, search.ball, k)
            if k > space.rows.masks.size or probes > space.rows.low.size - 1:
                clear_search(search, k)
                return position, k, probes
            _fill_radius(balls, space, centres, own, r, k, active, cancel)
            if cancel[0] != 0:
                break
        if k < 0:
            k = list_members(search)
        clear_search(search, k)
    return work.size, 0, 0


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
    balls: Balls, space: Workspace, centres: IdArray, rows: ValueArray, r: int, k: int, active: int, cancel: FlagArray
) -> None:
    """Fill radius r of the balls of the bit set `active`, which have k nodes in all."""
    graph, _, components, request = balls
    search, local, lanes = space.search, space.rows, space.lanes
    stats = lanes.stats
    k = name_rows(search, local, graph.copies, local.twins, k, active)
    find_edges(graph, search, local, graph.weights, local.low_weights, local.nodes, k, active)
    join_rows(local, local.low_weights, local.weights, k)
    degrees_lanes(local, local.weights, local.twins, k, stats)
    is_plain = graph.weights is None
    pending = np.int64(0)
    for j in range(centres.size):
        if not (active >> j) & 1:
            continue
        lanes.theta[j] = stats[NODES, j]
        if not request.with_largest or (is_plain and stats[LARGEST, j] + 1.0 >= stats[NODES, j]):
            continue
        component = components.of[centres[j]]
        largest = components.largest[component]
        if stats[NODES, j] == components.size[component] and not np.isnan(largest):
            lanes.theta[j] = largest
        else:
            pending |= 1 << j
    if pending != 0:
        rows_by_length(local.ptr, k, local.low_ptr, local.order)
        second_bounds(local, local.weights, local.twins, k, lanes, pending)
        nothing = zero()
        for i in range(k):
            store(lanes.v, i, nothing)
        noisy = np.int64(0)
        for j in range(centres.size):
            if (pending >> j) & 1:
                start_vector(local, local.weights, local.twins, j, stats, lanes.v)
                if lanes.second[j] == np.inf:
                    noisy |= 1 << j
        if noisy != 0:
            add_noise(local, local.twins, k, stats, noisy, lanes.v)
        lanczos_lanes(local, local.weights, local.twins, k, lanes, request.tolerance, pending, cancel)
    for j in range(centres.size):
        if not (active >> j) & 1:
            continue
        describe_ball(
            stats[NODES, j], stats[TRACE, j], stats[SQUARES, j], stats[LINKS, j], lanes.theta[j], request.outputs,
            request.scale, rows[j, r - 1],
        )  # fmt: skip
        component = components.of[centres[j]]
        if (pending >> j) & 1 and stats[NODES, j] == components.size[component] and cancel[0] == 0:
            # Threads may write this at once: all write the same bits, and NaN means that it is not yet known.
            components.largest[component] = lanes.theta[j]
