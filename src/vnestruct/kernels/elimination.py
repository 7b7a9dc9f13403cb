"""The sum of x ln x over the eigenvalues of a large sparse matrix, by elimination instead of a dense reduction.

`vnestruct.kernels.spectral_sums` needs the determinants of a matrix plus t, for 12 or 32 t. Nodes are eliminated in the
order of their number of neighbours, those that earlier eliminations joined included, until the others are dense: the
core. All t share this pattern, so eight of them are lanes there. Then the core of each t is factorised by itself,
sixteen rows and four columns at a time. For a ball in a social network the core has a fifth of the nodes, and the work
is a tenth of that of a dense reduction.
"""

from math import log, sqrt
from typing import NamedTuple

import numpy as np

from vnestruct.kernels.machine import count_ones, internal, trailing_zeros
from vnestruct.kernels.spectral_sums import FLUSH, SHIFTS, WEIGHTS, quadrature
from vnestruct.kernels.vector import WIDTH, add_product, lane, load, splat, store, where_greater, zero
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray, WordArray

DENSE = 0.35
"""Share of the nodes left that the one with the fewest neighbours has as neighbours, from which on they are a core."""

SCATTERED = 8.0
"""Time of an operation outside the core, relative to one inside."""

ROWS, COLUMNS = 2 * WIDTH, 4
"""Rows and columns of the core that are worked on together."""

ANCHOR, SMALLEST, FLAT = 2, float(WEIGHTS[:WIDTH].sum()), 1e-11
"""The t of the first eight that can stand for the others; the sum of their w; the error, as a share of the trace, up to
which it does."""


class Matrix(NamedTuple):
    """A symmetric matrix: its rows as a CSR, without the diagonal, and the diagonal."""

    ptr: OffsetArray
    columns: IdArray
    values: ValueArray
    diagonal: ValueArray


class Pattern(NamedTuple):
    """Where the factor has entries; nodes are named by their place in the order of elimination."""

    order: IdArray
    place: IdArray  # of each node
    starts: OffsetArray  # of the eliminated columns in `rows`
    rows: IdArray
    head: OffsetArray  # the first entry of each row
    following: OffsetArray  # the next entry in the row of an entry
    owner: IdArray  # the column of an entry


_ONE = np.uint64(1)


@internal
def eliminate(
    ptr: OffsetArray, columns: IdArray, size: int, words: WordArray, order: IdArray, limit: int, most: float,
    cancel: FlagArray,
) -> int:  # fmt: skip
    """Order the nodes of a connected graph, the core last; return the number of those before it.

    ``words[u]``, 0 before, is left with the set of nodes that u is joined to when its turn comes. Returns -1 if this
    takes more time than `most`, if the core or the number of entries are above what `limit` allows, or if cancelled.
    """
    n_words = words.shape[1]
    degree = np.empty(size, np.int64)
    for u in range(size):
        for a in range(ptr[u], ptr[u + 1]):
            v = columns[a]
            words[u, v >> 6] |= _ONE << np.uint64(v & 63)
        degree[u] = ptr[u + 1] - ptr[u]
        order[u] = u
    operations, entries, least, done = 0.0, 0, 1, 0
    while done < size:
        best = done
        for x in range(done, size):
            if degree[order[x]] < degree[order[best]]:
                best = x
            # No degree has fallen by more than 1.
            if degree[order[best]] <= least:
                break
        u = order[best]
        if degree[u] >= DENSE * (size - done - 1):
            break
        least = max(degree[u] - 1, 1)
        operations += SCATTERED * float(degree[u]) * degree[u]
        entries += degree[u]
        if entries > limit * limit // 2 or operations > most or cancel[0] != 0:
            return -1
        order[best] = order[done]
        order[done] = u
        done += 1
        for w in range(n_words):
            bits = words[u, w]
            while bits != 0:
                v = (w << 6) + np.int64(trailing_zeros(bits))
                bits &= bits - _ONE
                degree[v] = -1  # v itself, which is in the set of u
                words[v, u >> 6] &= ~(_ONE << np.uint64(u & 63))
                for y in range(n_words):
                    words[v, y] |= words[u, y]
                    degree[v] += count_ones(words[v, y])
                words[v, v >> 6] &= ~(_ONE << np.uint64(v & 63))
    core = float(size - done)
    return -1 if core > limit or operations + core * core * core / 3.0 > most else done


