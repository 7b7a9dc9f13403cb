"""Write an embedding to a file or to standard output, in the format of its suffix."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from io import BytesIO, RawIOBase
from os import PathLike, fspath
from typing import BinaryIO

import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.store.arrow_files import write_feather, write_parquet
from vnestruct.store.formats import STANDARD_OUTPUT, TEXT_FORMATS, embedding_format
from vnestruct.store.numpy_files import write_npy, write_npz
from vnestruct.store.tables import Embedding, checked_embedding
from vnestruct.store.text_files import write_delimited, write_word2vec

_WRITERS: dict[str, Callable[[BinaryIO, Embedding], None]] = {
    "parquet": write_parquet,
    "feather": write_feather,
    "csv": partial(write_delimited, delimiter=","),
    "tsv": partial(write_delimited, delimiter="\t"),
    "npy": write_npy,
    "npz": write_npz,
    "emb": write_word2vec,
}


def write_embedding(
    path: str | PathLike[str],
    nodes: npt.ArrayLike | Sequence[object] | None,
    values: npt.ArrayLike,
    columns: Iterable[str],
    *,
    metadata: Mapping[str, str] | None = None,
    format: str | None = None,
) -> None:
    """Write an embedding; the file appears whole or not at all.

    Parameters
    ----------
    path : path-like
        ``.parquet``, ``.feather``, ``.csv``, ``.tsv``, ``.npy`` (the matrix alone), ``.npz`` or ``.emb``
        (word2vec text). ``-`` is standard output, as csv unless `format` says otherwise.
    nodes : array-like or None
        Label of each row. Integers stay integers; strings stay strings; anything else is written as its
        ``str``. None means 0..n-1. Text files do not tell 1 from "1": both read back as the integer.
    values : array-like of float, shape (n, d)
        The signatures. Every format gives back the same bits.
    columns : iterable of str
        Names of the d columns.
    metadata : mapping of str to str, optional
        Kept by ``.parquet``, ``.feather`` and ``.npz``; the other formats have no place for it.
    format : str, optional
        One of the above without the dot, whatever the suffix.

    Raises
    ------
    ParameterError
        If the suffix is unknown, the pieces do not fit, or a label cannot be expressed in the format.
    MissingExtraError
        If the format needs pyarrow and it is not installed.
    OSError
        If the file cannot be written; a closed pipe is a `BrokenPipeError`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_embedding(Path(folder) / "h.csv", ["a", "b, c"], [[0.5, 0.25], [0.0, 1 / 3]], ["h1", "h2"])
    ...     print(Path(folder, "h.csv").read_text(), end="")
    node,h1,h2
    a,0.5,0.25
    "b, c",0.0,0.3333333333333333
    """
    name = embedding_format(path, format)
    embedding = checked_embedding(nodes if name != "npy" else None, values, columns, metadata)
    if fspath(path) == STANDARD_OUTPUT:
        _write_to_stdout(name, embedding)
        return
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        if file.seekable():
            _WRITERS[name](file, embedding)
        else:
            _write_to_stream(name, embedding, file)


def _write_to_stdout(name: str, embedding: Embedding) -> None:
    if name not in TEXT_FORMATS and sys.stdout.isatty():
        raise ParameterError(f"a terminal cannot show .{name}, which is binary; redirect it or name a file")
    sys.stdout.flush()
    stream: BinaryIO | None = getattr(sys.stdout, "buffer", None)
    if isinstance(stream, RawIOBase):
        # Under python -u a write may stop short of the end, and only a buffer goes on with the rest.
        with open(stream.fileno(), "wb", closefd=False) as buffered:
            _write_to_stream(name, embedding, buffered)
        return
    if stream is not None:
        _write_to_stream(name, embedding, stream)
        # Here, rather than when the interpreter ends, is where a closed pipe can be reported.
        stream.flush()
        return
    if name not in TEXT_FORMATS:
        raise ParameterError(f"standard output takes only text here and .{name} is binary; name a file")
    buffer = BytesIO()
    _WRITERS[name](buffer, embedding)
    sys.stdout.write(buffer.getvalue().decode())


def _write_to_stream(name: str, embedding: Embedding, stream: BinaryIO) -> None:
    """Write to what has no position: text as it comes, so that a reader may stop early; else in one go."""
    if name in TEXT_FORMATS:
        _WRITERS[name](stream, embedding)
    else:
        buffer = BytesIO()
        _WRITERS[name](buffer, embedding)
        stream.write(buffer.getbuffer())
