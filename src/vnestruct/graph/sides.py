"""The two sides of a bipartite graph: known from two columns of edges or stated, never guessed from the structure."""

from typing import Any, NamedTuple

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray, checked_labels, numbered
from vnestruct.graph.validate import first_true, rows_of
from vnestruct.types import FlagArray, IdArray, OffsetArray

ColumnNames = tuple[str, str] | None
"""What the two columns of edges are called, None if they have no names."""


class Sides(NamedTuple):
    """The side of each node, 0 or 1, and what the sides are called."""

    of_nodes: FlagArray
    names: ColumnNames = None


def sides_of_columns(source_ids: IdArray, target_ids: IdArray, n_nodes: int, names: ColumnNames = None) -> Sides | None:
    """Return the sides of columns of ids that share none, side 0 being the source; None if an id is in both."""
    in_target = np.zeros(n_nodes, dtype=bool)
    in_target[target_ids] = True
    if in_target[source_ids].any():
        return None
    return Sides(in_target.view(np.uint8), names if names is None or names[0] != names[1] else None)


def split_columns(ids: IdArray, labels: LabelArray, names: ColumnNames) -> tuple[IdArray, LabelArray]:
    """Return ids and labels ``COLUMN:LABEL`` of other nodes for each of two columns, by first appearance."""
    others, codes = numbered((2 * ids.astype(np.int64) + [0, 1]).ravel())
    columns = names or ("source", "target")
    split = checked_labels([f"{columns[code & 1]}:{labels[code >> 1]}" for code in codes.tolist()])
    assert split is not None
    return others.reshape(-1, 2), split


def checked_sides(values: Any, names: Any, indptr: OffsetArray, indices: IdArray) -> Sides:
    """Return sides, which a caller or an object of another library states, after checking them."""
    given, n_nodes = np.asarray(values), indptr.size - 1
    if given.shape != (n_nodes,) or (n_nodes and given.dtype.kind not in "biu") or not np.isin(given, (0, 1)).all():
        raise ParameterError(f"sides must be 0 or 1 for each of {n_nodes} nodes, and side_names need them")
    of_nodes, rows = given.astype(np.uint8), rows_of(indptr)
    if (place := first_true(of_nodes[rows] == of_nodes[indices])) is not None:
        wrong = f"nodes {rows[place]} and {indices[place]} are adjacent and both on side {of_nodes[rows[place]]}"
        raise ParameterError(wrong)
    words = None if names is None else tuple(map(str, names))
    if words is not None and len(set(words)) != 2:
        raise ParameterError(f"side_names is {names!r}; give two different words")
    return Sides(of_nodes, words)  # type: ignore[arg-type]
