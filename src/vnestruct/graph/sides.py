"""The two sides of a bipartite graph: known from two columns of edges or stated, never guessed from the structure."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.factorize import factorize
from vnestruct.graph.labels import LabelArray, checked_labels
from vnestruct.graph.validate import first_true
from vnestruct.types import Array, FlagArray, IdArray, OffsetArray

_CHUNK = 1 << 17  # rows looked at before the next ones: few show that columns share labels
_COLUMNS = ("source", "target")

ColumnNames = tuple[str, str] | None
"""What the two columns of edges are called, None if they have no names."""


class Sides(NamedTuple):
    """The side of each node, 0 or 1, and what the sides are called."""

    of_nodes: FlagArray
    names: ColumnNames = None


def sides_of_columns(source_ids: Array, target_ids: Array, n_nodes: int, names: ColumnNames = None) -> Sides | None:
    """Return the sides of columns of ids that share none, side 0 being the source; None if an id is in both."""
    in_source, in_target = np.zeros((2, n_nodes), dtype=bool)
    for start in range(0, source_ids.size, _CHUNK):
        tails, heads = source_ids[start : start + _CHUNK], target_ids[start : start + _CHUNK]
        in_source[tails] = in_target[heads] = True
        if in_target[tails].any() or in_source[heads].any():
            return None
    return Sides(in_target.view(np.uint8), names if names is None or names[0] != names[1] else None)


def split_columns(
    source_ids: Array, target_ids: Array, labels: Any, names: ColumnNames
) -> tuple[IdArray, IdArray, LabelArray]:
    """Return ids and labels ``COLUMN:LABEL`` of other nodes for each column, by first appearance."""
    source_codes, target_codes = (2 * ids.astype(np.int64) + side for side, ids in enumerate((source_ids, target_ids)))
    tails, heads, codes = factorize(source_codes, target_codes, None)
    words, columns = list(labels), names or _COLUMNS
    split = checked_labels([f"{columns[code & 1]}:{words[code >> 1]}" for code in codes.tolist()])
    assert split is not None
    return tails, heads, split


def stated_sides(values: Sequence[Any], indptr: OffsetArray, indices: IdArray) -> Sides | None:
    """Return the sides that a library's graph states; None unless every node has 0 or 1 and every edge joins both."""
    stated = all(isinstance(side, int | np.integer | np.bool_) and side in (0, 1) for side in values)
    if not stated or len(values) != indptr.size - 1 or not indices.size:
        return None
    of_nodes = np.array(values, dtype=np.uint8)
    return None if _within(of_nodes, indptr, indices) is not None else Sides(of_nodes)


def checked_sides(given: Any, names: Any, indptr: OffsetArray, indices: IdArray) -> Sides | None:
    """Return the sides behind ``Graph(..., sides=..., side_names=...)`` after checking them."""
    if given is None:
        if names is not None:
            raise ParameterError("side_names are given but sides are not; pass both")
        return None
    values = np.asarray(given)
    if values.shape != (indptr.size - 1,) or not np.isin(values, (0, 1)).all():
        raise ParameterError(f"sides must be 0 or 1 for each of {indptr.size - 1} nodes")
    of_nodes = values.astype(np.uint8)
    if (place := _within(of_nodes, indptr, indices)) is not None:
        row = int(np.searchsorted(indptr, place, side="right")) - 1
        raise ParameterError(f"nodes {row} and {indices[place]} are adjacent and both on side {of_nodes[row]}")
    words = None if names is None else tuple(map(str, names))
    if words is not None and len(set(words)) != 2:
        raise ParameterError(f"side_names is {names!r}; give two different words")
    return Sides(of_nodes, words)  # type: ignore[arg-type]


def _within(of_nodes: FlagArray, indptr: OffsetArray, indices: IdArray) -> int | None:
    """Return the first entry whose ends are on one side, None if there is none."""
    return first_true(np.repeat(of_nodes, np.diff(indptr)) == of_nodes[indices])
