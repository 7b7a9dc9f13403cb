"""Radius 1 in closed form.

The centre v of a 1-ball is joined to all of it, so lambda_max of its Laplacian is the number of its nodes, d + 1. With
c_u the triangles on the edge to neighbour u, the ball has m = d + sum(c_u)/2 edges, and u has degree 1 + c_u in it:
Q follows from counts alone.

Triangles are counted by degree order. Every triangle is found once, from its corner u of smallest degree: mark the
upward neighbours of u, then look through the upward rows of each of them. Upward rows are short even at hubs, so the
work is O(m**1.5) (Schank and Wagner 2005). The upward arcs of u are the first ``split[u]`` of its row; ``count[a]``
belongs to the edge of upward arc a.
"""

from math import log

import numpy as np

from vnestruct.kernels.machine import add_atomically, inlined, kernel
from vnestruct.kernels.workspace import UpwardRows
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

OUTPUTS = ("approx", "quadratic", "unscaled", "nodes", "edges", "squares", "largest")
"""What can be said of a ball whose traces and largest eigenvalue are known; kernels take the places in this list."""

_HUBS = 4096  # nodes of largest degree, at which half of all arcs of a skewed graph end

_APPROX, _QUADRATIC, _UNSCALED, _NODES, _EDGES, _SQUARES, _LARGEST = range(7)


@kernel
def count_triangles(
    upward: UpwardRows, first: int, last: int, mark: IdArray, local: IdArray, count: IdArray, exclusive: bool,
    cancel: FlagArray,
) -> None:  # fmt: skip
    """Add to `count` the triangles whose lowest corner is in first..last-1.

    `mark` (n, zeros) and `local` (longest upward row + 1) are scratch. Unless it is `exclusive`, other threads add to
    `count` at the same time, and additions are atomic.
    """
    indptr, indices, split = upward
    for u in range(first, last):
        begin = indptr[u]
        length = split[u]
        if length < 2:
            continue
        if cancel[0] != 0:
            return
        for x in range(length):
            mark[np.uint32(indices[begin + x])] = x + 1
            local[x + 1] = 0
        for x in range(1, length):
            v = indices[begin + x]
            found = 0
            for b in range(indptr[v], indptr[v] + split[v]):
                position = mark[np.uint32(indices[b])]
                if position > 0:
                    found += 1
                    local[np.uint32(position)] += 1
                    _add(count, b, np.int32(1), exclusive)
            local[x + 1] += found
        for x in range(length):
            mark[np.uint32(indices[begin + x])] = 0
            _add(count, begin + x, local[x + 1], exclusive)


@kernel
def add_ball_sums(
    upward: UpwardRows, count: IdArray, first: int, last: int, exclusive: bool, triangles: OffsetArray,
    squares: OffsetArray,
) -> None:  # fmt: skip
    """Add to zeros per rank: the sum of c_u and the sum of (1 + c_u)**2 over its neighbours u.

    Only the upward arcs of first..last-1 are followed, in both directions. `exclusive` is as for `count_triangles`.
    """
    indptr, indices, split = upward
    # Of the hubs, to which threads would add at the same moment, each keeps sums of its own until the end.
    n_hubs = 0 if exclusive else min(_HUBS, split.size)
    hubs = np.zeros((n_hubs, 2), np.int64)
    for u in range(first, last):
        own_triangles = own_squares = 0
        for a in range(indptr[u], indptr[u] + split[u]):
            c = np.int64(count[a])
            v = np.uint32(indices[a])
            square = (1 + c) * (1 + c)
            own_triangles += c
            own_squares += square
            if v < n_hubs:
                hubs[v, 0] += c
                hubs[v, 1] += square
            else:
                _add(triangles, v, c, exclusive)
                _add(squares, v, square, exclusive)
        _add(triangles, np.uint32(u), own_triangles, exclusive)
        _add(squares, np.uint32(u), own_squares, exclusive)
    for v in range(n_hubs):
        _add(triangles, np.uint32(v), hubs[v, 0], exclusive)
        _add(squares, np.uint32(v), hubs[v, 1], exclusive)


@inlined
def _add(sums: OffsetArray, place: int, amount: int, exclusive: bool) -> None:
    if exclusive:
        sums[place] += amount
    elif amount != 0:
        add_atomically(sums, place, amount)


@kernel
def quadratic_entropy(trace: float, squares: float) -> float:
    """Q = 1 - Tr(L**2) / Tr(L)**2 from Tr(L) and Tr(L**2); 0 without edges."""
    if not trace > 0.0:
        return 0.0
    return max((trace * trace - squares) / (trace * trace), 0.0)


@kernel
def approximate_entropy(trace: float, squares: float, largest: float) -> float:
    """H_hat = -Q ln(lambda_max / Tr(L)); 0 for a graph of at most one edge."""
    quadratic = quadratic_entropy(trace, squares)
    if quadratic == 0.0 or not largest < trace:
        return 0.0
    return -quadratic * log(largest / trace)


@kernel
def describe_ball(
    nodes: float, trace: float, squares: float, links: float, largest: float, outputs: OffsetArray, scale: float,
    values: ValueArray,
) -> None:  # fmt: skip
    """Fill `values` with the outputs asked for.

    The ball is given by its number of nodes, Tr(L), Tr(L**2), the sum of squared weights over its arcs, and lambda_max,
    in units of `scale`, which matters to no entropy but "unscaled": -Q ln(lambda_max).
    """
    for i in range(outputs.size):
        output = outputs[i]
        if output == _APPROX:
            values[i] = approximate_entropy(trace, squares, largest)
        elif output == _QUADRATIC:
            values[i] = quadratic_entropy(trace, squares)
        elif output == _UNSCALED:
            quadratic = quadratic_entropy(trace, squares)
            values[i] = -quadratic * (log(largest) + log(scale)) if quadratic > 0.0 else 0.0
        elif output == _NODES:
            values[i] = nodes
        elif output == _EDGES:
            values[i] = 0.5 * trace * scale
        elif output == _SQUARES:
            values[i] = (squares - links) * scale * scale
        elif output == _LARGEST:
            values[i] = largest * scale if trace > 0.0 else 0.0


@kernel
def radius_one(
    degree: OffsetArray, triangles: OffsetArray, squares: OffsetArray, outputs: OffsetArray, values: ValueArray
) -> None:
    """Fill the rows of `values` with the outputs asked for, of all 1-balls."""
    is_default = outputs.size == 1 and outputs[0] == _APPROX  # to look that up for each ball would take longest
    for u in range(degree.size):
        d = np.int64(degree[u])
        twice_edges = 2 * d + triangles[u]
        trace = np.float64(twice_edges)
        # Tr(L**2) is the sum of the squared degrees plus one for every arc.
        total = np.float64(d * d + squares[u] + twice_edges)
        if is_default:
            values[u, 0] = approximate_entropy(trace, total, d + 1.0)
        else:
            describe_ball(d + 1.0, trace, total, trace, d + 1.0, outputs, 1.0, values[u])


@kernel
def single_edges(weights: ValueArray, outputs: OffsetArray, scale: float, values: ValueArray) -> None:
    """Fill the rows of `values` with the outputs asked for, of balls that are one edge each."""
    for u in range(weights.size):
        w = weights[u]
        describe_ball(2.0, 2.0 * w, 4.0 * w * w, 2.0 * w * w, 2.0 * w, outputs, scale, values[u])
