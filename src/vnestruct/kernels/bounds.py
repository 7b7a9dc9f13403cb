"""An upper bound on the second largest Laplacian eigenvalue of each of eight balls.

The hub h is the node of largest degree d1 in the ball. Deleting the hub's row and column of L interlaces the spectrum,
and replacing the entries of what is left by their absolute values, to a matrix B, cannot lower its largest eigenvalue.
So for any positive vector y, the Collatz-Wielandt quotient

    second = max over x != h of (B y)_x / y_x = max of d_x + (sum of y_u over u in N(x) without h) / y_x

is at least the second eigenvalue of L. It is of use where it stays clear of d1 + 1 <= lambda_max (with weights:
d1 <= lambda_max).

Where a second node has nearly as many neighbours as the hub, its star alone puts the largest eigenvalue of B too high,
and no y will do. Otherwise the first y is the degrees. The mean over u is then at most d2, the second largest degree,
so only rows with a large degree need a look. Where that does not do, y goes through a few steps of the power method
with B, which lower the quotient; a step costs as much as one of the eigenvalue iteration, and a bound saves ten of
those. Balls of few nodes go without.

Where rows stand for twins, all this is about the Laplacian on vectors equal on twins, and B loses more than one node
where the hub has twins. d_x is then the number of neighbours of x outside its own group, and a sum over u counts all
nodes that u stands for; `degree` still counts all neighbours.
"""

import numpy as np

from vnestruct.kernels.machine import internal
from vnestruct.kernels.neighbour_sums import entry, sum_neighbours
from vnestruct.kernels.vector import WIDTH, at_most_bits, greater_bits, load, store, where_bits, where_greater, zero
from vnestruct.kernels.workspace import COUNT, CUT, HUB, INNER, LARGEST, LIMIT, NODES, RUNNER_UP, TEMPORARY, Lanes, Rows
from vnestruct.types import ValueArray

CLEAR = 0.99  # a bound on the second eigenvalue must stay below this share of the bound on the largest to be of use
_POWER_STEPS = 4
FEW_NODES = 32.0  # a bound costs more than the steps it saves in a ball of so few nodes


@internal
def second_bounds(
    local: Rows, weights: ValueArray | None, twins: ValueArray | None, k: int, lanes: Lanes, pending: int
) -> None:
    """Fill `lanes.second` for the lanes of the bit set `pending`: a bound, or infinity where it is of no use."""
    ptr, columns, degree, stats, second = local.ptr, local.columns, local.degree, lanes.stats, lanes.second
    open_lanes = pending
    for j in range(WIDTH):
        limit = CLEAR * (stats[LARGEST, j] + (1.0 if weights is None else 0.0))
        stats[LIMIT, j] = limit
        stats[CUT, j] = limit - stats[RUNNER_UP, j]
        second[j] = 0.0
        # The bound will exceed the second degree.
        if stats[RUNNER_UP, j] >= limit or stats[NODES, j] <= FEW_NODES or not (pending >> j) & 1:
            second[j] = stats[CUT, j] = np.inf
            open_lanes &= ~(1 << j)
    if open_lanes != 0 and weights is None:
        hopeless = hopeless_lanes(local, twins, k, stats, open_lanes)
        for j in range(WIDTH):
            if (hopeless >> j) & 1:
                second[j] = stats[CUT, j] = np.inf
        open_lanes &= ~hopeless
    if open_lanes == 0:
        return
    worthwhile = open_lanes
    cut = load(stats, CUT)
    runner = load(stats, RUNNER_UP)
    nothing = bound = zero()
    for x in range(k):
        d = load(degree, x)
        # Rows outside a lane's ball have degree 0 and must not count.
        simple = where_greater(d, nothing, d + runner, nothing)
        large = greater_bits(d, cut) & open_lanes
        if large == 0:
            bound = where_greater(simple, bound, simple, bound)
            continue
        total = zero()
        for a in range(ptr[x], ptr[x + 1]):
            total = total + entry(weights, twins, a, columns[a]) * load(degree, np.uint32(columns[a]))
        store(stats, TEMPORARY, total)
        for j in range(WIDTH):
            hub = np.int64(stats[HUB, j])
            if not (open_lanes >> j) & 1 or x == hub:
                continue
            own = degree[x * WIDTH + j]
            if own <= 0.0:
                continue
            if not (large >> j) & 1:
                second[j] = max(second[j], own + stats[RUNNER_UP, j])
                continue
            rest = stats[TEMPORARY, j]
            at = _find(local, x, hub)
            if at >= 0:
                rest -= stats[LARGEST, j] * entry(weights, twins, at, hub)
            inner = 0.0 if twins is None else twins[x, INNER]
            second[j] = max(second[j], own - inner + rest / own)
            if second[j] >= stats[LIMIT, j]:
                second[j] = np.inf
                open_lanes &= ~(1 << j)
    store(stats, TEMPORARY, bound)
    for j in range(WIDTH):
        second[j] = max(second[j], stats[TEMPORARY, j])
    wanted = worthwhile & ~open_lanes
    if wanted != 0:
        _power_bounds(local, weights, twins, k, lanes, wanted)


