"""Data frames of any library, read column by column through what they have in common.

Nothing is imported for a frame whose columns convert to NumPy arrays by themselves, such as those of pandas and
polars; other frames are read through the Arrow stream or the interchange protocol, which need pyarrow.
"""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from vnestruct.errors import Message, MissingExtraError, NotAGraphError, Parameter, ParameterError
from vnestruct.graph import columns as rules
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.graph.sides import ColumnNames
from vnestruct.types import Array

Columns = Callable[[Any], Array]


def is_frame(obj: Any) -> bool:
    """Return whether an object looks like a data frame."""
    if isinstance(obj, np.ndarray):
        return obj.dtype.names is not None
    # Ask the type, because a lazy frame computes its columns when they are accessed.
    kind = type(obj)
    protocols = hasattr(kind, "__arrow_c_stream__") or hasattr(kind, "__dataframe__")
    columns = hasattr(kind, "columns") or "columns" in getattr(obj, "__dict__", {})
    return protocols or (columns and hasattr(kind, "__getitem__"))


def frame_columns(
    frame: Any, source: Any = None, target: Any = None, weight: Any = None
) -> tuple[Any, Any, Any, ColumnNames]:
    """Return the columns of a data frame of any library, or a structured NumPy array, with one edge per row.

    Returned are both ends, the weights or None, and the names of the columns of ends if they have names. The columns
    are chosen, and labels are integers or text, as in a file that holds the same table. Columns that are only
    numbered, as in ``pandas.DataFrame(edges)``, are source, target and, if it holds numbers, weight.
    """
    names, column = open_frame(frame)
    if len(names) < 2:
        listed = ", ".join(map(repr, names)) or "no columns"
        raise NotAGraphError(f"a data frame of edges needs two columns, this one has {listed}")
    index = getattr(frame, "index", None) if source is None and target is None and len(names) > 2 else None
    if index is not None and not callable(index) and list(index) == names:
        wrong = "the data frame looks like an adjacency matrix, its columns being its index; pass "
        raise NotAGraphError(wrong + "scipy.sparse.coo_array(frame.to_numpy()), or name the source and target columns")
    choice = _choose(names, column, [source, target, weight])
    places = [choice.source, choice.target, *([] if choice.weight is None else [choice.weight])]
    columns = []
    for name in (names[place] for place in places):
        if names.count(name) > 1:
            raise ParameterError(f"two columns are named {name!r}; rename one")
        columns.append(column(name))
        if columns[-1].dtype.kind == "b":
            raise ParameterError(f"column {name!r} holds booleans, which are neither labels nor weights")
    ends = [_labels(names[place], values) for place, values in zip(places[:2], columns[:2], strict=True)]
    return *_in_common_type(*ends), columns[2] if len(columns) > 2 else None, choice.names


def _choose(names: list[Any], column: Columns, given: list[Any]) -> rules.ColumnChoice:
    """Choose the columns as for a file with these names."""
    texts = [str(name) for name in names]
    # A name of another type than text, such as a number, is an exact name before it is a position.
    exact = [not (name is None or isinstance(name, str | bool)) and name in names for name in given]
    exact[2] = exact[2] and not rules.ignores_weights(given[2])
    for place, role in enumerate(("source", "target", "weight")):
        if exact[place]:
            given[place] = names.index(given[place]) + 1
        elif given[place] is not None and not isinstance(given[place], str | int):
            raise ParameterError(Message(f"no column {given[place]!r} in the data frame; correct ", Parameter(role)))
    request = rules.ColumnRequest(*given)

    def is_numeric(place: int) -> bool:
        sample = column(names[place])[: rules.SAMPLE_ROWS].tolist()
        return bool(sample) and all(rules.is_number(str(value)) for value in sample)

    if all(type(name) is int for name in names) and names == list(range(len(names))):
        return rules.number_columns(len(names), request, lambda: is_numeric(2), ParameterError)
    if not any(exact) and not rules.are_names(texts, request, is_numeric):
        raise ParameterError(rules.doubtful_names(texts, " by name"))
    return rules.choose_columns(texts, request, ParameterError)


def _labels(name: Any, values: Array) -> LabelArray:
    if values.dtype.kind == "f" and not np.isnan(values).any():
        wrong = f"column {rules.shown(str(name))} holds floating-point numbers, which are no node labels; "
        raise ParameterError(wrong + "convert it to integers or to text")
    return as_label_column(values)


def _in_common_type(source: LabelArray, target: LabelArray) -> tuple[Any, Any]:
    """Return both columns as text unless all labels are integers of 64 bits, as in a file."""
    if source.dtype == target.dtype == np.int64:
        return source, target
    columns = source.tolist(), target.tolist()
    kinds = set(map(type, columns[0])).union(map(type, columns[1]))
    if int in kinds and kinds <= {int, str}:
        columns = [str(label) for label in columns[0]], [str(label) for label in columns[1]]
    return columns


def open_frame(frame: Any) -> tuple[list[Any], Columns]:
    """Return the column names of a frame and a function that gives a column as an array."""
    if type(frame).__name__ == "LazyFrame":
        raise NotAGraphError("a LazyFrame has no rows yet; pass frame.collect()")
    if isinstance(frame, np.ndarray):
        return list(frame.dtype.names or ()), lambda name: frame[name]
    columns = getattr(frame, "columns", None)
    if columns is not None and not callable(columns) and hasattr(frame, "__getitem__"):
        names = list(columns)
        # The columns of an Arrow table are arrays, not names.
        are_names = all(isinstance(name, Hashable) and not hasattr(name, "to_numpy") for name in names)
        if are_names and all(hasattr(frame[name], "to_numpy") for name in names[:1]):
            return names, lambda name: _values(frame[name])
    table = _arrow_table(frame)
    return list(table.column_names), lambda name: np.asarray(table[name].to_numpy())


def _values(column: Any) -> Array:
    try:
        return np.asarray(column.to_numpy())
    except Exception:
        # Such as integers of 128 bits, which NumPy does not have.
        return np.fromiter(column, dtype=object)


def _arrow_table(frame: Any) -> Any:
    kind = type(frame).__name__
    try:
        import pyarrow
        from pyarrow import interchange
    except ImportError:
        wrong = f"reading a {kind} needs pyarrow: install vnestruct[parquet], or pass an array of its columns"
        raise MissingExtraError(wrong) from None
    try:
        return pyarrow.table(frame) if hasattr(frame, "__arrow_c_stream__") else interchange.from_dataframe(frame)
    except (TypeError, ValueError, NotImplementedError) as error:
        raise NotAGraphError(f"the {kind} is not a data frame of edges: {error}") from error
