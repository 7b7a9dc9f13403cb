"""Tables in Parquet and Feather files: Arrow reads them, and what it trusts in a file is checked."""

from collections.abc import Callable, Sequence
from typing import Any

from vnestruct.errors import VNEstructError
from vnestruct.files.compression import expands_too_far

# What Arrow raises on damaged files besides its own exceptions, for instance on names that are not UTF-8.
DAMAGE = (OSError, ValueError, LookupError, OverflowError, TypeError, NotImplementedError)


def read_table(
    file: Any, n_bytes: int, kind: str, choose: Callable[[Any], Sequence[str] | None] = lambda schema: None
) -> Any:
    """Return a "parquet" or "feather" file, or the columns `choose` names; `ValueError` if it is damaged."""
    import pyarrow
    from pyarrow import feather, parquet

    try:
        if kind == "parquet":
            opened = parquet.ParquetFile(file, memory_map=True)
            if expands_too_far(n_bytes, opened.metadata.num_rows):
                raise ValueError(f"{opened.metadata.num_rows} rows are declared in a file too small for them")
            table = opened.read(choose(opened.schema_arrow))
        else:
            table = feather.read_table(file, memory_map=True)
            names = choose(table.schema)
            table = table if names is None else table.select(names)
        # Arrow trusts offsets and dictionary codes in a file; wrong ones would crash the process.
        table.validate(full=True)
    except VNEstructError:
        raise
    except (pyarrow.ArrowException, *DAMAGE) as problem:
        reason = " ".join(str(problem).split())[:120]
        raise ValueError(f"not a readable {kind.capitalize()} file ({reason})") from None
    return table


def write_table(table: Any, file: Any, kind: str, compression: str | None = None) -> None:
    """Write a table to a file or stream that can seek."""
    from pyarrow import feather, parquet

    if kind == "parquet":
        parquet.write_table(table, file)
    else:
        feather.write_feather(table, file, compression=compression)
