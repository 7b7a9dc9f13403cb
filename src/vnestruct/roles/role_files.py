"""Roles in a file: one line ``node,role`` per node, as `read_labels` reads it back."""

from __future__ import annotations

import csv
import io
import sys
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.store.tables import writable_labels

STANDARD_OUTPUT = "-"
_DELIMITERS = {".csv": ",", ".tsv": "\t"}


def check_role_file(path: str | PathLike[str]) -> None:
    """Refuse, before any work, a file whose suffix is not that of a role file."""
    if fspath(path) != STANDARD_OUTPUT and Path(path).suffix.lower() not in _DELIMITERS:
        raise ParameterError(
            f"{path}: roles are written to a .csv or .tsv file, or to - for standard output; name it so"
        )


def write_roles(path: str | PathLike[str], nodes: Any, roles: Any) -> None:
    r"""Write the role of each node; the file appears whole or not at all.

    Parameters
    ----------
    path : path-like
        A ``.csv`` or ``.tsv`` file; ``-`` is standard output, as csv.
    nodes : sequence
        Node labels; those that are not text are written as their ``str``.
    roles : sequence of int
        Role of each.

    Raises
    ------
    ParameterError
        If the suffix is another, or two labels would be written alike.

    Examples
    --------
    >>> write_roles("-", ["a", "b, c"], [1, 0])
    node,role
    a,1
    "b, c",0
    """
    check_role_file(path)
    numbers = [int(role) for role in roles]
    rows = zip(writable_labels(nodes, len(numbers)).tolist(), numbers, strict=True)
    text = io.StringIO(newline="")
    delimiter = "," if fspath(path) == STANDARD_OUTPUT else _DELIMITERS[Path(path).suffix.lower()]
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("node", "role"))
    writer.writerows(rows)
    if fspath(path) == STANDARD_OUTPUT:
        sys.stdout.write(text.getvalue())
        return
    with atomic_path(path) as temporary:
        temporary.write_bytes(text.getvalue().encode())
