"""Rows of a plain graph from its edges, in two buffers, on several threads.

An edge becomes one word: its smaller end above its larger one. A radix sort orders the words, lowest digit first. A
pass writes as many streams as a digit has values, which the cache holds; a sort by whole ids misses it at every edge.
Each thread has one part of the words, and parts keep their order, so the rows do not depend on the number of threads.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray, WordArray

_DIGIT_BITS = 12


def symmetric_rows(pairs: IdArray, n_nodes: int, n_threads: int) -> tuple[OffsetArray, IdArray, int]:
    """Return (indptr, indices, number of self-loops) without self-loops and parallel edges; `pairs` are overwritten."""
    keys, bits = pairs.view(np.uint64)[:, 0], n_nodes.bit_length()
    spare, ends = np.empty_like(keys), (np.uint64(bits), np.uint64((1 << bits) - 1))
    with ThreadPoolExecutor(n_threads) as pool:

        def on_parts(function: Callable[..., None], n_keys: int, rows: OffsetArray, *arguments: Any) -> None:
            cuts = [n_keys * i // len(rows) for i in range(len(rows) + 1)]
            list(pool.map(lambda *part: function(*part, *arguments), cuts[:-1], cuts[1:], rows))

        loops = np.zeros((n_threads, 1), np.int64)
        on_parts(pack, keys.size, loops, pairs, n_nodes, ends[0], keys)
        digit_bits = -(-bits // -(-bits // _DIGIT_BITS))
        # As many passes for the smaller end as for the larger one: the last one writes where the first one read.
        for shift in [start + digit for start in (0, bits) for digit in range(0, bits, digit_bits)]:
            digit = np.uint64(shift), np.uint64((1 << digit_bits) - 1)
            counts = np.zeros((n_threads, 1 << digit_bits), np.int64)
            on_parts(count_digits, keys.size, counts, keys, *digit)
            places = np.append(0, counts.T.cumsum()[:-1]).reshape(-1, n_threads).T.copy()
            on_parts(move_keys, keys.size, places, keys, *digit, spare)
            keys, spare = spare, keys
        larger = np.zeros(n_nodes + 1, np.int64)
        n_edges = drop_repeats(keys, ends[0], larger) - larger[-1]
        spare.resize(n_edges, refcheck=False)
        # So few that all counts together are no longer than the edges.
        smaller = np.zeros((max(1, min(n_threads, n_edges // n_nodes)), n_nodes), np.int64)
        on_parts(count_digits, n_edges, smaller, keys, np.uint64(0), ends[1])
        ahead = smaller.sum(axis=0)
        indptr = np.append(0, np.cumsum(larger[:-1] + ahead))
        place, indices = indptr[:-1], spare.view(np.int32)
        for row in smaller:
            row[:], place = place, place + row
        on_parts(fill_rows, n_edges, smaller, keys, *ends, np.cumsum(ahead), indices)
    return indptr, indices, int(loops.sum())


@kernel
def pack(first: int, last: int, loops: OffsetArray, pairs: IdArray, n_nodes: int, bits: int, keys: WordArray) -> None:
    """Replace pairs by words, self-loops by that of two nodes too many, and count these."""
    for i in range(first, last):
        smaller, larger = min(pairs[i, 0], pairs[i, 1]), max(pairs[i, 0], pairs[i, 1])
        if smaller == larger:
            smaller = larger = n_nodes
            loops[0] += 1
        keys[i] = np.uint64(smaller) << bits | np.uint64(larger)


@kernel
def count_digits(first: int, last: int, count: OffsetArray, keys: WordArray, shift: int, mask: int) -> None:
    """Count how often each value of a digit occurs."""
    for i in range(first, last):
        count[keys[i] >> shift & mask] += 1


@kernel
def move_keys(first: int, last: int, place: OffsetArray, keys: WordArray, shift: int, mask: int, to: WordArray) -> None:
    """Move words to the places of their digits, and the places on."""
    for i in range(first, last):
        digit = keys[i] >> shift & mask
        to[np.uint64(place[digit])] = keys[i]
        place[digit] += 1


@kernel
def drop_repeats(keys: WordArray, bits: int, larger: OffsetArray) -> int:
    """Move distinct sorted words, of which self-loops are the last, to the front; count them in all and per node."""
    n_kept = 0
    for i in range(keys.size):
        if n_kept == 0 or keys[i] != keys[n_kept - 1]:
            keys[n_kept] = keys[i]
            larger[keys[i] >> bits] += 1
            n_kept += 1
    return n_kept


@kernel
def fill_rows(
    first: int, last: int, place: OffsetArray, keys: WordArray, bits: int, mask: int, ahead: OffsetArray, out: IdArray
) -> None:
    """Write both arcs of each edge: to smaller neighbours from `place` on, to larger ones behind all that comes before.

    That is, in front of an arc from u: all edges before it, and ``ahead[u]`` arcs to smaller neighbours.
    """
    for i in range(first, last):
        smaller, larger = keys[i] >> bits, keys[i] & mask
        out[np.uint64(place[larger])] = smaller
        place[larger] += 1
        out[np.uint64(ahead[smaller] + i)] = larger
