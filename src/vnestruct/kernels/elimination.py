"""The sum of x ln x over the eigenvalues of a large sparse matrix, by elimination instead of a dense reduction.

`vnestruct.kernels.spectral_sums` needs the determinants of a matrix plus t, for 32 t. Nodes are eliminated in the order
of their number of neighbours, those that earlier eliminations joined included, until the rest is a clique: the core.
All t share this pattern, so eight of them are factorised at a time as lanes: first the eliminated columns, each from
the earlier ones that reach it, then the core in tiles of four rows and four columns. For a ball in a social network the
core has a fifth of the nodes, and the work is a sixth of that of a dense reduction.
"""

from __future__ import annotations

from math import log

import numpy as np

from vnestruct.kernels.machine import count_ones, part, trailing_zeros
from vnestruct.kernels.spectral_sums import CONSTANT, FLUSH, LINEAR, SHIFTS, SQUARE, weighted_logarithms
from vnestruct.kernels.vector import WIDTH, load, splat, square_root, store, where_greater, zero
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray, WordArray

TILE, PANEL = 4, 4
"""Rows and columns of the core that are worked on together; tiles below one another that share their columns."""

COST = 48.0
"""Time of an operation here, for all t together, relative to one of the dense reduction."""

Matrix = tuple[OffsetArray, IdArray, ValueArray, ValueArray]
"""A symmetric matrix: its rows as a CSR, without the diagonal, and the diagonal."""

Pattern = tuple[IdArray, IdArray, OffsetArray, IdArray, OffsetArray, OffsetArray, IdArray]
"""The order of elimination and the place of each node in it; where eliminated columns start, and the rows of their
entries; the first entry of each row, and for each entry the next one in its row and its column, all as places."""

_ONE = np.uint64(1)


@part
def eliminate(
    ptr: OffsetArray, columns: IdArray, size: int, words: WordArray, order: IdArray, limit: int, cancel: FlagArray
) -> int:
    """Order the nodes of a connected graph, the core last; return the number of those before it.

    ``words[u]`` is left with the set of nodes that u is joined to when its turn comes. Returns -1 if that is no better
    than a dense reduction, if the core or the number of entries are above what `limit` allows, or if cancelled.
    """
    n_words = words.shape[1]
    degree = np.empty(size, np.int64)
    for u in range(size):
        words[u] = 0
        for a in range(ptr[u], ptr[u + 1]):
            v = columns[a]
            words[u, v >> 6] |= _ONE << np.uint64(v & 63)
        degree[u] = ptr[u + 1] - ptr[u]
        order[u] = u
    most = 4.0 / 3.0 * float(size) * size * size / COST
    operations = 0.0
    entries = 0
    done = 0
    while done < size:
        best = done
        for x in range(done, size):
            if degree[order[x]] < degree[order[best]]:
                best = x
        u = order[best]
        if degree[u] >= size - done - 1:
            break
        operations += float(degree[u]) * degree[u]
        entries += degree[u]
        is_large = degree[u] >= limit or entries > limit * limit // 2 or (size <= limit and operations > most)
        if is_large or cancel[0] != 0:
            return -1
        order[best] = order[done]
        order[done] = u
        done += 1
        for w in range(n_words):
            bits = words[u, w]
            while bits != 0:
                v = (w << 6) + np.int64(trailing_zeros(bits))
                bits &= bits - _ONE
                count = 0
                words[v, u >> 6] &= ~(_ONE << np.uint64(u & 63))
                for y in range(n_words):
                    words[v, y] |= words[u, y]
                words[v, v >> 6] &= ~(_ONE << np.uint64(v & 63))
                for y in range(n_words):
                    count += count_ones(words[v, y])
                degree[v] = count
    core = float(size - done)
    if core > limit or (size <= limit and operations + core * core * core / 3.0 > most):
        return -1
    return done


