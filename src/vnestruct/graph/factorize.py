"""From columns of labels to node ids, numbered by first appearance.

Integer labels never pass through a Python dict: a dense table serves moderate ranges, sorting the others.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray, check_label, infer_column
from vnestruct.types import Array, IdArray, NodeId, OffsetArray

_CHUNK = 1 << 17  # rows handled at once, so that temporary arrays stay small compared to the columns
_SMALL_TABLE = 1 << 16  # a dense table may have this many entries more than there are labels
_INT32 = np.iinfo(np.int32)


def factorize(source: LabelArray, target: LabelArray, nodes: LabelArray | None) -> tuple[IdArray, IdArray, LabelArray]:
    """Return ids of the labels of two columns, by first appearance after the `nodes`, and the label of each id."""
    given: LabelArray = np.empty(0, dtype=np.int64) if nodes is None else nodes
    if source.dtype == target.dtype == given.dtype == np.int64:
        return _factorize_integers(source, target, given)
    return _factorize_objects(source, target, given)


def _factorize_integers(source: Array, target: Array, nodes: Array) -> tuple[IdArray, IdArray, OffsetArray]:
    columns = [column for column in (nodes, source, target) if column.size]
    if not columns:
        return np.empty(0, NodeId), np.empty(0, NodeId), np.empty(0, np.int64)
    low = min(int(column.min()) for column in columns)
    span = max(int(column.max()) for column in columns) - low + 1
    values = None
    if span > sum(column.size for column in columns) + _SMALL_TABLE:
        # Sorting is many times faster than np.unique, which hashes.
        values = np.concatenate(columns)
        values.sort()
        values = values[np.append(True, values[1:] != values[:-1])]
        low, span = 0, values.size
        source, target, nodes = (_ranks(values, column) for column in (source, target, nodes))
    ids = np.empty(source.size, dtype=NodeId), np.empty(target.size, dtype=NodeId)
    order = _number_densely(source, target, nodes, low, span, *ids)
    return *ids, order + low if values is None else values[order]


def _ranks(values: LabelArray, labels: LabelArray) -> IdArray:
    ranks = np.empty(labels.size, dtype=NodeId)
    for start in range(0, labels.size, _CHUNK):
        # Binary search in ascending order stays in the cache.
        part = labels[start : start + _CHUNK]
        order = np.argsort(part)
        ranks[start + order] = np.searchsorted(values, part[order])
    return ranks


def _number_densely(
    source: Array, target: Array, nodes: Array, low: int, span: int, source_ids: IdArray, target_ids: IdArray
) -> OffsetArray:
    """Fill in the ids of integers from `low` on; return the integers less `low` in the order of their ids."""
    table = np.full(span, -1, dtype=NodeId)
    order, n_ids = [nodes.astype(np.int64) - low], nodes.size
    table[order[0]] = np.arange(n_ids)
    for start in range(0, source.size, _CHUNK):
        rows = slice(start, start + _CHUNK)
        labels = np.empty((source[rows].size, 2), dtype=np.int64)
        for column, ends in enumerate((source, target)):
            np.subtract(ends[rows], low, out=labels[:, column], dtype=np.int64)
        ids = table[labels]
        new = labels[ids < 0]
        if new.size:
            # Written from the last to the first, so that the first appearance of a label is what remains.
            table[new[::-1]] = np.arange(new.size - 1, -1, -1)
            order.append(new[table[new] == np.arange(new.size)])
            table[order[-1]] = np.arange(n_ids, n_ids + order[-1].size)
            n_ids += order[-1].size
            if n_ids > _INT32.max:
                raise ParameterError(f"{n_ids} nodes are more than {_INT32.max}, the most a graph can have")
            ids[ids < 0] = table[new]
        source_ids[rows], target_ids[rows] = ids[:, 0], ids[:, 1]
    return np.concatenate(order)


def number_in_place(source: Array, target: Array) -> OffsetArray | None:
    """Replace 32-bit integers by ids, by first appearance; return the integer of each id, None if nothing was done."""
    # In place, because columns of 64 bits would take more memory than the graph; not if a table would be too long.
    if not source.dtype == target.dtype == np.int32 or 2 * source.size > _INT32.max:
        return None
    if source.size == 0:
        return np.empty(0, dtype=np.int64)
    low = int(min(source.min(), target.min()))
    span = int(max(source.max(), target.max())) - low + 1
    if span > 2 * source.size + _SMALL_TABLE:
        return None
    return _number_densely(source, target, np.empty(0, np.int64), low, span, source, target) + low


def _factorize_objects(source: Array, target: Array, nodes: Array) -> tuple[IdArray, IdArray, LabelArray]:
    def stream() -> Iterator[Any]:
        return chain(nodes.tolist(), chain.from_iterable(zip(source.tolist(), target.tolist(), strict=True)))

    try:
        position: dict[Hashable, int] = dict.fromkeys(stream(), 0)
    except TypeError:
        for label in stream():
            check_label(label)
        raise
    for index, label in enumerate(position):
        check_label(label)
        position[label] = index
    return ids_of(position, source.tolist()), ids_of(position, target.tolist()), infer_column(list(position))


def ids_of(positions: Mapping[Any, int], labels: Sequence[Any]) -> IdArray:
    """Return the id of each label; KeyError if one has none."""
    return np.fromiter(map(positions.__getitem__, labels), dtype=NodeId, count=len(labels))
