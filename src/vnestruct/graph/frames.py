"""Data frames of any library, read column by column through what they have in common.

Nothing is imported for a frame whose columns turn into NumPy arrays by themselves (pandas, polars and their
likes); other frames come through the Arrow stream or the interchange protocol, which need pyarrow.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import MissingExtraError, NotAGraphError, ParameterError
from vnestruct.graph.build import graph_from_pairs
from vnestruct.graph.graph import Graph

_ENDS = (
    ("source", "target"),
    ("from", "to"),
    ("src", "dst"),
    ("u", "v"),
    ("node1", "node2"),
    ("node_1", "node_2"),
    ("id1", "id2"),
    ("id_1", "id_2"),
)
_NEO4J_ENDS = (":start_id", ":end_id")
_WEIGHTS = ("weight", "w", "value")

Columns = Callable[[Any], npt.NDArray[Any]]


def is_frame(obj: Any) -> bool:
    """Tell whether an object looks like a data frame."""
    if isinstance(obj, np.ndarray):
        return obj.dtype.names is not None
    # Asked of the type, because the columns of a lazy frame are computed when they are looked at.
    kind = type(obj)
    protocols = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__dataframe__")
    columns = hasattr(kind, "columns") or "columns" in getattr(obj, "__dict__", {})
    return protocols or (columns and hasattr(kind, "__getitem__"))


def graph_from_frame(
    frame: Any, source: Any = None, target: Any = None, weight: Any = None, directed: bool | None = None
) -> Graph:
    """Build a graph from a data frame with one edge per row.

    Parameters
    ----------
    frame : data frame
        Of any library; also a structured NumPy array.
    source, target : column name, optional
        Columns of the two ends; by default guessed from usual names, else the first two columns.
    weight : column name or False, optional
        Column of weights; by default a numeric column named weight, w or value, if any. False for none.
    directed : bool, optional
        Whether edges point from source to target.

    Returns
    -------
    Graph

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.array([("a", "b", 0.5)], dtype=[("from", "U1"), ("to", "U1"), ("w", "f8")])
    >>> graph_from_frame(rows)
    Graph(2 nodes, 1 edge, weighted)
    """
    names, column = _open(frame)
    if len(names) < 2:
        shown = ", ".join(map(repr, names)) or "no columns"
        raise NotAGraphError(f"a data frame of edges needs two columns, this one has {shown}")
    for name in (source, target, weight):
        if name is not None and name is not False and name not in names:
            raise ParameterError(f"there is no column {name!r}; the columns are {', '.join(map(repr, names))}")
    first, second, third = guess_columns(names, source, target)
    if source is None and target is None and _is_adjacency(frame, names, first, second):
        raise NotAGraphError(
            "the data frame looks like an adjacency matrix, its columns being its index; "
            "pass scipy.sparse.coo_array(frame.to_numpy()), or name the source and target columns"
        )
    values = None
    if weight is not None and weight is not False:
        values = column(weight)
    elif weight is None and third is not None and (guessed := column(third)).dtype.kind in "iuf":
        values = guessed
    return graph_from_pairs(column(first), column(second), values, directed=bool(directed))


def guess_columns(names: Sequence[Any], source: Any = None, target: Any = None) -> tuple[Any, Any, Any | None]:
    """Return the columns of source, target and, if there is one, weight.

    Parameters
    ----------
    names : sequence
        Column names.
    source, target : column name, optional
        Those already known.

    Returns
    -------
    tuple
        Source, target, and weight or None. Without usual names: the first two columns.

    Examples
    --------
    >>> guess_columns(["year", "From", "To", "weight"])
    ('From', 'To', 'weight')
    >>> guess_columns(["knows:START_ID(Person)", ":END_ID(Person)"])
    ('knows:START_ID(Person)', ':END_ID(Person)', None)
    """
    lowered = {str(name).strip().lower(): name for name in reversed(names)}
    pairs = [(lowered.get(one), lowered.get(other)) for one, other in _ENDS]
    start, end = (next((n for n in names if part in str(n).lower()), None) for part in _NEO4J_ENDS)
    pairs.append((start, end))
    for one, other in pairs:
        if source is None and target is None and one is not None and other is not None:
            source, target = one, other
        elif source is not None and target is None and source == one and other is not None:
            target = other
        elif target is not None and source is None and target == other and one is not None:
            source = one
    if source is None:
        source = next(name for name in names if target is None or name != target)
    if target is None:
        target = next((name for name in names if name != source), source)
    taken = (source, target)
    weight = next((lowered[w] for w in _WEIGHTS if w in lowered and lowered[w] not in taken), None)
    return source, target, weight


def _is_adjacency(frame: Any, names: list[Any], source: Any, target: Any) -> bool:
    index = getattr(frame, "index", None)
    if callable(index) or index is None or len(names) < 3 or [source, target] != names[:2]:
        return False
    return list(index) == names


def _open(frame: Any) -> tuple[list[Any], Columns]:
    """Return the column names of a frame and a function that gives a column as an array."""
    if type(frame).__name__ == "LazyFrame":
        raise NotAGraphError("a LazyFrame has no rows yet; pass frame.collect()")
    if isinstance(frame, np.ndarray):
        return list(frame.dtype.names or ()), lambda name: frame[name]
    names = _names(frame)
    if names is not None and all(hasattr(frame[name], "to_numpy") for name in names[:1]):
        return names, lambda name: np.asarray(frame[name].to_numpy())
    table = _arrow_table(frame)
    return list(table.column_names), lambda name: np.asarray(table[name].to_numpy())


def _names(frame: Any) -> list[Any] | None:
    columns = getattr(frame, "columns", None)
    if columns is None or callable(columns) or not hasattr(frame, "__getitem__"):
        return None
    names = list(columns)
    # The columns of an Arrow table are arrays, not names.
    return names if all(isinstance(name, Hashable) and not hasattr(name, "to_numpy") for name in names) else None


def _arrow_table(frame: Any) -> Any:
    kind = type(frame).__name__
    try:
        import pyarrow
        from pyarrow import interchange
    except ImportError:
        raise MissingExtraError(
            f"reading a {kind} needs pyarrow: install vnestruct[parquet], or pass an array of its columns"
        ) from None
    try:
        return pyarrow.table(frame) if hasattr(frame, "__arrow_c_stream__") else interchange.from_dataframe(frame)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise NotAGraphError(f"the {kind} is not a data frame of edges: {error}") from error
