"""Embeddings as text: comma- or tab-separated with a header, and the word2vec format.

Floats are written by ``repr``, the shortest text that reads back to the same bits. One code path writes them,
so that the bytes of a file never depend on which libraries are installed.
"""

from __future__ import annotations

import csv
import re
from array import array
from pathlib import Path
from typing import BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.store.tables import NODE_COLUMN, Embedding, first_repeat, labels_from_text

_ROWS_PER_WRITE = 16_384


def write_delimited(file: BinaryIO, embedding: Embedding, delimiter: str) -> None:
    """Write a header ``node,h1,...`` and one line per node, quoted where the csv module would."""
    assert embedding.nodes is not None
    assert embedding.columns is not None
    # The csv module leaves a lone carriage return unquoted in some versions, and then cannot read it.
    special = re.compile(f'[{delimiter}"\r\n]')

    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if special.search(text) else text

    header = map(quoted, (NODE_COLUMN, *embedding.columns))
    file.write((delimiter.join(header) + "\n").encode())
    _write_rows(file, [quoted(str(label)) for label in embedding.nodes.tolist()], embedding, delimiter)


def read_delimited(path: Path, delimiter: str) -> Embedding:
    """Read what `write_delimited` wrote; also with a byte-order mark and Windows line ends."""
    labels: list[str] = []
    numbers = array("d")
    lines = array("q")
    header: list[str] | None = None
    line = 1
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            for record in reader:
                if header is None:
                    header = _checked_header(record, path, delimiter)
                elif record:
                    _append_row(record, labels, numbers, len(header) - 1, path, line)
                    lines.append(line)
                # A quoted label may span lines: name the one where its record starts.
                line = reader.line_num + 1
    except csv.Error as error:
        raise GraphFormatError(f"not a table of quoted fields: {error}", path, line) from error
    except UnicodeDecodeError as error:
        raise GraphFormatError("not UTF-8 text", path, _undecodable_line(path)) from error
    if header is None:
        raise GraphFormatError(f"the file is empty; expected a header {NODE_COLUMN}{delimiter}h1...", path, 1)
    return _assemble(labels, numbers, lines, tuple(header[1:]), len(header) - 1, path)


def write_word2vec(file: BinaryIO, embedding: Embedding) -> None:
    """Write ``n d``, then one line per node: label and values, separated by spaces."""
    assert embedding.nodes is not None
    labels = list(map(str, embedding.nodes.tolist()))
    for label in labels:
        if label.split() != [label]:
            raise ParameterError(
                f"node label {label!r} is empty or holds white space, which .emb cannot express; use .csv, "
                f".parquet or another format"
            )
    n_rows, n_columns = embedding.values.shape
    file.write(f"{n_rows} {n_columns}\n".encode())
    _write_rows(file, labels, embedding, " ")


def read_word2vec(path: Path) -> Embedding:
    """Read the word2vec text format; it names no columns."""
    labels: list[str] = []
    numbers = array("d")
    lines = array("q")
    try:
        with path.open(encoding="utf-8-sig") as file:
            n_rows, n_columns = _checked_counts(file.readline(), path)
            for line, text in enumerate(file, start=2):
                record = text.split()
                if record:
                    _append_row(record, labels, numbers, n_columns, path, line)
                    lines.append(line)
    except UnicodeDecodeError as error:
        raise GraphFormatError("not UTF-8 text", path, _undecodable_line(path)) from error
    if len(labels) != n_rows:
        raise GraphFormatError(f"the first line promises {n_rows} nodes, but {len(labels)} follow", path, 1)
    return _assemble(labels, numbers, lines, None, n_columns, path)


def _write_rows(file: BinaryIO, labels: list[str], embedding: Embedding, delimiter: str) -> None:
    for start in range(0, len(labels), _ROWS_PER_WRITE):
        stop = start + _ROWS_PER_WRITE
        columns = (map(repr, column) for column in embedding.values[start:stop].T.tolist())
        lines = map(delimiter.join, zip(labels[start:stop], *columns, strict=True))
        file.write(("\n".join(lines) + "\n").encode())


def _append_row(
    record: list[str], labels: list[str], numbers: array[float], n_columns: int, path: Path, line: int
) -> None:
    if len(record) != n_columns + 1:
        raise GraphFormatError(f"expected a node label and {n_columns} values, found {len(record)} fields", path, line)
    try:
        numbers.extend(map(float, record[1:]))
    except ValueError as error:
        bad = next(text for text in record[1:] if not _is_float(text))
        raise GraphFormatError(f"{bad!r} is not a number", path, line) from error
    labels.append(record[0])


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _checked_header(record: list[str], path: Path, delimiter: str) -> list[str]:
    if len(record) < 2 or record[0] != NODE_COLUMN:
        raise GraphFormatError(
            f"expected a header {NODE_COLUMN}{delimiter}h1..., found {delimiter.join(record)[:80]!r}", path, 1
        )
    if len(set(record)) != len(record):
        raise GraphFormatError("two columns have the same name", path, 1)
    return record


def _checked_counts(text: str, path: Path) -> tuple[int, int]:
    words = text.split()
    if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words) or int(words[1]) < 1:
        raise GraphFormatError(
            f"expected the number of nodes and of values, such as '34 2'; found {text[:80].rstrip()!r}",
            path,
            1,
        )
    return int(words[0]), int(words[1])


def _assemble(
    labels: list[str],
    numbers: array[float],
    lines: array[int],
    columns: tuple[str, ...] | None,
    n_columns: int,
    path: Path,
) -> Embedding:
    nodes = labels_from_text(labels)
    if (pair := first_repeat(nodes)) is not None:
        raise GraphFormatError(f"node {labels[pair[1]]!r} was already on line {lines[pair[0]]}", path, lines[pair[1]])
    values = np.array(numbers, dtype=np.float64).reshape(len(labels), n_columns)
    return Embedding(nodes, values, columns)


def _undecodable_line(path: Path) -> int | None:
    with path.open("rb") as file:
        for line, content in enumerate(file, start=1):
            try:
                content.decode()
            except UnicodeDecodeError:
                return line
    return None
