"""From columns of labels to node ids, numbered by first appearance.

Integer labels never pass through a Python dict: a dense table serves moderate ranges, sorting the others.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray, check_label, infer_column
from vnestruct.types import Array, IdArray, NodeId, OffsetArray

_CHUNK = 1 << 20  # rows handled at once, so that temporary arrays stay small compared to the columns
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
        source, target, nodes = (_map_chunks(partial(_ranks, values), column) for column in (source, target, nodes))
    table, order = _number_densely(source, target, nodes, low, span)
    source_ids, target_ids = (_map_chunks(partial(_look_up, table, low), column) for column in (source, target))
    return source_ids, target_ids, order + low if values is None else values[order]


def _ranks(values: LabelArray, labels: LabelArray) -> OffsetArray:
    # Binary search in ascending order stays in the cache.
    order = np.argsort(labels)
    ranks = np.empty(labels.size, dtype=np.int64)
    ranks[order] = np.searchsorted(values, labels[order])
    return ranks


def _look_up(table: Array, low: int, labels: Array) -> Array:
    return table[labels.astype(np.int64) - low]


def _number_densely(source: Array, target: Array, nodes: Array, low: int, span: int) -> tuple[Array, OffsetArray]:
    """Return the id of each integer from `low` on, and the integers less `low` in the order of their ids."""
    n_given, n_rows = nodes.size, source.size
    small = n_given + 2 * n_rows < _INT32.max
    table: Array = np.full(span, -1, dtype=np.int32 if small else np.int64)
    # Written from the last row to the first, so that the first appearance of a label is what remains.
    for start in range((n_rows - 1) // _CHUNK * _CHUNK, -1, -_CHUNK):
        stop = min(start + _CHUNK, n_rows)
        pairs = np.empty((stop - start, 2), dtype=np.int64)
        np.subtract(source[start:stop], low, out=pairs[:, 0], dtype=np.int64)
        np.subtract(target[start:stop], low, out=pairs[:, 1], dtype=np.int64)
        table[pairs.ravel()[::-1]] = np.arange(n_given + 2 * stop - 1, n_given + 2 * start - 1, -1)
    table[nodes.astype(np.int64) - low] = np.arange(n_given)
    present = np.flatnonzero(table >= 0)
    order = present[np.argsort(table[present])]
    if order.size > _INT32.max:
        raise ParameterError(f"{order.size} nodes are more than {_INT32.max}, the most a graph can have")
    table[order] = np.arange(order.size)
    return table, order


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
    table, order = _number_densely(source, target, np.empty(0, np.int64), low, span)
    for column in (source, target):
        _map_chunks(partial(_look_up, table, low), column, out=column)
    return order + low


def _map_chunks(function: Callable[[Array], Array], column: Array, out: IdArray | None = None) -> IdArray:
    result = np.empty(column.size, dtype=NodeId) if out is None else out
    for start in range(0, column.size, _CHUNK):
        result[start : start + _CHUNK] = function(column[start : start + _CHUNK])
    return result


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
