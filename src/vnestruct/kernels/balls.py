"""Entropies of the balls of radius 1..R, or 2..R where radius 1 is known in closed form, for a run of nodes.

Nodes are taken in groups of eight consecutive ones of the work list, which the plan orders so that neighbours in the
list share their largest neighbours. A group searches its balls together, radius by radius; one local graph of their
union serves all, and Lanczos runs on eight lanes. That pays even where the balls hardly overlap: a step on eight lanes
costs less than two on one. A ball's value depends on its set of nodes alone, bit for bit, not on its group.

Shortcuts, each exact: a ball that did not grow keeps its value; a ball that is its whole component is computed once;
an unweighted ball with a node joined to all others has as many nodes as its largest eigenvalue.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from vnestruct.kernels.bits import cycles
from vnestruct.kernels.bounds import second_bounds
from vnestruct.kernels.closed_form import approximate_entropy, quadratic_entropy
from vnestruct.kernels.lanczos_lanes import lanczos_lanes
from vnestruct.kernels.local_rows import count_probes, find_edges, join_rows
from vnestruct.kernels.search import clear_search, list_members, next_level, start_search
from vnestruct.kernels.starts import add_noise, degrees_lanes, start_vector
from vnestruct.kernels.vector import WIDTH, store, zero
from vnestruct.kernels.workspace import Arcs, Components, RankedGraph, Space
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

# Counters of `fill_rows`, for benchmarks.
BALLS, ARCS, UNION_ARCS, STEPS, LANE_STEPS, SEARCH, ROWS, LANCZOS = range(8)
N_COUNTERS = 8


@njit(nogil=True, cache=True)
def fill_rows(
    graph: RankedGraph,
    search: Arcs,
    work: IdArray,
    first: int,
    last: int,
    smallest: int,
    radius: int,
    approximate: bool,
    tolerance: float,
    components: Components,
    space: Space,
    rows: ValueArray,
    counters: OffsetArray,
    cancel: FlagArray,
) -> tuple[int, int, int]:
    """Fill ``rows[i]`` with radii smallest..radius of node ``work[i]``, i = first..last-1.

    With `smallest` 2, column 0 holds radius 1 already. Returns (position reached, rows needed, arcs needed): when
    `space` is too small for the next group, it must be enlarged and the call repeated from that position.
    """
    position = first
    while position < last:
        if cancel[0] != 0:
            return position, 0, 0
        stop = min(last, position + WIDTH)
        need_rows, need_arcs = _fill_group(
            graph, search, work[position:stop], smallest, radius, approximate, tolerance, components, space,
            rows[position:stop], counters, cancel,
        )  # fmt: skip
        if need_rows > 0:
            return position, need_rows, need_arcs
        position = stop
    return position, 0, 0


@njit(nogil=True, cache=True)
def _fill_group(
    graph: RankedGraph,
    search: Arcs,
    centres: IdArray,
    smallest: int,
    radius: int,
    approximate: bool,
    tolerance: float,
    components: Components,
    space: Space,
    rows: ValueArray,
    counters: OffsetArray,
    cancel: FlagArray,
) -> tuple[int, int]:
    begin = cycles()
    length = start_search(centres, space.seen, space.front, space.members, space.summary, space.frontier)
    active = np.uint8((1 << centres.size) - 1)
    for r in range(1, radius + 1):
        length, reached = next_level(
            search.indptr, search.indices, space.seen, space.front, space.new, space.members, space.summary,
            space.frontier, length, space.following, r == radius,
        )  # fmt: skip
        if r < smallest:
            continue
        for j in range(centres.size):
            rows[j, r - 1] = rows[j, r - 2] if r > 1 else 0.0
        # A ball that did not grow will not grow later.
        active &= reached
        if active == 0:
            continue
        k = list_members(space.members, space.summary, space.ball)
        counters[SEARCH] += cycles() - begin
        probes = count_probes(graph.split, space.ball, k)
        if k > space.masks.size or probes > space.low.size - 1:
            clear_search(space.ball, k, space.seen, space.members, space.summary)
            return k, probes
        _fill_radius(
            graph, graph.weights, centres, k, active, approximate, tolerance, components, space, space.low_weights,
            space.values, rows[:, r - 1], counters, cancel,
        )  # fmt: skip
        if cancel[0] != 0:
            break
        begin = cycles()
    k = list_members(space.members, space.summary, space.ball)
    clear_search(space.ball, k, space.seen, space.members, space.summary)
    return 0, 0


@njit(nogil=True, cache=True)
def _entropy(approximate: bool, trace: float, squares: float, largest: float) -> float:
    if approximate:
        return approximate_entropy(trace, squares, largest)
    return quadratic_entropy(trace, squares)


@njit(nogil=True, cache=True)
def _fill_radius(
    graph: RankedGraph,
    weights: ValueArray | None,
    centres: IdArray,
    k: int,
    active: int,
    approximate: bool,
    tolerance: float,
    components: Components,
    space: Space,
    low_weights: ValueArray | None,
    local_weights: ValueArray | None,
    values: ValueArray,
    counters: OffsetArray,
    cancel: FlagArray,
) -> None:
    begin = cycles()
    for i in range(k):
        u = np.uint32(space.ball[i])
        space.local[u] = i
        space.masks[i] = space.seen[u] & active
    find_edges(
        graph.indptr, graph.indices, weights, graph.split, space.seen, space.local, space.ball, k, active,
        space.low, low_weights, space.low_ptr, space.high,
    )  # fmt: skip
    join_rows(
        space.low, low_weights, space.low_ptr, space.high, k, space.ptr, space.place, space.columns, local_weights
    )
    facts = space.facts
    degrees_lanes(space.ptr, space.columns, local_weights, space.masks, k, space.degree, facts)
    counters[UNION_ARCS] += space.ptr[k]
    middle = cycles()
    counters[ROWS] += middle - begin
    pending = 0
    for j in range(centres.size):
        if not (active >> j) & 1:
            continue
        counters[BALLS] += 1
        counters[ARCS] += np.int64(facts[WIDTH + j]) if weights is None else 0
        space.theta[j] = facts[j]
        space.steps[j] = 0
        component = components.of[centres[j]]
        if facts[j] == components.size[component] and not np.isnan(components.value[component]):
            continue
        if approximate and (weights is not None or facts[4 * WIDTH + j] + 1.0 < facts[j]):
            pending |= 1 << j
    if pending != 0:
        second_bounds(
            space.ptr, space.columns, local_weights, space.degree, k, facts, pending, space.v, space.w, space.second
        )
        nothing = zero()
        for i in range(k):
            store(space.v, i, nothing)
        noisy = 0
        for j in range(centres.size):
            if (pending >> j) & 1:
                start_vector(
                    space.ptr, space.columns, local_weights, space.degree, j, np.int64(facts[3 * WIDTH + j]),
                    facts[4 * WIDTH + j], space.v,
                )  # fmt: skip
                if space.second[j] == np.inf:
                    noisy |= 1 << j
        if noisy != 0:
            add_noise(space.degree, k, facts, space.ball, noisy, space.v)
        lanczos_lanes(
            space.ptr, space.columns, local_weights, space.degree, k, space.v, space.before, space.w, facts,
            space.second, tolerance, pending, space.alpha, space.beta2, space.lane, space.theta, space.steps, cancel,
        )  # fmt: skip
        longest = 0
        for j in range(centres.size):
            if (pending >> j) & 1:
                counters[STEPS] += space.steps[j]
                longest = max(longest, space.steps[j])
        counters[LANE_STEPS] += longest * WIDTH
    counters[LANCZOS] += cycles() - middle
    for j in range(centres.size):
        if not (active >> j) & 1:
            continue
        component = components.of[centres[j]]
        whole = facts[j] == components.size[component]
        if whole and not np.isnan(components.value[component]):
            values[j] = components.value[component]
            continue
        values[j] = _entropy(approximate, facts[WIDTH + j], facts[2 * WIDTH + j], space.theta[j])
        if whole and cancel[0] == 0:
            components.value[component] = values[j]