@part
def eliminated_sum(
    ptr: OffsetArray, columns: IdArray, values: ValueArray, diagonal: ValueArray, size: int, shift: float,
    words: WordArray, order: IdArray, done: int, cancel: FlagArray,
) -> float:  # fmt: skip
    """Return the sum of x ln x over the eigenvalues of a matrix plus `shift`, ordered by `eliminate`."""
    place = np.empty(size, np.int32)
    for x in range(size):
        place[order[x]] = x
    # The pattern of each eliminated column, by place.
    starts = np.zeros(done + 1, np.int64)
    for j in range(done):
        starts[j + 1] = starts[j]
        for w in range(words.shape[1]):
            starts[j + 1] += count_ones(words[order[j], w])
    rows = np.empty(starts[done], np.int32)
    for j in range(done):
        p = starts[j]
        for w in range(words.shape[1]):
            bits = words[order[j], w]
            while bits != 0:
                rows[p] = place[(w << 6) + np.int64(trailing_zeros(bits))]
                bits &= bits - _ONE
                p += 1
        rows[starts[j] : starts[j + 1]].sort()
    # The entries of each row, one after the other, and their columns.
    head, following = np.full(size, -1, np.int64), np.empty(starts[done], np.int64)
    owner = np.empty(starts[done], np.int32)
    for j in range(done - 1, -1, -1):
        for p in range(starts[j], starts[j + 1]):
            owner[p] = j
            following[p] = head[rows[p]]
            head[rows[p]] = p
    largest = 0.0
    trace = 0.0
    squares = 0.0
    for u in range(size):
        x = diagonal[u] + shift
        trace += x
        squares += x * x
        for a in range(ptr[u], ptr[u + 1]):
            x += abs(values[a])
            squares += values[a] * values[a]
        largest = max(largest, x)
    total = LINEAR * trace + SQUARE * squares / largest
    matrix, pattern = (ptr, columns, values, diagonal), (order, place, starts, rows, head, following, owner)
    core = (size - done + TILE * PANEL - 1) // (TILE * PANEL) * (TILE * PANEL)
    lower = np.empty((core // TILE * (core // TILE + 1) // 2) * TILE * TILE * WIDTH)
    factors = np.empty(max(starts[done], 1) * WIDTH)
    pivots = np.empty(size * WIDTH)
    work = np.zeros(size * WIDTH)
    for group in range(SHIFTS.size // WIDTH):
        shifts = load(SHIFTS, group) + shift / largest
        _factorise_columns(matrix, 1.0 / largest, shifts, pattern, factors, pivots, work)
        _assemble_core(matrix, 1.0 / largest, shifts, pattern, factors, pivots, core, lower)
        for i in range(0, core, TILE * PANEL):
            if cancel[0] != 0:
                return 0.0
            _factorise_panel(lower, i)
        for x in range(size - done):
            root = load(lower, _row(x) + x)
            store(pivots, done + x, root * root)
        product = splat(1.0)
        for x in range(size):
            product *= load(pivots, x)
            if x % FLUSH == FLUSH - 1 or x == size - 1:
                total -= largest * weighted_logarithms(product, group)
                product = splat(1.0)
    return total + largest * CONSTANT * size + log(largest) * trace


@part
def _factorise_columns(
    matrix: Matrix, scale: float, shifts: ValueArray, pattern: Pattern, factors: ValueArray, pivots: ValueArray,
    work: ValueArray,
) -> None:  # fmt: skip
    """Factorise the eliminated columns. `factors` are columns of L times their pivots; `work` is 0 again afterwards."""
    ptr, columns, values, diagonal = matrix
    order, place, starts, rows, head, following, owner = pattern
    done = starts.size - 1
    for j in range(done):
        u = order[j]
        for a in range(ptr[u], ptr[u + 1]):
            if place[columns[a]] > j:
                store(work, place[columns[a]], splat(values[a] * scale))
        pivot = shifts + diagonal[u] * scale
        p = head[j]
        while p >= 0:
            i = owner[p]
            ratio = load(factors, p) / load(pivots, i)
            pivot -= ratio * load(factors, p)
            for q in range(p + 1, starts[i + 1]):
                store(work, rows[q], load(work, rows[q]) - ratio * load(factors, q))
            p = following[p]
        store(pivots, j, where_greater(pivot, splat(1e-30), pivot, splat(1e-30)))
        for q in range(starts[j], starts[j + 1]):
            store(factors, q, load(work, rows[q]))
            store(work, rows[q], zero())


@part
def _assemble_core(
    matrix: Matrix, scale: float, shifts: ValueArray, pattern: Pattern, factors: ValueArray, pivots: ValueArray,
    core: int, lower: ValueArray,
) -> None:  # fmt: skip
    """Write the Schur complement of the eliminated columns, padded with ones on the diagonal."""
    ptr, columns, values, diagonal = matrix
    order, place, starts, rows, head, following, owner = pattern
    done, size = starts.size - 1, order.size
    lower[:] = 0.0
    for x in range(core):
        at = _row(x) + x
        if x >= size - done:
            store(lower, at, splat(1.0))
            continue
        u = order[done + x]
        store(lower, at, shifts + diagonal[u] * scale)
        for a in range(ptr[u], ptr[u + 1]):
            y = place[columns[a]] - done
            if 0 <= y < x:
                store(lower, _row(x) + y, splat(values[a] * scale))
        # Row by row: the core does not fit into the cache, a row does.
        p = head[done + x]
        while p >= 0:
            ratio = load(factors, p) / load(pivots, owner[p])
            q = p
            while q >= starts[owner[p]] and rows[q] >= done:
                at = _row(x) + rows[q] - done
                store(lower, at, load(lower, at) - ratio * load(factors, q))
                q -= 1
            p = following[p]


@part
def _row(i: int) -> int:
    """Return where row i of the packed core starts: rows are as long as the tile on their diagonal needs."""
    tile = i // TILE
    return tile * (tile + 1) // 2 * TILE * TILE + (i - tile * TILE) * (tile + 1) * TILE


@part
def _factorise_panel(lower: ValueArray, top: int) -> None:
    """Replace rows `top` and following of the core, one panel, by those of its Cholesky factor."""
    for c in range(0, top + TILE * PANEL, TILE):
        for r in range(max(top, c), top + TILE * PANEL, TILE):
            _subtract_products(lower, r, c)
            # Solve with the triangle on the diagonal, or factorise it.
            for j in range(TILE):
                own = _row(c + j) + c
                for i in range(j if r == c else 0, TILE):
                    at = _row(r + i) + c
                    x = load(lower, at + j)
                    for k in range(j):
                        x -= load(lower, at + k) * load(lower, own + k)
                    if r == c and i == j:
                        x = square_root(where_greater(x, splat(1e-30), x, splat(1e-30)))
                    else:
                        x = x / load(lower, own + j)
                    store(lower, at + j, x)


@part
def _subtract_products(lower: ValueArray, r: int, c: int) -> None:
    """Subtract from the tile at row r and column c the products of what lies left of it and of its mirror image."""
    a0, a1, a2, a3 = _row(r), _row(r + 1), _row(r + 2), _row(r + 3)
    b0, b1, b2, b3 = _row(c), _row(c + 1), _row(c + 2), _row(c + 3)
    s00, s01, s02, s03 = zero(), zero(), zero(), zero()
    s10, s11, s12, s13 = zero(), zero(), zero(), zero()
    s20, s21, s22, s23 = zero(), zero(), zero(), zero()
    s30, s31, s32, s33 = zero(), zero(), zero(), zero()
    for k in range(c):
        y0, y1, y2, y3 = load(lower, b0 + k), load(lower, b1 + k), load(lower, b2 + k), load(lower, b3 + k)
        x = load(lower, a0 + k)
        s00 += x * y0
        s01 += x * y1
        s02 += x * y2
        s03 += x * y3
        x = load(lower, a1 + k)
        s10 += x * y0
        s11 += x * y1
        s12 += x * y2
        s13 += x * y3
        x = load(lower, a2 + k)
        s20 += x * y0
        s21 += x * y1
        s22 += x * y2
        s23 += x * y3
        x = load(lower, a3 + k)
        s30 += x * y0
        s31 += x * y1
        s32 += x * y2
        s33 += x * y3
    for at, t0, t1, t2, t3 in (
        (a0 + c, s00, s01, s02, s03), (a1 + c, s10, s11, s12, s13), (a2 + c, s20, s21, s22, s23),
        (a3 + c, s30, s31, s32, s33),
    ):  # fmt: skip
        store(lower, at, load(lower, at) - t0)
        store(lower, at + 1, load(lower, at + 1) - t1)
        store(lower, at + 2, load(lower, at + 2) - t2)
        store(lower, at + 3, load(lower, at + 3) - t3)