@internal
def sum_by_elimination(
    ptr: OffsetArray, columns: IdArray, values: ValueArray, diagonal: ValueArray, shift: float, limit: int, most: float,
    cancel: FlagArray,
) -> float:  # fmt: skip
    """Return the sum of x ln x over the eigenvalues of a matrix plus `shift`, or NaN if `eliminate` returns -1."""
    size = diagonal.size
    words, order = np.zeros((size, (size + 63) // 64), np.uint64), np.empty(size, np.int32)
    done = eliminate(ptr, columns, size, words, order, limit, most, cancel)
    if done < 0:
        return np.nan
    place, starts = np.empty(size, np.int32), np.zeros(done + 1, np.int64)
    for x in range(size):
        place[order[x]] = x
        if x < done:
            starts[x + 1] = starts[x]
            for w in range(words.shape[1]):
                starts[x + 1] += count_ones(words[order[x], w])
    # The rows of each column, in ascending order.
    rows = np.empty(starts[done], np.int32)
    for j in range(done):
        end = starts[j]
        for w in range(words.shape[1]):
            bits = words[order[j], w]
            while bits != 0:
                x = place[(w << 6) + np.int64(trailing_zeros(bits))]
                bits &= bits - _ONE
                p = end
                while p > starts[j] and rows[p - 1] > x:
                    rows[p] = rows[p - 1]
                    p -= 1
                rows[p] = x
                end += 1
    # The entries of each row, one after the other, and their columns.
    head, following, owner = np.full(size, -1, np.int64), np.empty(rows.size, np.int64), np.empty(rows.size, np.int32)
    for j in range(done - 1, -1, -1):
        for p in range(starts[j], starts[j + 1]):
            owner[p] = j
            following[p] = head[rows[p]]
            head[rows[p]] = p
    largest, trace, squares = 0.0, 0.0, 0.0
    for u in range(size):
        bound = diagonal[u] + shift
        trace += bound
        squares += bound * bound
        for a in range(ptr[u], ptr[u + 1]):
            bound += abs(values[a])
            squares += values[a] * values[a]
        largest = max(largest, bound)
    matrix = Matrix(ptr, columns, values, diagonal)
    pattern = Pattern(order, place, starts, rows, head, following, owner)
    pairs = (size - done + ROWS - 1) // ROWS
    room = _first(pairs) + 9  # so that the cores are not in the same lines of a cache
    cores = np.zeros(WIDTH * room * WIDTH)
    inverses, logarithms, work = np.empty(pairs * ROWS), np.zeros(SHIFTS.size), np.zeros((done + pairs * ROWS) * WIDTH)
    n_zeros = 1.0 if shift == 0.0 else 0.0
    first, last, constant, linear, square = quadrature(largest, shift)
    for group in range(last - 1, first - 1, -1):
        shifts = load(SHIFTS, group) + shift / largest
        own = logarithms[WIDTH * group : WIDTH * (group + 1)]
        _factorise_columns(matrix, pattern, 1.0 / largest, shifts, work, own, cores)
        for x in range(WIDTH):
            j = (x + ANCHOR) % WIDTH
            if WEIGHTS[WIDTH * group + j] == 0.0:
                continue
            if group == 0 and x > 0:
                # The zero of a graph apart, the smallest t hardly change the determinant, which grows with t: if two
                # of them bear this out, one stands for all between.
                rise = logarithms[WIDTH] - logarithms[ANCHOR] - n_zeros * log(SHIFTS[WIDTH] / SHIFTS[ANCHOR])
                if rise * SMALLEST * largest <= FLAT * trace:
                    logarithms[j] = logarithms[ANCHOR] + n_zeros * log(SHIFTS[j] / SHIFTS[ANCHOR])
                    continue
            for pair in range(pairs):
                if cancel[0] != 0:
                    return np.nan
                logarithms[WIDTH * group + j] += _factorise_rows(cores, j * room, pair, inverses)
    total = linear * trace + square * squares / largest + largest * constant * size + log(largest) * trace
    for s in range(WIDTH * first, WIDTH * last):
        total -= largest * WEIGHTS[s] * logarithms[s]
    return total


@internal
def _factorise_columns(
    matrix: Matrix, pattern: Pattern, scale: float, shifts: ValueArray, work: ValueArray, logarithms: ValueArray,
    cores: ValueArray,
) -> None:  # fmt: skip
    """Factorise the eliminated columns, add up the logarithms of their pivots, and write what they leave of the core.

    `factors` are columns of L times their pivots, `ratios` -1 over a pivot; `work` is 0 before and afterwards. There is
    one core for each lane, padded with ones on the diagonal.
    """
    ptr, columns, values, diagonal = matrix
    order, place, starts, rows, head, following, owner = pattern
    done, size, end = starts.size - 1, order.size, work.size // WIDTH
    ratios, factors = np.empty(done * WIDTH), np.empty(rows.size * WIDTH)
    product = splat(1.0)
    for j in range(end):
        pivot = splat(1.0)
        if j < size:
            pivot = shifts + diagonal[order[j]] * scale
            for a in range(ptr[order[j]], ptr[order[j] + 1]):
                if place[columns[a]] > j:
                    store(work, place[columns[a]], splat(values[a] * scale))
            p = head[j]
            while p >= 0:
                ratio = load(factors, p) * load(ratios, owner[p])
                pivot = add_product(pivot, ratio, load(factors, p))
                for q in range(p + 1, starts[owner[p] + 1]):
                    at = np.uint32(rows[np.uint64(q)])
                    store(work, at, add_product(load(work, at), ratio, load(factors, q)))
                p = following[p]
        if j >= done:
            store(work, j, pivot)
            for y in range(j, end):
                at = WIDTH * (_start(y - done) + j - done) + (y - done) % WIDTH
                for i in range(WIDTH):
                    cores[at + i * (cores.size // WIDTH)] = work[WIDTH * y + i]
                store(work, y, zero())
            continue
        pivot = where_greater(pivot, splat(1e-30), pivot, splat(1e-30))
        store(ratios, j, -1.0 / pivot)
        for q in range(starts[j], starts[j + 1]):
            store(factors, q, load(work, rows[q]))
            store(work, rows[q], zero())
        product *= pivot
        if j % FLUSH == FLUSH - 1 or j == done - 1:
            for i in range(WIDTH):
                logarithms[i] += log(lane(product, i))
            product = splat(1.0)


@internal
def _first(pair: int) -> int:
    """Return the number of vectors before a pair of vectors of rows: each pair is as long as its last row."""
    return ROWS * pair * (pair + 1)


@internal
def _start(i: int) -> int:
    """Return the vector that starts row i of a core: it has one vector per column, with eight rows as lanes."""
    pair = i // ROWS
    return _first(pair) + (i // WIDTH % 2) * ROWS * (pair + 1)


@internal
def _factorise_rows(core: ValueArray, first: int, pair: int, inverses: ValueArray) -> float:
    """Replace sixteen rows of a core by those of its Cholesky factor; return the sum of the logarithms of its pivots.

    The core starts with the vector `first`. `inverses` are 1 over the diagonal of the factor. What stands right of the
    diagonal afterwards has no meaning.
    """
    upper = first + _first(pair)
    lower = upper + ROWS * (pair + 1)
    product = 1.0
    for c in range(0, ROWS * (pair + 1), COLUMNS):
        own = WIDTH * (first + _start(c)) + c % WIDTH
        a0, a1, a2, a3, b0, b1, b2, b3 = zero(), zero(), zero(), zero(), zero(), zero(), zero(), zero()
        for k in range(c):
            x, y = load(core, upper + k), load(core, lower + k)
            at = own + WIDTH * k
            f0, f1 = splat(core[np.uint64(at)]), splat(core[np.uint64(at + 1)])
            f2, f3 = splat(core[np.uint64(at + 2)]), splat(core[np.uint64(at + 3)])
            a0, b0 = add_product(a0, x, f0), add_product(b0, y, f0)
            a1, b1 = add_product(a1, x, f1), add_product(b1, y, f1)
            a2, b2 = add_product(a2, x, f2), add_product(b2, y, f2)
            a3, b3 = add_product(a3, x, f3), add_product(b3, y, f3)
        for half, s0, s1, s2, s3 in ((upper + c, a0, a1, a2, a3), (lower + c, b0, b1, b2, b3)):
            store(core, half, load(core, half) - s0)
            store(core, half + 1, load(core, half + 1) - s1)
            store(core, half + 2, load(core, half + 2) - s2)
            store(core, half + 3, load(core, half + 3) - s3)
        # Solve with the triangle on the diagonal, which has to be factorised first in the rows that it belongs to.
        for j in range(c, c + COLUMNS):
            x, y = load(core, upper + j), load(core, lower + j)
            for k in range(c, j):
                factor = splat(core[own + WIDTH * k + j - c])
                x -= load(core, upper + k) * factor
                y -= load(core, lower + k) * factor
            store(core, upper + j, x)
            store(core, lower + j, y)
            if c >= ROWS * pair:
                pivot = max(core[own + WIDTH * j + j - c], 1e-30)
                product *= pivot
                inverses[j] = 1.0 / sqrt(pivot)
            store(core, upper + j, x * inverses[j])
            store(core, lower + j, y * inverses[j])
    return log(product)
