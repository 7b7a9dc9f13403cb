"""What is known of a ball before the iteration: its degrees, its hub, and a start vector.

The hub h is the node of largest degree d1 in the ball. A ball whose second eigenvalue is known to stay clear of
d1 + 1 <= lambda_max starts at the hub alone: its top eigenvector is not orthogonal to the hub, and the bound proves the
result. Any other ball starts at the hub plus a random vector of the same norm, keyed by the rank of each node. Its
entries are as large as the square of the degree, give or take a factor of two: the top eigenvector lives on nodes of
large degree, and if it sits on another hub than the chosen one, its share in the start must not drown in a large ball.

The hub's part is the eigenvector of the star around the hub to first order: 1 at h, -w_hu/(lambda - d_u) on its
neighbours u. With weights, degrees are sums of weights.
"""

import numpy as np

from vnestruct.kernels.local_rows import MANY_TWINS
from vnestruct.kernels.machine import inlined, internal, kernel, uniform
from vnestruct.kernels.neighbour_sums import entry
from vnestruct.kernels.vector import (
    SPREAD,
    WIDTH,
    load,
    splat,
    square_root,
    store,
    unpack_bytes,
    where_bits,
    where_greater,
    zero,
)
from vnestruct.kernels.workspace import (
    COUNT,
    HUB,
    INNER,
    LARGEST,
    LINKS,
    N_ROWS,
    NODES,
    RUNNER_UP,
    SHARE,
    SQUARES,
    TRACE,
    Rows,
)
from vnestruct.types import ValueArray


@internal
def degrees_lanes(local: Rows, weights: ValueArray | None, twins: ValueArray | None, k: int, stats: ValueArray) -> None:
    """Fill the degrees of each lane, 0 outside its ball, and `stats` with what `workspace` names."""
    ptr, columns, spread, masks, degree = local.ptr, local.columns, local.spread, local.masks, local.degree
    nodes = rows = twice = squares = links = zero()
    hub = largest = runner = zero()
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
            _add_many(local, twins, k)
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
                        packed += spread[np.uint32(columns[a])]
                    a += 1
                d = d + unpack_bytes(packed)
            if twins is not None:
                d = d + twins[i, INNER]
            d = d * inside
            arcs = d
        else:
            for a in range(ptr[i], ptr[i + 1]):
                weight = weights[a] * unpack_bytes(SPREAD[masks[np.uint32(columns[a])]])
                d = d + weight
                arcs = arcs + weight * weight
            d = d * inside
            arcs = arcs * inside
            links = links + arcs
        store(degree, i, d)
        rows = rows + inside
        if twins is None:
            nodes = rows
            twice = twice + d
            squares = squares + (d * d + arcs)
        else:
            count = splat(twins[i, COUNT])
            nodes = nodes + count * inside
            twice = twice + count * d
            squares = squares + count * (d * d + arcs)
        lesser = where_greater(d, largest, largest, d)
        runner = where_greater(lesser, runner, lesser, runner)
        hub = where_greater(d, largest, splat(np.float64(i)), hub)
        largest = where_greater(d, largest, d, largest)
    store(stats, NODES, nodes)
    store(stats, TRACE, twice)
    store(stats, SQUARES, squares)
    store(stats, LINKS, twice if weights is None else links)
    store(stats, HUB, hub)
    store(stats, LARGEST, largest)
    store(stats, RUNNER_UP, runner)
    store(stats, N_ROWS, rows)


@internal
def _add_many(local: Rows, twins: ValueArray, k: int) -> None:
    """Write into the degrees what rows that stand for many nodes bring to their neighbours, less one each."""
    ptr, columns, degree = local.ptr, local.columns, local.degree
    nothing = zero()
    for i in range(k):
        store(degree, i, nothing)
    for i in range(k):
        if twins[i, COUNT] > MANY_TWINS:
            others = (twins[i, COUNT] - 1.0) * unpack_bytes(SPREAD[local.masks[i]])
            for a in range(ptr[i], ptr[i + 1]):
                j = np.uint32(columns[a])
                store(degree, j, load(degree, j) + others)


@internal
def start_vector(
    local: Rows, weights: ValueArray | None, twins: ValueArray | None, lane: int, stats: ValueArray, v: ValueArray
) -> None:
    """Write a lane's start at its hub into ``v[lane::8]``, which holds zeros."""
    ptr, columns, degree = local.ptr, local.columns, local.degree
    hub, largest = np.int64(stats[HUB, lane]), stats[LARGEST, lane]
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


@internal
def add_noise(local: Rows, twins: ValueArray | None, k: int, stats: ValueArray, noisy: int, v: ValueArray) -> None:
    """Add to the starts of the lanes of the bit set `noisy` a random vector as long as they are."""
    degree, nodes = local.degree, local.nodes
    nothing = zero()
    inverse = where_bits(noisy, 1.0 / load(stats, LARGEST), nothing)
    norm = random = zero()
    for i in range(k):
        x = load(v, i)
        square = x * x
        norm = norm + (square if twins is None else twins[i, SHARE] * square)
        share = load(degree, i) * inverse
        x = noise(nodes[i]) * (share * share)
        square = x * x
        random = random + (square if twins is None else twins[i, COUNT] * square)
    scale = where_bits(noisy, square_root(norm / random), nothing)
    for i in range(k):
        share = load(degree, i) * inverse
        x = noise(nodes[i]) * (share * share)
        if twins is not None:
            x = twins[i, COUNT] * x
        store(v, i, load(v, i) + scale * x)


@inlined
def noise(key: int) -> float:
    """Return an entry of the random part of a start, for a node of the largest degree."""
    x = uniform(key)
    return x - 1.0 if x < 0.0 else x + 1.0


@kernel
def noises(n_rows: int) -> ValueArray:
    """Return the random part of a start on nodes 0, 1, ... of the largest degree."""
    entries = np.empty(n_rows)
    for i in range(n_rows):
        entries[i] = noise(i)
    return entries
