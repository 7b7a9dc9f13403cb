"""Nodes ranked by descending degree, and the graph rewritten in ranks.

Rank 0 is the node of largest degree; ties go to the smaller id. Rows of the ranked CSR ascend, so a row starts with
the neighbours of larger degree: its first ``split[u]`` entries are the arcs from low to high degree that make triangle
counting O(m**1.5), and they let a local graph be built from half of its arcs without scanning the long rows of hubs.
On one thread a counting sort rewrites it: O(n + m), no comparison.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import Array, FlagArray, IdArray, OffsetArray

_Array = TypeVar("_Array", bound=Array)
_Result = TypeVar("_Result")
_SHORT_ROW = 32  # entries up to which insertion sorts a row sooner than anything else
_MIN_ITEMS = 1 << 15  # items of a piece at least: a tenth of a millisecond, about as long as it takes to hand it over


class Parallel(NamedTuple):
    """How many threads share the rows, and what runs a function on them, as `map` does."""

    number: int = 1
    run: Callable[..., Iterable[Any]] = map

    def for_rows(self, offsets: OffsetArray, function: Callable[[int, int], _Result]) -> list[_Result]:
        """Call a function for ranges (first, last) that cover all rows, with about as many arcs each."""
        arcs = np.linspace(0, offsets[-1], self.number + 1)[1:-1]
        edges = np.unique(np.append(np.searchsorted(offsets, arcs), [0, offsets.size - 1]))
        if offsets.size == 1:
            edges = np.zeros(2, np.int64)
        return self.map(function, edges[:-1].tolist(), edges[1:].tolist())

    def for_items(self, number: int, function: Callable[[int, int], object]) -> None:
        """Call a function for ranges (first, last) that cover `number` items."""
        edges = np.linspace(0, number, min(self.number, 1 + number // _MIN_ITEMS) + 1, dtype=np.int64)
        self.map(function, edges[:-1].tolist(), edges[1:].tolist())

    def take(self, values: _Array, places: Array) -> _Array:
        """Return the rows of `values` at some places, as indexing does."""
        found = np.empty((places.size, *values.shape[1:]), values.dtype)
        # With a mode that checks nothing, no copy is made first; NumPy releases the GIL.
        self.for_items(places.size, lambda first, last: values.take(places[first:last], 0, found[first:last], "clip"))
        return cast(_Array, found)

    def map(self, function: Callable[..., _Result], *arguments: Iterable[Any]) -> list[_Result]:
        """Call a function as `map` does, and return the results."""
        return list(self.run(function, *arguments))


SERIAL = Parallel()


def rank_by_degree(indptr: OffsetArray) -> tuple[IdArray, IdArray]:
    """Return (rank of each node, node of each rank)."""
    n = indptr.size - 1
    top = int(np.diff(indptr).max(initial=0))
    rank, node = np.empty(n, np.int32), np.empty(n, np.int32)
    give_ranks(indptr, top, np.zeros(top + 2, np.int64), rank, node)
    return rank, node


@kernel
def give_ranks(indptr: OffsetArray, top: int, place: OffsetArray, rank: IdArray, node: IdArray) -> None:
    """Fill `rank` and `node`; `top` is the largest degree, `place` holds zeros."""
    n = rank.size
    for u in range(n):
        place[top - (indptr[u + 1] - indptr[u]) + 1] += 1
    for d in range(top + 1):
        place[d + 1] += place[d]
    for u in range(n):
        key = top - (indptr[u + 1] - indptr[u])
        rank[u] = place[key]
        node[place[key]] = u
        place[key] += 1


def upward_rows(
    indptr: OffsetArray, indices: IdArray, rank: IdArray, node: IdArray
) -> tuple[OffsetArray, IdArray, IdArray]:
    """Return (indptr, indices, split) of the arcs to larger degree (smaller rank) alone: what radius 1 needs."""
    ptr = np.zeros(indptr.size, np.int64)
    _count_upward(indptr, indices, rank, ptr[1:])
    np.cumsum(ptr, out=ptr)
    columns, split = np.empty(ptr[-1], np.int32), np.empty(node.size, np.int32)
    _fill_ranked(indptr, indices, rank, node, ptr, columns, split, True)
    return ptr, columns, split


@kernel
def _count_upward(indptr: OffsetArray, indices: IdArray, rank: IdArray, lengths: OffsetArray) -> None:
    """Fill the number of upward arcs of each rank."""
    for u in range(rank.size):
        r = rank[u]
        count = 0
        for a in range(indptr[u], indptr[u + 1]):
            count += rank[np.uint32(indices[a])] < r
        lengths[r] = count


def ranked_rows(
    indptr: OffsetArray, indices: IdArray, rank: IdArray, node: IdArray, parallel: Parallel = SERIAL
) -> tuple[OffsetArray, IdArray, IdArray]:
    """Return (indptr, indices, split) of the whole graph in ranks."""
    ptr = np.zeros(indptr.size, np.int64)
    # Ranks descend by degree, so to count the degrees is enough.
    numbers = np.bincount(np.diff(indptr))[::-1]
    np.cumsum(np.repeat(np.arange(numbers.size)[::-1], numbers), out=ptr[1:])
    columns, split = np.empty(ptr[-1], np.int32), np.empty(node.size, np.int32)
    if parallel.number == 1:
        _fill_ranked(indptr, indices, rank, node, ptr, columns, split, False)
    else:
        # Takes up to three times the processor time of the counting sort, which threads cannot share.

        def sort(first: int, last: int) -> None:
            rows = node[first:last], first, ptr[first : last + 1]
            sort_rows(indptr, indices, rank, *rows, columns, split[first:last])

        parallel.for_rows(ptr, sort)
    return ptr, columns, split


@kernel
def _fill_ranked(
    indptr: OffsetArray, indices: IdArray, rank: IdArray, node: IdArray, ptr: OffsetArray, columns: IdArray,
    split: IdArray, only_upward: bool,
) -> None:  # fmt: skip
    """Fill `columns` and `split` of rows that begin where `ptr` says."""
    place = ptr[:-1].copy()
    for r in range(node.size):
        # Rows fill in ascending rank: what stands in row r by now is its neighbours of smaller rank.
        split[r] = place[r] - ptr[r]
        u = node[r]
        for a in range(indptr[u], indptr[u + 1]):
            w = np.uint32(rank[np.uint32(indices[a])])
            if w > r or not only_upward:
                columns[np.uint64(place[w])] = r
                place[w] += 1


@kernel
def sort_rows(
    indptr: OffsetArray, indices: IdArray, rank: IdArray, node: IdArray, first: int, ptr: OffsetArray, columns: IdArray,
    split: IdArray,
) -> None:  # fmt: skip
    """Fill `columns` and `split` for the ranks from `first` on, those of the nodes `node`, whose rows are at `ptr`."""
    for i in range(node.size):
        u = node[i]
        begin, end = ptr[i], ptr[i + 1]
        smaller = 0
        for k in range(end - begin):
            w = rank[np.uint32(indices[indptr[u] + k])]
            smaller += w < first + i
            p = begin + k
            if end - begin <= _SHORT_ROW:
                while p > begin and columns[p - 1] > w:
                    columns[p] = columns[p - 1]
                    p -= 1
            columns[p] = w
        split[i] = smaller
        if end - begin > _SHORT_ROW:
            columns[begin:end].sort()


@kernel
def ranked_values(
    indptr: OffsetArray, indices: IdArray, values: Array, rank: IdArray, node: IdArray, ptr: OffsetArray
) -> Array:
    """Return the per-arc `values` in the order of the ranked rows, transposed: row u receives those of arcs into u.

    Symmetric values (weights of pairs) stay what they are; direction flags arrive as the other end sees them.
    """
    place = ptr[:-1].copy()
    result = np.empty(values.size, values.dtype)
    for r in range(node.size):
        u = node[r]
        for a in range(indptr[u], indptr[u + 1]):
            w = np.uint32(rank[np.uint32(indices[a])])
            result[np.uint64(place[w])] = values[a]
            place[w] += 1
    return result


def chosen_arcs(ptr: OffsetArray, columns: IdArray, flags: FlagArray, bit: int) -> tuple[OffsetArray, IdArray]:
    """Return the CSR of the arcs of (`ptr`, `columns`) whose flags have `bit` set."""
    is_chosen = (flags & bit) != 0
    has_arcs = np.diff(ptr) > 0
    lengths = np.zeros(ptr.size, np.int64)
    lengths[1:][has_arcs] = np.add.reduceat(is_chosen, ptr[:-1][has_arcs], dtype=np.int64)
    return np.cumsum(lengths), np.compress(is_chosen, columns)
