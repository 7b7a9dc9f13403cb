"""What was known just before each of some rows: one pass over edges in time order.

Times are not needed here. Each row says how many edges, the oldest first, have been added before it and how many of
them have left the window again; both numbers never fall from row to row. Two kernels make the pass independently of
each other, one for the structure of the graph, one for counts and values, so that two threads can run them.

Sums of values are kept to about 32 digits (Dekker 1971), as differences from the first value that a node had. So
nothing drifts when values leave a window, and equal values have no deviation.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from vnestruct.kernels.live import COMMON, DONE, LiveState, add_edge, remove_edge, slot_of
from vnestruct.kernels.machine import inlined, internal, kernel
from vnestruct.types import IdArray, OffsetArray, ValueArray

ADDED, DROPPED, ROW = 0, 1, 2  # places in the cursor of a pass that is not over
DEGREE, TRIANGLES, SQUARES, KNOWN = 0, 1, 2, 3  # columns of `structure`
COUNT, MEAN, DEVIATION, LAST = 0, 1, 2, 3  # what is said of values
_N, _FIRST, _SUM, _SQUARES, _NEWEST, N_SUMS = 0, 1, 2, 4, 6, 7  # columns of `sums`, two for each sum
_SPLIT = 134217729.0  # 2**27 + 1, which cuts a float into two halves of 26 bits


class Rows(NamedTuple):
    """What is asked, in the order of time."""

    ends: IdArray  # (rows, 1 or 2) numbers of nodes, -1 for an unknown one
    added: OffsetArray  # edges that are older than the row
    dropped: OffsetArray  # edges that are older than its window


@kernel
def structure_before(
    state: LiveState, occurrences: OffsetArray, edges: IdArray, rows: Rows, cursor: OffsetArray,
    structure: OffsetArray, pairs: OffsetArray,
) -> int:  # fmt: skip
    """Fill degree, triangles, squares and occurrences of each end, and of pairs: common neighbours, linked, newest edge.

    `state` keeps as weight of an edge the number, from 1, of its newest occurrence. The pass stops with `TABLE_FULL` or
    `POOL_FULL` where the state has no room, and goes on from `cursor` when called again with more.
    """
    for row in range(cursor[ROW], rows.added.size):
        cursor[ROW] = row
        for i in range(cursor[ADDED], rows.added[row]):
            cursor[ADDED] = i
            u, v = edges[i, 0], edges[i, 1]
            if u != v:
                why = add_edge(state, u, v, 0.0)
                if why != DONE:
                    return why
                state.weights[slot_of(state.table, u, v)] = i + 1.0
            occurrences[u] += 1
            occurrences[v] += 1
        cursor[ADDED] = max(cursor[ADDED], rows.added[row])
        for i in range(cursor[DROPPED], rows.dropped[row]):
            u, v = edges[i, 0], edges[i, 1]
            if u != v:
                remove_edge(state, u, v, 0.0)
            occurrences[u] -= 1
            occurrences[v] -= 1
        cursor[DROPPED] = max(cursor[DROPPED], rows.dropped[row])
        for end in range(rows.ends.shape[1]):
            u = rows.ends[row, end]
            structure[row, end, KNOWN] = occurrences[u] if u >= 0 else 0
            if structure[row, end, KNOWN] > 0:
                structure[row, end, DEGREE] = state.degree[u]
                structure[row, end, TRIANGLES] = state.triangles[u]
                structure[row, end, SQUARES] = state.squares[u]
        if rows.ends.shape[1] == 2 and structure[row, 0, KNOWN] > 0 and structure[row, 1, KNOWN] > 0:
            _describe_pair(state, rows.ends[row, 0], rows.ends[row, 1], pairs[row])
    return DONE


@internal
def _describe_pair(state: LiveState, u: int, v: int, pair: OffsetArray) -> None:
    slot = slot_of(state.table, u, v)
    if state.table[slot, 0] >= 0:
        pair[0] = state.table[slot, 1] & COMMON
        pair[1] = 1
        pair[2] = np.int64(state.weights[slot]) - 1
        return
    a, b = (u, v) if state.degree[u] <= state.degree[v] else (v, u)
    for x in range(state.start[a], state.start[a] + state.degree[a]):
        w = state.pool[x]
        if state.table[slot_of(state.table, b, w), 0] >= 0:
            pair[0] += 1


@kernel
def activity_before(
    edges: IdArray, values: ValueArray, rows: Rows, newest: OffsetArray, counts: OffsetArray, sums: ValueArray,
    activity: OffsetArray, moments: ValueArray,
) -> None:  # fmt: skip
    """Fill counts of edges out and in, the newest edge of each end, and what is said of values out and in.

    `newest` (nodes), `counts` (nodes, 2) and `sums` (nodes, 2, values, N_SUMS) are scratch, of zeros. Without
    directions all arrays have one place instead of two for them. Missing values are left out.
    """
    n_ways = counts.shape[1]
    added = dropped = 0
    for row in range(rows.added.size):
        for sign in (1, -1):
            begin = added if sign > 0 else dropped
            end = rows.added[row] if sign > 0 else rows.dropped[row]
            for i in range(begin, end):
                if edges[i, 0] == edges[i, 1]:
                    continue
                for side in range(2):
                    u, way = edges[i, side], min(side, n_ways - 1)
                    counts[u, way] += sign
                    if sign > 0:
                        newest[u] = i
                    for c in range(values.shape[1]):
                        if values[i, c] == values[i, c]:
                            _enter(sums[u, way, c], values[i, c], np.float64(sign))
            if sign > 0:
                added = max(added, end)
            else:
                dropped = max(dropped, end)
        for end in range(rows.ends.shape[1]):
            u = rows.ends[row, end]
            if u < 0:
                continue
            total = 0
            for way in range(n_ways):
                activity[row, end, 1 + way] = counts[u, way]
                total += counts[u, way]
                for c in range(values.shape[1]):
                    _describe_values(sums[u, way, c], moments[row, end, way, c])
            activity[row, end, 0] = newest[u] if total > 0 else -1


@inlined
def _two_sum(a: float, b: float) -> tuple[float, float]:
    """Return a + b and its rounding error."""
    total = a + b
    share = total - a
    return total, (a - (total - share)) + (b - share)


@internal
def _two_product(a: float, b: float) -> tuple[float, float]:
    """Return a * b and its rounding error."""
    product = a * b
    c, d = _SPLIT * a, _SPLIT * b
    a_high, b_high = c - (c - a), d - (d - b)
    a_low, b_low = a - a_high, b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@inlined
def _add_to(sums: ValueArray, place: int, high: float, low: float) -> None:
    total, error = _two_sum(sums[place], high)
    sums[place], sums[place + 1] = _two_sum(total, error + sums[place + 1] + low)


@internal
def _enter(sums: ValueArray, value: float, sign: float) -> None:
    """Add or take away a value."""
    sums[_N] += sign
    if sums[_N] == 0.0:
        sums[:] = 0.0
        return
    if sign > 0.0:
        sums[_NEWEST] = value
        if sums[_N] == 1.0:
            sums[_FIRST] = value
    high, low = _two_sum(value, -sums[_FIRST])
    square, error = _two_product(high, high)
    _add_to(sums, _SUM, sign * high, sign * low)
    _add_to(sums, _SQUARES, sign * square, sign * (error + 2.0 * high * low))


@internal
def _describe_values(sums: ValueArray, found: ValueArray) -> None:
    n = sums[_N]
    found[COUNT] = n
    if n == 0.0:
        found[MEAN] = found[DEVIATION] = found[LAST] = np.nan
        return
    found[LAST] = sums[_NEWEST]
    total, error = _two_product(n, sums[_FIRST])
    total, more = _two_sum(total, sums[_SUM])
    found[MEAN] = (total + (error + more + sums[_SUM + 1])) / n
    # n times the sum of squares less the square of the sum
    whole, whole_error = _two_product(n, sums[_SQUARES])
    square, square_error = _two_product(sums[_SUM], sums[_SUM])
    gap, gap_error = _two_sum(whole, -square)
    rest = whole_error + n * sums[_SQUARES + 1] - square_error - 2.0 * sums[_SUM] * sums[_SUM + 1]
    found[DEVIATION] = sqrt(max(gap + (gap_error + rest), 0.0)) / n
