"""What is known of a ball before the iteration: its degrees, its hub, and a start vector.

The hub h is the node of largest degree d1 in the ball. A ball whose second eigenvalue is known to stay clear of
d1 + 1 <= lambda_max starts at the hub alone: its top eigenvector is not orthogonal to the hub, and the bound proves the
result. Any other ball starts at the hub plus a random vector of the same norm, keyed by the rank of each node. Its
entries are as large as the square of the degree, give or take a factor of two: the top eigenvector lives on nodes of
large degree, and if it sits on another hub than the chosen one, its share in the start must not drown in a large ball.

The hub's part is the eigenvector of the star around the hub to first order: 1 at h, -w_hu/(lambda - d_u) on its
neighbours u. With weights, degrees are sums of weights.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from vnestruct.kernels.bits import load_word, uniform
from vnestruct.kernels.local_rows import MANY_TWINS
from vnestruct.kernels.neighbour_sums import entry
from vnestruct.kernels.vector import (
    SPREAD,
    WIDTH,
    add,
    div,
    load,
    mul,
    splat,
    square_root,
    store,
    unpack_bytes,
    where_bits,
    where_greater,
    zero,
)
from vnestruct.kernels.workspace import COUNT, INNER, SHARE
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray, WordArray


@njit(nogil=True, cache=True)
def degrees_lanes(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    twins: ValueArray | None,
    spread: WordArray,
    masks: FlagArray,
    k: int,
    degree: ValueArray,
    facts: ValueArray,
) -> None:
    """Fill `degree` with each lane's degrees, 0 outside its ball.

    `facts` receives rows of eight lanes: nodes, Tr(L), Tr(L**2), hub, its degree, largest degree of another row, rows.
    """
    nodes = zero()
    rows = zero()
    twice = zero()
    squares = zero()
    hub = zero()
    largest = zero()
    runner = zero()
    room = 255
    has_many = False
    if twins is not None:
        most = 1.0
        for i in range(k):
            if twins[i, COUNT] > MANY_TWINS:
                has_many = True
            else:
                most = max(most, twins[i, COUNT])
        room = 255 // np.int64(most)
        if has_many:
            _add_many(ptr, columns, twins, masks, k, degree)
    for i in range(k):
        d = load(degree, i) if has_many else zero()
        arcs = zero()
        inside = unpack_bytes(SPREAD[masks[i]])
        if weights is None:
            a = ptr[i]
            end = ptr[i + 1]
            while a < end:
                # A byte a lane holds counts up to 255.
                stop = min(end, a + room)
                packed = np.uint64(0)
                while a < stop:
                    if twins is None:
                        packed += SPREAD[masks[np.uint32(columns[a])]]
                    else:
                        packed += load_word(spread, np.uint32(columns[a]))
                    a += 1
                d = add(d, unpack_bytes(packed))
            if twins is not None:
                d = add(d, splat(twins[i, INNER]))
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
        rows = add(rows, inside)
        if twins is None:
            nodes = rows
            twice = add(twice, d)
            squares = add(squares, add(mul(d, d), arcs))
        else:
            count = splat(twins[i, COUNT])
            nodes = add(nodes, mul(count, inside))
            twice = add(twice, mul(count, d))
            squares = add(squares, mul(count, add(mul(d, d), arcs)))
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
    store(facts, 6, rows)


@njit(nogil=True, cache=True)
def _add_many(
    ptr: OffsetArray, columns: IdArray, twins: ValueArray, masks: FlagArray, k: int, degree: ValueArray
) -> None:
    """Write into `degree` what rows that stand for many nodes bring to their neighbours, less one each."""
    nothing = zero()
    for i in range(k):
        store(degree, i, nothing)
    for i in range(k):
        if twins[i, COUNT] > MANY_TWINS:
            others = mul(splat(twins[i, COUNT] - 1.0), unpack_bytes(SPREAD[masks[i]]))
            for a in range(ptr[i], ptr[i + 1]):
                j = np.uint32(columns[a])
                store(degree, j, add(load(degree, j), others))


@njit(nogil=True, cache=True, error_model="numpy")
def start_vector(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
    twins: ValueArray | None,
    degree: ValueArray,
    lane: int,
    hub: int,
    largest: float,
    v: ValueArray,
) -> None:
    """Write a lane's start at its hub into ``v[lane::8]``, which holds zeros."""
    first = 0.0
    total = 0.0
    for a in range(ptr[hub], ptr[hub + 1]):
        d = degree[np.uint64(columns[a]) * np.uint64(WIDTH) + np.uint64(lane)]
        if d > 0.0:
            square = entry(weights, twins, a, columns[a])
            if weights is not None:
                square *= square
            first += square
            total += square * d
    if twins is None:
        shift = largest + (first + total / largest) / largest
        own = 1.0
    else:
        own = twins[hub, COUNT]
        shift = largest - twins[hub, INNER] + own * (first + total / largest) / largest
        shift = max(shift, largest + 1.0)
    v[hub * WIDTH + lane] = own
    for a in range(ptr[hub], ptr[hub + 1]):
        place = np.uint64(columns[a]) * np.uint64(WIDTH) + np.uint64(lane)
        if degree[place] > 0.0:
            v[place] = -(own * entry(weights, twins, a, columns[a])) / (shift - degree[place])


@njit(nogil=True, cache=True, error_model="numpy")
def add_noise(
    twins: ValueArray | None, degree: ValueArray, k: int, facts: ValueArray, ball: IdArray, noisy: int, v: ValueArray
) -> None:
    """Add to the starts of the lanes of the bit set `noisy` a random vector as long as they are."""
    nothing = zero()
    inverse = where_bits(noisy, div(splat(1.0), load(facts, 4)), nothing)
    norm = zero()
    random = zero()
    for i in range(k):
        x = load(v, i)
        square = mul(x, x)
        norm = add(norm, square if twins is None else mul(splat(twins[i, SHARE]), square))
        share = mul(load(degree, i), inverse)
        x = mul(splat(noise(ball[i])), mul(share, share))
        square = mul(x, x)
        random = add(random, square if twins is None else mul(splat(twins[i, COUNT]), square))
    scale = where_bits(noisy, square_root(div(norm, random)), nothing)
    for i in range(k):
        share = mul(load(degree, i), inverse)
        x = mul(splat(noise(ball[i])), mul(share, share))
        if twins is not None:
            x = mul(splat(twins[i, COUNT]), x)
        store(v, i, add(load(v, i), mul(scale, x)))


@njit(nogil=True, cache=True, inline="always")
def noise(key: int) -> float:
    """Return an entry of the random part of a start, for a node of the largest degree."""
    x = uniform(key)
    return x - 1.0 if x < 0.0 else x + 1.0
