"""Rows of a plain graph from its edges, in two buffers, on several threads.

An edge becomes one word: its smaller end above its larger one. A radix sort orders the words, lowest digit first. A
pass writes as many streams as a digit has values, which the cache holds; a sort by whole ids misses it at every edge.
Each thread has one part of the words, and parts keep their order, so the rows do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray, WordArray

_DIGIT_BITS = 12


@kernel
def number_labels(pairs: IdArray, low: int, table: IdArray, order: IdArray) -> int:
    """Give the labels in `pairs`, of which `low` is the smallest, ids by first appearance; return how many there are.

    Fills `table`, all -1, with the id of each label, and `order` with the label of each id, both counted from `low`.
    """
    n_ids = 0
    for i in range(pairs.shape[0]):
        for end in range(2):
            label = np.uint32(pairs[i, end] - low)
            if table[label] < 0:
                table[label] = n_ids
                order[n_ids] = label
                n_ids += 1
    return n_ids


def symmetric_rows(
    pairs: IdArray, low: int, table: IdArray, n_nodes: int, n_threads: int
) -> tuple[OffsetArray, IdArray, int]:
    """Return (indptr, indices, number of self-loops) of numbered edges without self-loops, parallel ones merged.

    Labels are in `pairs`, two per row, and their ids in `table`, from `low` on. `pairs` is used up: its memory and as
    much again is all that the edges need.
    """
    bits = n_nodes.bit_length()
    keys: WordArray = pairs.view(np.uint64)[:, 0]
    spare = np.empty_like(keys)
    with ThreadPoolExecutor(n_threads) as pool:

        def on_parts(function: Callable[..., None], n_keys: int, rows: OffsetArray, *arguments: Any) -> None:
            cuts = [n_keys * i // len(rows) for i in range(len(rows) + 1)]
            parts = zip(cuts[:-1], cuts[1:], rows, strict=True)
            list(pool.map(lambda part: function(*part, *arguments), parts))

        loops = np.zeros((n_threads, 1), np.int64)
        on_parts(pack, keys.size, loops, pairs, low, table, n_nodes, bits, keys)
        n_loops = int(loops.sum())
        digit_bits = -(-bits // -(-bits // _DIGIT_BITS))
        # As many passes for the smaller end as for the larger one: the last one writes into the first buffer.
        for shift in (start + digit for start in (0, bits) for digit in range(0, bits, digit_bits)):
            counts = np.zeros((n_threads, 1 << digit_bits), np.int64)
            on_parts(count_digits, keys.size, counts, keys, shift, digit_bits)
            starts = np.append(0, counts.T.cumsum()[:-1]).reshape(-1, n_threads).T
            on_parts(move_keys, keys.size, np.ascontiguousarray(starts), keys, shift, digit_bits, spare)
            keys, spare = spare, keys
        larger = np.zeros(n_nodes + 1, np.int64)
        n_edges = drop_repeats(keys, bits, larger) - (n_loops > 0)
        spare.resize(n_edges, refcheck=False)
        indices = spare.view(np.int32)
        # So few that all counts together are no longer than the edges.
        smaller = np.zeros((max(1, min(n_threads, n_edges // n_nodes)), n_nodes), np.int64)
        on_parts(count_digits, n_edges, smaller, keys, 0, bits)
        ahead = smaller.sum(axis=0)
        indptr = np.append(0, np.cumsum(larger[:-1] + ahead))
        np.cumsum(ahead, out=ahead)
        place = indptr[:-1].copy()
        for counts in smaller:
            counts[:], place = place, place + counts
        on_parts(fill_rows, n_edges, smaller, keys, bits, ahead, indices)
    return indptr, indices, n_loops


@kernel
def pack(
    first: int, last: int, loops: OffsetArray, pairs: IdArray, low: int, table: IdArray, n_nodes: int, bits: int,
    keys: WordArray,
) -> None:  # fmt: skip
    """Replace pairs by words, self-loops by that of two nodes too many, and count these."""
    for i in range(first, last):
        u, v = table[np.uint32(pairs[i, 0] - low)], table[np.uint32(pairs[i, 1] - low)]
        smaller, larger = min(u, v), max(u, v)
        if u == v:
            smaller = larger = n_nodes
            loops[0] += 1
        keys[i] = np.uint64(smaller) << np.uint64(bits) | np.uint64(larger)


@kernel
def count_digits(first: int, last: int, count: OffsetArray, keys: WordArray, shift: int, bits: int) -> None:
    """Count how often each value of the `bits` from `shift` on occurs."""
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for i in range(first, last):
        count[keys[i] >> np.uint64(shift) & mask] += 1


@kernel
def move_keys(
    first: int, last: int, place: OffsetArray, keys: WordArray, shift: int, bits: int, moved: WordArray
) -> None:
    """Move words to the place of their digit, and the place on."""
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for i in range(first, last):
        digit = keys[i] >> np.uint64(shift) & mask
        moved[np.uint64(place[digit])] = keys[i]
        place[digit] += 1


@kernel
def drop_repeats(keys: WordArray, bits: int, larger: OffsetArray) -> int:
    """Move the distinct ones of sorted words to the front; return how many there are, and by smaller end in `larger`.

    All self-loops are one word, the last.
    """
    n_kept = 0
    for i in range(keys.size):
        if n_kept == 0 or keys[i] != keys[n_kept - 1]:
            keys[n_kept] = keys[i]
            larger[keys[i] >> np.uint64(bits)] += 1
            n_kept += 1
    return n_kept


@kernel
def fill_rows(
    first: int, last: int, place: OffsetArray, keys: WordArray, bits: int, ahead: OffsetArray, indices: IdArray
) -> None:
    """Write both arcs of sorted edges: all smaller neighbours of a node, from its `place` on, then all larger ones.

    ``ahead[u]`` is the number of arcs to smaller neighbours in the rows up to u: they and all edges before it come
    before an arc to a larger neighbour.
    """
    mask = (np.uint64(1) << np.uint64(bits)) - np.uint64(1)
    for i in range(first, last):
        smaller, larger = keys[i] >> np.uint64(bits), keys[i] & mask
        indices[np.uint64(place[larger])] = smaller
        place[larger] += 1
        indices[np.uint64(ahead[smaller] + i)] = larger
