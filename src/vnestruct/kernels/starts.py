"""What is known of a ball before the iteration: its hub, a bound on its second eigenvalue, and a start vector.

The hub h is the node of largest degree d1 in the ball. Deleting the hub's row and column of L interlaces the spectrum,
and replacing the entries of what is left by their absolute values cannot lower its largest eigenvalue; so the
Collatz-Wielandt bound of that non-negative matrix at the degrees,

    second = max over x != h of d_x + (sum of d_y over y in N(x) without h) / d_x,

is at least the second eigenvalue of L. Since the mean over y is at most d2, the second largest degree, only rows with a
large degree need a look. A ball whose bound stays clear of d1 + 1 <= lambda_max starts at the hub alone: its top
eigenvector is not orthogonal to the hub, and the bound proves the result. Any other ball starts at the hub plus a
random vector of the same norm, keyed by the rank of each node.

The hub's part is the eigenvector of the star around the hub to first order: 1 at h, -w_hu/(lambda - d_u) on its
neighbours u. With weights, degrees are sums of weights, averages are weighted, and lambda_max >= d1 takes the place of
lambda_max >= d1 + 1.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from vnestruct.kernels.bits import uniform
from vnestruct.kernels.vector import (
    WIDTH,
    add,
    greater_bits,
    load,
    mul,
    splat,
    store,
    unpack_bytes,
    where_greater,
    zero,
)
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

CLEAR = 0.98
"""A bound on the second eigenvalue must stay below this share of the bound on the largest to be of use."""

SPREAD = np.array([sum(((m >> j) & 1) << (8 * j) for j in range(WIDTH)) for m in range(256)], dtype=np.uint64)
"""The bits of a byte spread over eight bytes."""


@njit(nogil=True, cache=True)
def degrees_lanes(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    masks: FlagArray,
    k: int,
    degree: ValueArray,
    facts: ValueArray,
) -> None:
    """Fill `degree` with each lane's degrees, 0 outside its ball.

    `facts` receives rows of eight lanes: nodes, Tr(L), Tr(L**2), hub, its degree, second largest degree.
    """
    nodes = zero()
    twice = zero()
    squares = zero()
    hub = zero()
    largest = zero()
    runner = zero()
    for i in range(k):
        d = zero()
        arcs = zero()
        inside = unpack_bytes(SPREAD[masks[i]])
        if weights is None:
            a = ptr[i]
            end = ptr[i + 1]
            while a < end:
                # A byte a lane holds counts up to 255.
                stop = min(end, a + 255)
                packed = np.uint64(0)
                while a < stop:
                    packed += SPREAD[masks[np.uint32(columns[a])]]
                    a += 1
                d = add(d, unpack_bytes(packed))
            d = mul(d, inside)
            arcs = d
        else:
            for a in range(ptr[i], ptr[i + 1]):
                weight = mul(splat(weights[a]), unpack_bytes(SPREAD[masks[np.uint32(columns[a])]]))
                d = add(d, weight)
                arcs = add(arcs, mul(weight, weight))
            d = mul(d, inside)
            arcs = mul(arcs, inside)
        store(degree, i, d)
        nodes = add(nodes, inside)
        twice = add(twice, d)
        squares = add(squares, add(mul(d, d), arcs))
        lesser = where_greater(d, largest, largest, d)
        runner = where_greater(lesser, runner, lesser, runner)
        hub = where_greater(d, largest, splat(np.float64(i)), hub)
        largest = where_greater(d, largest, d, largest)
    store(facts, 0, nodes)
    store(facts, 1, twice)
    store(facts, 2, squares)
    store(facts, 3, hub)
    store(facts, 4, largest)
    store(facts, 5, runner)


@njit(nogil=True, cache=True, error_model="numpy")
def second_bounds(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    degree: ValueArray,
    k: int,
    facts: ValueArray,
    pending: int,
    second: ValueArray,
) -> None:
    """Fill `second` for the lanes of the bit set `pending`: a bound, or infinity where it is of no use."""
    cuts = np.empty(WIDTH)
    limits = np.empty(WIDTH)
    sums = np.empty(WIDTH)
    for j in range(WIDTH):
        limits[j] = CLEAR * (facts[4 * WIDTH + j] + (1.0 if weights is None else 0.0))
        second[j] = 0.0
        # The bound will exceed the second degree.
        if facts[5 * WIDTH + j] >= limits[j] or not (pending >> j) & 1:
            second[j] = np.inf
            cuts[j] = np.inf
        else:
            cuts[j] = limits[j] - facts[5 * WIDTH + j]
    open_lanes = pending
    for j in range(WIDTH):
        if second[j] == np.inf:
            open_lanes &= ~(1 << j)
    if open_lanes == 0:
        return
    cut = load(cuts, 0)
    runner = load(facts, 5)
    nothing = zero()
    bound = zero()
    for x in range(k):
        d = load(degree, x)
        # Rows outside a lane's ball have degree 0 and must not count.
        simple = where_greater(d, nothing, add(d, runner), nothing)
        large = greater_bits(d, cut) & open_lanes
        if large == 0:
            bound = where_greater(simple, bound, simple, bound)
            continue
        total = zero()
        for a in range(ptr[x], ptr[x + 1]):
            if weights is None:
                total = add(total, load(degree, np.uint32(columns[a])))
            else:
                total = add(total, mul(splat(weights[a]), load(degree, np.uint32(columns[a]))))
        store(sums, 0, total)
        for j in range(WIDTH):
            hub = np.int64(facts[3 * WIDTH + j])
            if not (open_lanes >> j) & 1 or x == hub:
                continue
            own = degree[x * WIDTH + j]
            if own <= 0.0:
                continue
            if not (large >> j) & 1:
                second[j] = max(second[j], own + facts[5 * WIDTH + j])
                continue
            rest = sums[j]
            at = _find(ptr, columns, x, hub)
            if at >= 0:
                rest -= facts[4 * WIDTH + j] * (1.0 if weights is None else weights[at])
            second[j] = max(second[j], own + rest / own)
            if second[j] >= limits[j]:
                second[j] = np.inf
                open_lanes &= ~(1 << j)
    store(sums, 0, bound)
    for j in range(WIDTH):
        second[j] = max(second[j], sums[j])


@njit(nogil=True, cache=True)
def _find(ptr: OffsetArray, columns: IdArray, row: int, wanted: int) -> int:
    """Return the place of a column in a row, or -1."""
    low = ptr[row]
    high = ptr[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if columns[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < ptr[row + 1] and columns[low] == wanted else -1


@njit(nogil=True, cache=True, error_model="numpy")
def start_vector(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    degree: ValueArray,
    lane: int,
    k: int,
    hub: int,
    largest: float,
    ball: IdArray,
    noisy: bool,
    v: ValueArray,
) -> None:
    """Write a lane's start into ``v[lane::8]``, which holds zeros."""
    first = 0.0
    total = 0.0
    for a in range(ptr[hub], ptr[hub + 1]):
        d = degree[np.uint64(columns[a]) * np.uint64(WIDTH) + np.uint64(lane)]
        if d > 0.0:
            square = 1.0 if weights is None else weights[a] * weights[a]
            first += square
            total += square * d
    shift = largest + (first + total / largest) / largest
    norm2 = 1.0
    v[hub * WIDTH + lane] = 1.0
    for a in range(ptr[hub], ptr[hub + 1]):
        place = np.uint64(columns[a]) * np.uint64(WIDTH) + np.uint64(lane)
        if degree[place] > 0.0:
            x = -(1.0 if weights is None else weights[a]) / (shift - degree[place])
            v[place] = x
            norm2 += x * x
    if not noisy:
        return
    random2 = 0.0
    for i in range(k):
        if degree[i * WIDTH + lane] > 0.0:
            x = uniform(ball[i])
            random2 += x * x
    scale = np.sqrt(norm2 / random2)
    for i in range(k):
        if degree[i * WIDTH + lane] > 0.0:
            v[i * WIDTH + lane] += scale * uniform(ball[i])
