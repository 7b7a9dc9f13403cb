"""Data frames of any library, by narwhals, or by Arrow where it does not know the library."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import columns as rules
from vnestruct.graph.labels import ColumnNames, as_label_column
from vnestruct.graph.validate import first_true
from vnestruct.types import Array

Columns = Callable[[Any], Array]


def is_frame(obj: Any) -> bool:
    """Return whether an object looks like a data frame."""
    if isinstance(obj, np.ndarray):
        return obj.dtype.names is not None
    # Ask the type, because a lazy frame computes its columns when they are accessed.
    return hasattr(type(obj), "__arrow_c_stream__") or hasattr(type(obj), "columns")


def open_frame(frame: Any) -> tuple[list[Any], Columns]:
    """Return the column names of a frame and a function that gives a column as an array."""
    if isinstance(frame, np.ndarray):
        return list(frame.dtype.names or ()), lambda name: frame[name]
    import narwhals
    import pyarrow

    kind = type(frame)
    try:
        if not narwhals.dependencies.is_into_dataframe(frame):
            if not hasattr(kind, "__arrow_c_stream__"):
                raise TypeError("its rows are not at hand")
            frame = pyarrow.table(frame)
        table = narwhals.from_native(frame, eager_only=True)
    except (TypeError, ValueError, pyarrow.ArrowException) as error:
        wrong = f"the {kind.__name__} is not a data frame of edges that can be read ({' '.join(str(error).split())})"
        raise NotAGraphError(f"{wrong}; collect it, or convert it to an Arrow table") from None
    wide = (narwhals.Int128, narwhals.UInt128, narwhals.Decimal)

    def column(name: Any) -> Array:
        values = table.get_column(name)
        if values.dtype.is_nested():
            wrong = f"column {rules.shown(str(name))} holds {values.dtype}; "
            raise ParameterError(wrong + "labels must be integers or texts, and weights numbers")
        if values.dtype == narwhals.Boolean or (values.dtype.is_numeric() and values.dtype not in wide):
            return np.asarray(values.to_numpy())
        missing = values.is_null().to_list()
        return np.fromiter((None if m else v for v, m in zip(values.to_list(), missing, strict=True)), object)

    return list(table.columns), column


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
    return edge_columns_of(names, column, _choose(names, column, source, target, weight))


def _choose(names: list[Any], column: Columns, *given: Any) -> rules.ColumnChoice:
    """Choose the columns as for a file with these names."""
    # A name of another type than text, such as a number, is an exact name before it is a position.
    exact = [not isinstance(name, str | bool | None) and name in names for name in given]
    exact[2] = exact[2] and not rules.ignores_weights(given[2])
    for name, is_exact in zip(given, exact, strict=True):
        if not is_exact and not isinstance(name, str | int | None):
            raise ParameterError(f"no column {name!r} in the data frame; correct `source`, `target` or `weight`")
    request = rules.ColumnRequest(
        *(names.index(name) + 1 if is_exact else name for name, is_exact in zip(given, exact, strict=True))
    )

    def is_numeric(place: int) -> bool:
        sample = column(names[place])[: rules.SAMPLE_ROWS].tolist()
        return bool(sample) and all(rules.is_number(str(value)) for value in sample)

    if names == list(range(len(names))):
        return rules.number_columns(len(names), request, lambda: is_numeric(2), ParameterError)
    texts = [str(name) for name in names]
    if not any(exact) and not rules.are_names(texts, request, is_numeric):
        raise ParameterError(rules.doubtful_names(texts, " by name"))
    return rules.choose_columns(texts, request, ParameterError)


def edge_columns_of(
    names: Sequence[Any], column: Columns, choice: rules.ColumnChoice
) -> tuple[Any, Any, Any, ColumnNames]:
    """Return the chosen columns, both ends as text unless all labels are integers of 64 bits, as in a file."""
    columns: list[Array] = []
    for place in (choice.source, choice.target) if choice.weight is None else choice[:3]:
        values, shown = column(names[place]), rules.shown(str(names[place]))  # type: ignore[index]
        is_object = values.dtype == object
        if (row := first_true(_equals(values, None) if is_object else values != values)) is not None:
            raise ParameterError(f"column {shown} has a missing value in row {row + 1}; fill it in or delete the row")
        if values.dtype.kind == "b":
            raise ParameterError(f"column {shown} holds booleans, which are neither labels nor weights")
        if len(columns) < 2 and values.dtype.kind == "f":
            wrong = f"column {shown} holds floating-point numbers, which are no node labels; "
            raise ParameterError(wrong + "convert it to integers or to text")
        if len(columns) < 2 and is_object and (row := first_true(_equals(values, ""))) is not None:
            raise ParameterError(f"column {shown} has an empty text in row {row + 1}; name the node or delete the row")
        columns.append(as_label_column(values) if len(columns) < 2 else values)
    kinds = {type(label) for ends in columns[:2] if ends.dtype == object for label in ends.tolist()}
    kinds |= {int for ends in columns[:2] if ends.dtype != object}
    if kinds in ({int}, {int, str}) and object in (columns[0].dtype, columns[1].dtype):
        columns[:2] = (np.array(list(map(str, ends.tolist())), object) for ends in columns[:2])
    return columns[0], columns[1], columns[2] if len(columns) > 2 else None, choice.names


def _equals(values: Array, value: Any) -> Any:
    return np.fromiter((type(other) is type(value) and other == value for other in values), bool, values.size)
