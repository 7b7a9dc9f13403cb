"""Tables of any library: read once, their columns as arrays, and new columns behind."""

import re
from collections.abc import Collection, Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files import compression
from vnestruct.files.atomic import atomic_file
from vnestruct.graph.columns import is_number, shown
from vnestruct.graph.frames import is_frame, open_table
from vnestruct.graph.labels import LabelArray, as_label_column
from vnestruct.live.events import as_seconds
from vnestruct.types import Array, BoolArray, ValueArray

_MARKS = {".csv": ",;\t", ".tsv": "\t"}  # what may separate the columns of a text file
_ARROW = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "feather"}
_PACKED = (".gz", ".bz2", ".zst", ".lz4")
_HEAD = 1 << 16  # bytes of a text file in which its first line ends
_ZONE = re.compile(r"(Z|[+-]\d\d:?\d\d)$", re.IGNORECASE)
MOST_CATEGORIES = 20


def is_table(obj: Any) -> bool:
    """Return whether an object is a data frame, or the path of a file with a table."""
    return _suffix(obj) in (*_MARKS, *_ARROW) if isinstance(obj, str | PathLike) else is_frame(obj)


class Table:
    """A table; one that is not of pandas or polars becomes an Arrow table."""

    def __init__(self, obj: Any, what: str = "table") -> None:
        self._what = what
        self.frame = open_table(_read(obj) if isinstance(obj, str | PathLike) else obj)
        self.names: list[Any] = list(self.frame.columns)

    def __len__(self) -> int:
        return len(self.frame)

    def check(self, name: Any, parameter: str) -> None:
        """Refuse a column that is not there."""
        if name not in self.names:
            some = ", ".join(map(str, self.names[:8])) + (" ..." if len(self.names) > 8 else "")
            raise ParameterError(f"`{parameter}`: the {self._what} has no column {name!r}; its columns are {some}")

    def labels(self, name: Any) -> tuple[LabelArray, BoolArray]:
        """Return a column of node labels, and where one is missing; floating-point numbers that are integers are."""
        column = self.frame.get_column(name)
        is_missing = np.asarray(column.is_null().to_numpy(), bool)
        if column.dtype.is_float():
            values = np.asarray(column.to_numpy(), np.float64)
            is_missing = ~np.isfinite(values)
            values = np.where(is_missing, 0.0, values)
            if (values != np.rint(values)).any():
                raise ParameterError(f"column {shown(str(name))} holds fractions, which are not node labels")
            return values.astype(np.int64), is_missing
        if column.dtype.is_integer() and not is_missing.any():
            return as_label_column(column.to_numpy()), is_missing
        labels = [0 if missing else label for label, missing in zip(column.to_list(), is_missing, strict=True)]
        return as_label_column(labels), is_missing

    def is_numeric(self, name: Any, *, or_boolean: bool = False) -> bool:
        """Return whether a column holds numbers."""
        kind = self.frame.schema[name]
        return bool(kind.is_numeric()) or (or_boolean and kind == nw.Boolean)

    def numbers(self, name: Any) -> ValueArray:
        """Return a column of numbers or booleans, NaN where a value is missing."""
        values: ValueArray = np.asarray(self.frame.get_column(name).cast(nw.Float64).to_numpy(), np.float64)
        if np.isinf(values).any():
            self._refuse(name, np.isinf(values), "an infinite value", "correct it")
        return values

    def indicators(self, name: Any) -> dict[str, ValueArray]:
        """Return the numbers of a column, or for each of its categories which rows have it; none if it has too many."""
        if self.is_numeric(name, or_boolean=True):
            return {str(name): self.numbers(name)}
        column = self.frame.get_column(name)
        if not isinstance(column.dtype, nw.String | nw.Categorical | nw.Enum):
            return {}
        column = column.cast(nw.String)
        found = sorted(column.drop_nulls().unique().to_list())
        given = np.array(column.to_list(), object)
        is_missing = np.asarray(column.is_null().to_numpy(), bool)
        few = found if len(found) <= MOST_CATEGORIES else []
        return {f"{name}={text}": np.where(is_missing, np.nan, given == text) for text in few}

    def times(self, name: Any) -> tuple[Array, str]:
        """Return times, and what they are: "number", or in nanoseconds "date" or "date with a time zone"."""
        column = self.frame.get_column(name)
        is_missing = np.asarray(column.is_null().to_numpy(), bool)
        kind = column.dtype
        if kind.is_float() and not is_missing.any():
            is_missing = ~np.isfinite(column.to_numpy())
        if is_missing.any():
            self._refuse(name, is_missing, "no time", "fill it in, or drop the row")
        if kind.is_numeric():
            return np.asarray(column.to_numpy(), np.int64 if kind.is_integer() else np.float64), "number"
        if isinstance(kind, nw.Datetime | nw.Date):
            has_zone = isinstance(kind, nw.Datetime) and kind.time_zone is not None
            nanoseconds = column.cast(nw.Datetime("ns")) if isinstance(kind, nw.Date) else column
            times = np.asarray(nanoseconds.dt.timestamp("ns").to_numpy(), np.int64)
        else:
            texts = column.to_list()
            zones = {_ZONE.search(str(text)[10:]) is not None for text in texts}
            if len(zones) > 1:
                wrong = f"column {shown(str(name))} of the {self._what} mixes times with and without a time zone"
                raise ParameterError(f"{wrong}; convert all to one")
            # To a microsecond, which a float still tells apart.
            times = np.rint(as_seconds(np.array(texts, object), len(texts)) * 1e6).astype(np.int64) * 1000
            has_zone = True in zones
        return times, "date with a time zone" if has_zone else "date"

    def with_columns(self, columns: Mapping[str, Array], without: Collection[Any] = ()) -> Any:
        """Return the table with more columns, in its own library; some may be left out."""
        frame = self.frame.drop([name for name in self.names if name in without])
        if taken := [name for name in columns if name in frame.columns]:
            raise ParameterError(f"the {self._what} has a column {taken[0]!r} already; rename it")
        backend = nw.get_native_namespace(frame)
        native = frame.to_native()
        if backend.__name__ == "pandas":
            # At once: one after the other would leave a fragmented frame.
            return backend.concat([native, backend.DataFrame(dict(columns), index=native.index)], axis=1)
        return frame.with_columns(*(nw.new_series(n, v, backend=backend) for n, v in columns.items())).to_native()

    def _refuse(self, name: Any, is_wrong: BoolArray, what: str, remedy: str) -> None:
        row = int(np.argmax(is_wrong)) + 1
        raise ParameterError(f"column {shown(str(name))} of the {self._what} has {what} in row {row}; {remedy}")


