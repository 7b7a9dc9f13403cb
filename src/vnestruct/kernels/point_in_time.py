"""What was known just before each of some rows: one pass over edges in time order.

Times are not needed here. Each row says how many edges, the oldest first, have been added before it and how many of
them have left the window again; both numbers never fall from row to row. Two kernels make the pass independently of
each other, one for the structure of the graph, one for counts and values, so that two threads can run them.

Sums of values are kept to about 32 digits (Dekker 1971). Nothing is ever taken away from them: of a window, the older
part has its sums from each edge on, the newer part one sum that grows, and when the older part is used up the newer one
takes its place. So a large value that has left the window leaves no trace.
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
_N, _SUM, _SQUARES, _NEWEST, N_SUMS = 0, 1, 3, 5, 6  # columns of sums, two for each of high precision
_SPLIT = 134217729.0  # 2**27 + 1, which cuts a float into two halves of 26 bits
_NOTHING = 1e-28  # share of a sum of squares below which a deviation is none


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
    """Fill degree, triangles, squares and occurrences of ends, and of pairs common neighbours, linked, newest edge.

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


class Activity(NamedTuple):
    """The edges of each node, and what is said of their values, by direction if there are two."""

    newest: OffsetArray  # (nodes, ways) the newest edge
    queue: OffsetArray  # (nodes, ways, 3) where its edges begin, where the newer part begins, and where they end
    turn: OffsetArray  # (edges, ways) edges by node, oldest first; no entries without a window
    newer: ValueArray  # (nodes, ways, values, N_SUMS) sums of the newer part
    older: ValueArray  # (edges, ways, values, N_SUMS) sums of the older part from each place in `turn` on


@kernel
def activity_before(
    edges: IdArray, values: ValueArray, rows: Rows, activity: Activity, counts: OffsetArray, newest: OffsetArray,
    moments: ValueArray,
) -> None:  # fmt: skip
    """Fill, of each end, the number of edges in each direction, the newest edge, and what is said of their values.

    `activity` is of zeros, but for `queue` and `turn`. Missing values are left out.
    """
    n_ways = counts.shape[2]
    added = dropped = 0
    total = np.empty(N_SUMS)
    for row in range(rows.added.size):
        while added < rows.added[row]:
            if edges[added, 0] != edges[added, 1]:
                for side in range(2):
                    u, way = edges[added, side], min(side, n_ways - 1)
                    activity.newest[u, way] = added
                    activity.queue[u, way, 2] += 1
                    for c in range(values.shape[1]):
                        _enter(activity.newer[u, way, c], values[added, c])
            added += 1
        while dropped < rows.dropped[row]:
            if edges[dropped, 0] != edges[dropped, 1]:
                for way in range(n_ways):
                    _drop_oldest(values, activity, edges[dropped, way], way)
            dropped += 1
        for end in range(rows.ends.shape[1]):
            u = rows.ends[row, end]
            newest[row, end] = -1
            if u < 0:
                continue
            for way in range(n_ways):
                begin, middle, stop = activity.queue[u, way]
                counts[row, end, way] = stop - begin
                if stop > begin:
                    newest[row, end] = max(newest[row, end], activity.newest[u, way])
                for c in range(values.shape[1]):
                    total[:] = activity.newer[u, way, c]
                    if begin < middle:
                        _merge(total, activity.older[begin, way, c])
                    _describe_values(total, moments[row, end, way, c])


@internal
def _drop_oldest(values: ValueArray, activity: Activity, u: int, way: int) -> None:
    begin, middle, stop = activity.queue[u, way]
    if begin == middle:
        for c in range(values.shape[1]):
            for place in range(stop - 1, begin - 1, -1):
                sums = activity.older[place, way, c]
                _enter(sums, values[activity.turn[place, way], c])
                if place + 1 < stop:
                    _merge(sums, activity.older[place + 1, way, c])
            activity.newer[u, way, c, :_NEWEST] = 0.0
        activity.queue[u, way, 1] = stop
    activity.queue[u, way, 0] += 1


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
def _enter(sums: ValueArray, value: float) -> None:
    if value == value:
        square, error = _two_product(value, value)
        sums[_N] += 1.0
        sums[_NEWEST] = value
        _add_to(sums, _SUM, value, 0.0)
        _add_to(sums, _SQUARES, square, error)


@internal
def _merge(sums: ValueArray, more: ValueArray) -> None:
    sums[_N] += more[_N]
    _add_to(sums, _SUM, more[_SUM], more[_SUM + 1])
    _add_to(sums, _SQUARES, more[_SQUARES], more[_SQUARES + 1])


@internal
def _describe_values(sums: ValueArray, found: ValueArray) -> None:
    n = sums[_N]
    found[COUNT] = n
    if n == 0.0:
        found[MEAN] = found[DEVIATION] = found[LAST] = np.nan
        return
    found[LAST] = sums[_NEWEST]
    found[MEAN] = (sums[_SUM] + sums[_SUM + 1]) / n
    # n times the sum of squares less the square of the sum
    whole, whole_error = _two_product(n, sums[_SQUARES])
    square, square_error = _two_product(sums[_SUM], sums[_SUM])
    gap, gap_error = _two_sum(whole, -square)
    gap += gap_error + whole_error + n * sums[_SQUARES + 1] - square_error - 2.0 * sums[_SUM] * sums[_SUM + 1]
    found[DEVIATION] = sqrt(gap) / n if gap > _NOTHING * whole else 0.0
