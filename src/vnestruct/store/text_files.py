"""Embeddings as text: comma- or tab-separated with a header, and the word2vec format.

Floats are written by ``repr``, the shortest text that reads back to the same bits. One code path writes them,
so that the bytes of a file never depend on which libraries are installed.
"""

import csv
import re
from array import array
from pathlib import Path
from typing import BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph.labels import as_label_column
from vnestruct.store.tables import NODE_COLUMN, Embedding, first_repeat

_ROWS_PER_WRITE = 16_384
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)


class _Rows:
    """The rows of a file of text: labels, numbers, and the line of each."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.labels: list[str] = []
        self._numbers = array("d")
        self._lines = array("q")

    def append(self, record: list[str], n_columns: int, line: int) -> None:
        if len(record) != n_columns + 1:
            wrong = f"expected a node label and {n_columns} values, found {len(record)} fields"
            raise GraphFormatError(wrong, self._path, line)
        try:
            self._numbers.extend(map(float, record[1:]))
        except ValueError as error:
            # Python ends its message with the text in quotes.
            raise GraphFormatError(f"{str(error).partition(': ')[2]} is not a number", self._path, line) from error
        self.labels.append(record[0])
        self._lines.append(line)

    def embedding(self, columns: tuple[str, ...] | None, n_columns: int) -> Embedding:
        # Integers if each is a whole number of 64 bits as Python writes it.
        are_numbers = all(map(_WHOLE_NUMBER.fullmatch, self.labels))
        numbers = as_label_column([int(text) for text in self.labels]) if are_numbers else np.empty(0, object)
        nodes = numbers if numbers.dtype == np.int64 else np.array(self.labels, dtype=object)
        if (pair := first_repeat(nodes)) is not None:
            first, second = (self._lines[place] for place in pair)
            raise GraphFormatError(f"node {self.labels[pair[1]]!r} was already on line {first}", self._path, second)
        return Embedding(nodes, np.array(self._numbers).reshape(len(self.labels), n_columns), columns)


def write_delimited(file: BinaryIO, embedding: Embedding, delimiter: str) -> None:
    """Write a header ``node,h1,...`` and one line per node, quoted where the csv module would."""
    assert embedding.nodes is not None
    assert embedding.columns is not None
    # The csv module leaves a lone carriage return unquoted in some versions, and then cannot read it.
    special = re.compile(f'[{delimiter}"\r\n]')

    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if special.search(text) else text

    file.write((delimiter.join(map(quoted, (NODE_COLUMN, *embedding.columns))) + "\n").encode())
    _write_rows(file, [quoted(str(label)) for label in embedding.nodes.tolist()], embedding, delimiter)


def read_delimited(path: Path, delimiter: str) -> Embedding:
    """Read what `write_delimited` wrote; also with a byte-order mark and Windows line ends."""
    rows = _Rows(path)
    header: list[str] | None = None
    line = 1
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            for record in reader:
                if header is None:
                    header = record
                    if len(record) < 2 or record[0] != NODE_COLUMN:
                        wrong = f"expected a header {NODE_COLUMN}{delimiter}h1..., "
                        raise GraphFormatError(f"{wrong}found {delimiter.join(record)[:80]!r}", path, 1)
                    if len(set(record)) != len(record):
                        raise GraphFormatError("two columns have the same name", path, 1)
                elif record:
                    rows.append(record, len(header) - 1, line)
                # A quoted label may span lines: name the line on which its record starts.
                line = reader.line_num + 1
    except csv.Error as error:
        raise GraphFormatError(f"not a table of quoted fields: {error}", path, line) from error
    except UnicodeDecodeError as error:
        raise GraphFormatError("not UTF-8 text", path, _undecodable_line(path)) from error
    if header is None:
        raise GraphFormatError(f"the file is empty; expected a header {NODE_COLUMN}{delimiter}h1...", path, 1)
    return rows.embedding(tuple(header[1:]), len(header) - 1)


def is_delimited(path: Path, delimiter: str) -> bool:
    """Return whether a file starts like those of `write_delimited`: its numbers are not node ids."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, row = [next(csv.reader(file, delimiter=delimiter), []) for _ in range(2)]
    return len(row) == len(header) > 1 and header[0] == NODE_COLUMN and all("." in text for text in row[1:])


def write_word2vec(file: BinaryIO, embedding: Embedding) -> None:
    """Write ``n d``, then one line per node: label and values, separated by spaces."""
    assert embedding.nodes is not None
    labels = list(map(str, embedding.nodes.tolist()))
    check_words(labels)
    file.write("{} {}\n".format(*embedding.values.shape).encode())
    _write_rows(file, labels, embedding, " ")


def check_words(labels: list[str]) -> None:
    """Refuse labels that are not one word each."""
    for label in labels:
        if label.split() != [label]:
            wrong = f"node label {label!r} is empty or holds white space, which .emb cannot express; "
            raise ParameterError(wrong + "use .csv, .parquet or another format")


def read_word2vec(path: Path) -> Embedding:
    """Read the word2vec text format; it names no columns."""
    rows = _Rows(path)
    try:
        with path.open(encoding="utf-8-sig") as file:
            first = file.readline()
            words = first.split()
            if len(words) != 2 or not all(word.isascii() and word.isdigit() for word in words) or int(words[1]) < 1:
                wrong = f"expected the number of nodes and of values, such as '34 2'; found {first[:80].rstrip()!r}"
                raise GraphFormatError(wrong, path, 1)
            n_rows, n_columns = map(int, words)
            for line, text in enumerate(file, start=2):
                if record := text.split():
                    rows.append(record, n_columns, line)
    except UnicodeDecodeError as error:
        raise GraphFormatError("not UTF-8 text", path, _undecodable_line(path)) from error
    if len(rows.labels) != n_rows:
        raise GraphFormatError(f"the first line promises {n_rows} nodes, but {len(rows.labels)} follow", path, 1)
    return rows.embedding(None, n_columns)


def _write_rows(file: BinaryIO, labels: list[str], embedding: Embedding, delimiter: str) -> None:
    for start in range(0, len(labels), _ROWS_PER_WRITE):
        stop = start + _ROWS_PER_WRITE
        columns = (map(repr, column) for column in embedding.values[start:stop].T.tolist())
        lines = map(delimiter.join, zip(labels[start:stop], *columns, strict=True))
        file.write(("\n".join(lines) + "\n").encode())


def _undecodable_line(path: Path) -> int | None:
    try:
        path.read_bytes().decode()
    except UnicodeDecodeError as error:
        return 1 + error.object.count(b"\n", 0, error.start)
    return None