def _suffix(path: Any) -> str:
    return next((end for end in reversed([end.lower() for end in Path(path).suffixes]) if end not in _PACKED), "")


def check_table_path(path: Any) -> None:
    """Refuse the name of a file that is not a table."""
    if _suffix(path) not in (*_MARKS, *_ARROW):
        remedy = "convert it, or read it with pandas, polars or DuckDB and pass the frame"
        raise ParameterError(f"{path}: the suffix of a table is one of {' '.join((*_MARKS, *_ARROW))}; {remedy}")


def _read(path: str | PathLike[str]) -> Any:
    """Read a file with a table."""
    import pyarrow
    from pyarrow import csv

    check_table_path(path)
    n_bytes = Path(path).stat().st_size
    try:
        if _suffix(path) in _ARROW:
            return compression.read_table(fspath(path), n_bytes, _ARROW[_suffix(path)])
        with pyarrow.input_stream(path, compression="detect") as stream:
            line = stream.read(_HEAD).decode("utf-8", "replace").partition("\n")[0]
        mark = max(_MARKS[_suffix(path)], key=line.count)
        names = [name.strip().strip('"') for name in line.split(mark)]
        # A first line of numbers only is no header: columns are then numbered from 1.
        given = [str(i + 1) for i in range(len(names))] if all(map(is_number, names)) else None
        empty = csv.ConvertOptions(strings_can_be_null=True, quoted_strings_can_be_null=False)
        return csv.read_csv(path, csv.ReadOptions(column_names=given), csv.ParseOptions(delimiter=mark), empty)
    except (pyarrow.ArrowException, ValueError) as error:
        raise GraphFormatError(f"{' '.join(str(error).split())}; correct the file", path=path) from None


def write_table(frame: Any, path: str | PathLike[str]) -> None:
    """Write a table in the format of its suffix; the file appears whole or not at all."""
    from pyarrow import csv

    table, suffix = open_table(frame).to_arrow(), _suffix(path)
    with atomic_file(path) as file:
        if suffix in _ARROW:
            compression.write_table(table, file, _ARROW[suffix])
        else:
            csv.write_csv(table, file, csv.WriteOptions(delimiter=_MARKS[suffix][0]))