@internal
def _power_bounds(
    local: Rows, weights: ValueArray | None, twins: ValueArray | None, k: int, lanes: Lanes, wanted: int
) -> None:
    """Lower the bounds of the lanes of the bit set `wanted`, each until it is below its limit."""
    degree, stats, second, y, z = local.degree, lanes.stats, lanes.second, lanes.v, lanes.w
    nothing = zero()
    for i in range(k):
        d = load(degree, i)
        store(y, i, d if twins is None else twins[i, COUNT] * d)
    for j in range(WIDTH):
        y[np.int64(stats[HUB, j]) * WIDTH + j] = 0.0
    for step in range(_POWER_STEPS + 1):
        quotient = zero()
        sum_neighbours(local.ptr, local.columns, weights, k, local.order, y, z, nothing)
        for i in range(k):
            own = load(y, i)
            inside = greater_bits(own, nothing)
            total = load(z, i)
            d = load(degree, i)
            if twins is not None:
                total = twins[i, COUNT] * total
                d = d - twins[i, INNER]
            total = d * own + total
            # Rows outside a lane's ball, and its hub, stay at zero.
            store(z, i, where_bits(inside, total, nothing))
            if step > 0:
                ratio = where_bits(inside, total / own, nothing)
                quotient = where_greater(ratio, quotient, ratio, quotient)
        y, z = z, y
        if step == 0:
            continue
        store(stats, TEMPORARY, quotient)
        for j in range(WIDTH):
            if (wanted >> j) & 1 and stats[TEMPORARY, j] < stats[LIMIT, j]:
                second[j] = stats[TEMPORARY, j]
                wanted &= ~(1 << j)
        if wanted == 0:
            return


@internal
def hopeless_lanes(local: Rows, twins: ValueArray | None, k: int, stats: ValueArray, wanted: int) -> int:
    """Return the lanes of the bit set `wanted` in which the star of one node puts B above the limit.

    A node of degree d with m neighbours beside the hub, each of degree 1 at least, gives B an eigenvalue as large as
    the larger root of (x - d)(x - 1) = m. Unweighted graphs alone.
    """
    degree = local.degree
    for j in range(WIDTH):
        near = stats[LIMIT, j] - 1.0
        if not (wanted >> j) & 1 or stats[RUNNER_UP, j] < near:
            near = np.inf
        stats[TEMPORARY, j] = near
    found = 0
    level = load(stats, TEMPORARY)
    for x in range(k):
        large = at_most_bits(level, load(degree, x)) & ~found
        if large == 0:
            continue
        for j in range(WIDTH):
            hub = np.int64(stats[HUB, j])
            if (large >> j) & 1 and x != hub:
                own = degree[x * WIDTH + j] - (0.0 if twins is None else twins[x, INNER])
                others = own - (entry(None, twins, 0, hub) if _find(local, x, hub) >= 0 else 0.0)
                limit = stats[LIMIT, j]
                if (limit - own) * (limit - 1.0) <= entry(None, twins, 0, x) * others:
                    found |= 1 << j
    return found


@internal
def _find(local: Rows, row: int, wanted: int) -> int:
    """Return the place of a column in a row, or -1."""
    ptr, columns = local.ptr, local.columns
    low = ptr[row]
    high = ptr[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if columns[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < ptr[row + 1] and columns[low] == wanted else -1
