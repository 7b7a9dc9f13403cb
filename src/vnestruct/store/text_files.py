"""Embeddings as text: comma- or tab-separated with a header, and the word2vec format.

Floats are written by ``repr``, the shortest text that reads back to the same bits.
"""

import csv
import io
import re
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph.labels import as_label_column
from vnestruct.store.tables import NODE_COLUMN, Embedding, first_repeat, labels_and_columns

_ROWS_PER_WRITE = 16_384
_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)

Record = tuple[int, list[str]]  # the line it starts on, and its fields


def write_delimited(file: BinaryIO, embedding: Embedding, delimiter: str) -> None:
    """Write a header ``node,h1,...`` and one line per node, quoted where the csv module would."""
    labels, columns = labels_and_columns(embedding)
    # The csv module leaves a lone carriage return unquoted in some versions, and then cannot read it.
    special = re.compile(f'[{delimiter}"\r\n]')

    def quoted(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if special.search(text) else text

    header = delimiter.join(map(quoted, (NODE_COLUMN, *columns)))
    _write_lines(file, header, [quoted(str(label)) for label in labels.tolist()], embedding, delimiter)


def read_delimited(path: Path, delimiter: str) -> Embedding:
    """Read what `write_delimited` wrote; also with a byte-order mark and Windows line ends."""
    records = _delimited_records(path, delimiter)
    expected = f"expected a header {NODE_COLUMN}{delimiter}h1..."
    _, header = next(records, (1, []))
    if not header:
        raise GraphFormatError(f"the file is empty; {expected}", path, 1)
    if len(header) < 2 or header[0] != NODE_COLUMN:
        raise GraphFormatError(f"{expected}, found {delimiter.join(header)[:80]!r}", path, 1)
    if len(set(header)) != len(header):
        raise GraphFormatError("two columns have the same name", path, 1)
    return _embedding(path, records, tuple(header[1:]), len(header) - 1)


def _delimited_records(path: Path, delimiter: str) -> Iterator[Record]:
    reader = csv.reader(io.StringIO(_text(path), newline=""), delimiter=delimiter, strict=True)
    line = 1
    try:
        for record in reader:
            if record:
                yield line, record
            # A quoted label may span lines: name the line on which its record starts.
            line = reader.line_num + 1
    except csv.Error as error:
        raise GraphFormatError(f"not a table of quoted fields: {error}", path, line) from error


def is_delimited(path: Path, delimiter: str) -> bool:
    """Return whether a file starts like those of `write_delimited`: its numbers are not node ids."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header, row = [next(csv.reader(file, delimiter=delimiter), []) for _ in range(2)]
    return len(row) == len(header) > 1 and header[0] == NODE_COLUMN and all("." in text for text in row[1:])


def write_word2vec(file: BinaryIO, embedding: Embedding) -> None:
    """Write ``n d``, then one line per node: label and values, separated by spaces."""
    labels = list(map(str, labels_and_columns(embedding)[0].tolist()))
    check_words(labels)
    _write_lines(file, "{} {}".format(*embedding.values.shape), labels, embedding, " ")


def check_words(labels: list[str]) -> None:
    """Refuse labels that are not one word each."""
    for label in labels:
        if label.split() != [label]:
            wrong = f"node label {label!r} is empty or holds white space, which .emb cannot express; "
            raise ParameterError(wrong + "use .csv, .parquet or another format")


def read_word2vec(path: Path) -> Embedding:
    """Read the word2vec text format; it names no columns."""
    first, *lines = _text(path).split("\n")
    if not re.fullmatch(r"\s*[0-9]+\s+0*[1-9][0-9]*\s*", first, re.ASCII):
        wrong = f"expected the number of nodes and of values, such as '34 2'; found {first[:80].rstrip()!r}"
        raise GraphFormatError(wrong, path, 1)
    n_rows, n_columns = map(int, first.split())
    records = ((line, record) for line, text in enumerate(lines, 2) if (record := text.split()))
    embedding = _embedding(path, records, None, n_columns)
    if len(embedding.values) != n_rows:
        wrong = f"the first line promises {n_rows} nodes, but {len(embedding.values)} follow"
        raise GraphFormatError(wrong, path, 1)
    return embedding


def _write_lines(file: BinaryIO, header: str, labels: list[str], embedding: Embedding, delimiter: str) -> None:
    file.write(f"{header}\n".encode())
    for start in range(0, len(labels), _ROWS_PER_WRITE):
        stop = start + _ROWS_PER_WRITE
        columns = (map(repr, column) for column in embedding.values[start:stop].T.tolist())
        lines = map(delimiter.join, zip(labels[start:stop], *columns, strict=True))
        file.write(("\n".join(lines) + "\n").encode())


def _text(path: Path) -> str:
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GraphFormatError("not UTF-8 text", path, 1 + content.count(b"\n", 0, error.start)) from error


def _embedding(path: Path, records: Iterable[Record], columns: tuple[str, ...] | None, n_columns: int) -> Embedding:
    """Return the embedding of records: a label and the numbers of its columns."""
    numbers, labels, lines = array("d"), [], []
    for line, (label, *fields) in records:
        if len(fields) != n_columns:
            wrong = f"expected a node label and {n_columns} values, found {len(fields) + 1} fields"
            raise GraphFormatError(wrong, path, line)
        try:
            numbers.extend(map(float, fields))
        except ValueError as error:
            # Python ends its message with the text in quotes.
            raise GraphFormatError(f"{str(error).partition(': ')[2]} is not a number", path, line) from error
        labels.append(label)
        lines.append(line)
    # Integers if each is a whole number of 64 bits as Python writes it.
    nodes = np.array(labels, dtype=object)
    if all(map(_WHOLE_NUMBER.fullmatch, labels)):
        integers = as_label_column(list(map(int, labels)))
        nodes = nodes if integers.dtype == object else integers
    if (pair := first_repeat(nodes)) is not None:
        first, second = (lines[place] for place in pair)
        raise GraphFormatError(f"node {labels[pair[1]]!r} was already on line {first}", path, second)
    return Embedding(nodes, np.array(numbers).reshape(len(labels), n_columns), columns)
