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

from vnestruct.kernels.bits import uniform
from vnestruct.kernels.vector import (
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
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

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
def start_vector(
    ptr: OffsetArray,
    columns: IdArray,
    weights: ValueArray | None,
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
            square = 1.0 if weights is None else weights[a] * weights[a]
            first += square
            total += square * d
    shift = largest + (first + total / largest) / largest
    v[hub * WIDTH + lane] = 1.0
    for a in range(ptr[hub], ptr[hub + 1]):
        place = np.uint64(columns[a]) * np.uint64(WIDTH) + np.uint64(lane)
        if degree[place] > 0.0:
            v[place] = -(1.0 if weights is None else weights[a]) / (shift - degree[place])


@njit(nogil=True, cache=True, error_model="numpy")
def add_noise(degree: ValueArray, k: int, facts: ValueArray, ball: IdArray, noisy: int, v: ValueArray) -> None:
    """Add to the starts of the lanes of the bit set `noisy` a random vector as long as they are."""
    nothing = zero()
    inverse = where_bits(noisy, div(splat(1.0), load(facts, 4)), nothing)
    norm = zero()
    random = zero()
    for i in range(k):
        x = load(v, i)
        norm = add(norm, mul(x, x))
        share = mul(load(degree, i), inverse)
        x = mul(splat(noise(ball[i])), mul(share, share))
        random = add(random, mul(x, x))
    scale = where_bits(noisy, square_root(div(norm, random)), nothing)
    for i in range(k):
        share = mul(load(degree, i), inverse)
        x = mul(splat(noise(ball[i])), mul(share, share))
        store(v, i, add(load(v, i), mul(scale, x)))


@njit(nogil=True, cache=True, inline="always")
def noise(key: int) -> float:
    """Return an entry of the random part of a start, for a node of the largest degree."""
    x = uniform(key)
    return x - 1.0 if x < 0.0 else x + 1.0
