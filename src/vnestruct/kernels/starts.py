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
    mul,
    splat,
    store,
    unpack_bytes,
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
        x = noise(ball[i], degree[i * WIDTH + lane] / largest)
        random2 += x * x
    scale = np.sqrt(norm2 / random2)
    for i in range(k):
        v[i * WIDTH + lane] += scale * noise(ball[i], degree[i * WIDTH + lane] / largest)


@njit(nogil=True, cache=True, inline="always")
def noise(key: int, share: float) -> float:
    """Return an entry of the random part of a start, for a node with this share of the largest degree."""
    x = uniform(key)
    return (x - 1.0 if x < 0.0 else x + 1.0) * share * share
