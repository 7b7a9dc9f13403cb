"""Files about roles: known labels read from one, the role of each node and what is known of each role written."""

from collections.abc import Mapping, Sequence
from os import fspath
from pathlib import Path
from typing import Any

from vnestruct.errors import Arguments, Message, Parameter, ParameterError
from vnestruct.files.atomic import write_rows
from vnestruct.files.output_checks import STANDARD_OUTPUT
from vnestruct.io.delimited import FieldError, data_lines, is_plain_integer, number_of, split_fields
from vnestruct.io.source import LineBlock, Source, shown
from vnestruct.roles.describe import RoleSummary
from vnestruct.store.tables import writable_labels
from vnestruct.types import FilePath

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_SEPARATORS = (b"\t", b",", b";")
_MANY = 10  # fewer nodes may well have different labels
_NODE_NAMES = {"node", "nodes", "id", "node_id", "nodeid", "name", "vertex"}


def read_labels(path: FilePath, *, node: str | int = 1, label: str | int = 2) -> dict[int | str, int | str]:
    r"""Read known node labels, to compare with roles.

    Fields are separated by tabs, commas, semicolons or spaces; lines that begin with ``#`` or ``%`` are comments;
    the file may be compressed. The first line is a header if a column is given by name, if it begins with a word
    such as ``node`` or ``id``, or if all other lines have integers where it has text. Columns of integers are read as
    such.

    Parameters
    ----------
    path : path-like
        The file; ``-`` for standard input.
    node, label : str or int
        The columns of nodes and labels, by name or by number from 1.

    Returns
    -------
    dict
        From node to label, in the order of the file.

    Raises
    ------
    GraphFormatError
        If the file cannot be read, or a line has no label or repeats a node; the message names the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.roles import read_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "labels.txt")
    ...     _ = file.write_text("node label\n7 hub\n3 leaf\n")
    ...     read_labels(file)
    {7: 'hub', 3: 'leaf'}
    """
    for name, column in (("node", node), ("label", label)):
        is_number = isinstance(column, int) and not isinstance(column, bool) and column >= 1
        if not isinstance(column, str) and not is_number:
            raise ParameterError(f"{name} is {column!r}; it must be a column name, or a number from 1")
    with Source(path) as source:
        lines = _split_lines(source)
        if not lines:
            raise source.error("the file has no labels; write one node and its label per line")
        names = [field.decode("utf-8", "replace") for field in lines[0][1]]
        places = [_place(source, names, column) for column in (node, label)]
        rows = []
        for number, fields in lines:
            if len(fields) <= max(places) or not all(fields[place] for place in places):
                raise source.error("expected a node and its label; complete the line or delete it", number)
            rows.append((number, fields[places[0]], fields[places[1]]))
        has_header = isinstance(node, str) or isinstance(label, str) or _is_header(rows)
        if has_header:
            del rows[0]
        labels = {label for _, _, label in rows}
        if len(labels) == len(rows) == len({node for _, node, _ in rows}) >= _MANY:
            wrong = f"all {len(rows)} labels differ, so column {label} holds no classes; choose another of "
            others = ", ".join(map(repr, names)) if has_header else f"{len(names)} columns"
            raise source.error(Message(wrong, others, " with ", Parameter("label", ...)))
        swapped = Arguments([Parameter("node", label), Parameter("label", node)])
        advice = Message(", or, if the columns are swapped, try: ", swapped) if len(labels) == len(rows) else ""
        mapping: dict[int | str, int | str] = {}
        nodes = _column(source, [(number, field) for number, field, _ in rows])
        classes = _column(source, [(number, field) for number, _, field in rows])
        for (number, text, _), node, label in zip(rows, nodes, classes, strict=True):
            if node in mapping:
                wrong = f"node {shown(text)} already has a label; delete one of the lines"
                raise source.error(Message(wrong, advice), number)
            mapping[node] = label
        return mapping


def _split_lines(source: Source) -> list[tuple[int, list[bytes]]]:
    lines = list(data_lines(LineBlock(source.content().removeprefix(b"\xef\xbb\xbf"), 1)))
    # The first line decides: labels may contain spaces if it has another separator.
    separator = next((mark for mark in _SEPARATORS if lines and mark in lines[0][1]), None)
    split = []
    for number, line in lines:
        try:
            split.append((number, split_fields(line, separator)))
        except FieldError as problem:
            raise source.error(str(problem), number) from None
    return split


def _place(source: Source, names: list[str], column: str | int) -> int:
    if not isinstance(column, str):
        return column - 1
    if column not in names:
        raise source.error(f"there is no column {column!r}; the first line has {', '.join(map(repr, names))}", 1)
    return names.index(column)


def _is_header(rows: list[tuple[int, bytes, bytes]]) -> bool:
    _, node, label = rows[0]
    if node.decode("utf-8", "replace").lower() in _NODE_NAMES:
        return True
    nodes, labels = [row[1] for row in rows[1:]], [row[2] for row in rows[1:]]
    return len(rows) > 1 and any(
        number_of(first) is None and all(map(is_plain_integer, column))
        for first, column in ((node, nodes), (label, labels))
    )


def _column(source: Source, fields: list[tuple[int, bytes]]) -> list[int | str]:
    if all(is_plain_integer(field) for _, field in fields):
        return [int(field) for _, field in fields]
    texts: list[int | str] = []
    for number, field in fields:
        try:
            texts.append(field.decode())
        except UnicodeDecodeError:
            raise source.error("not UTF-8 text; convert the file", number) from None
    return texts


def check_role_file(path: FilePath) -> None:
    """Check that `path` has the suffix of a role file."""
    if fspath(path) != STANDARD_OUTPUT and Path(path).suffix.lower() not in _DELIMITERS:
        places = "a .csv or .tsv file, or to - for standard output"
        raise ParameterError(f"{path}: roles are written to {places}; choose one of these")


def write_roles(path: FilePath, model: Any, roles: Sequence[RoleSummary] | None = None) -> None:
    """Write the role of each node to a .csv or .tsv file, or as csv to standard output for ``-``.

    Two different labels that would be written as the same text are refused. With what is known of the roles there are
    two more columns: the name of the role, and 1 for a node that no other node is like.
    """
    check_role_file(path)
    numbers = model.labels_.tolist()
    columns = {"node": writable_labels(model.nodes_, len(numbers)).tolist(), "role": numbers}
    if roles is not None:
        columns["name"] = [roles[role].name for role in numbers]
        columns["exceptional"] = model.exceptional_.astype(int).tolist()
    rows = zip(*columns.values(), strict=True)
    write_rows(path, [list(columns), *rows], _DELIMITERS.get(Path(path).suffix.lower(), ","))


def role_table_path(path: FilePath) -> Path:
    """Return where `write_role_table` writes: ``roles.summary.csv`` for ``roles.csv``."""
    return Path(path).with_suffix(f".summary{Path(path).suffix}")


def write_role_table(path: FilePath, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write what is known about each role next to the file of `write_roles`."""
    cells = [[" ".join(map(str, v)) if isinstance(v, list | tuple) else v for v in row.values()] for row in rows]
    write_rows(role_table_path(path), [list(rows[0]), *cells], _DELIMITERS[Path(path).suffix.lower()])
