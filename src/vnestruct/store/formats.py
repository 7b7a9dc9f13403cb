"""The file formats of embeddings, and reading and writing an embedding in the format of its suffix."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from io import BytesIO, RawIOBase
from os import fspath
from pathlib import Path, PurePath
from typing import Any, BinaryIO, NamedTuple

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.files.output_checks import STANDARD_OUTPUT
from vnestruct.lazy import load
from vnestruct.store.tables import Embedding, checked_embedding
from vnestruct.types import ArrayLike, FilePath


class _Format(NamedTuple):
    """Functions of a format; `holds` tells an embedding from a graph by names of columns and the first row."""

    read: Callable[[Path], Embedding]
    write: Callable[[BinaryIO, Embedding], None]
    holds: Callable[[Path], bool] = lambda path: True  # no graph has such a suffix
    is_text: bool = False


def _binary(name: str, holds: bool = True) -> _Format:
    place = "vnestruct.store.binary_files"
    known = {"holds": _loaded(f"{place}:is_{name}")} if holds else {}
    return _Format(_loaded(f"{place}:read_{name}"), _loaded(f"{place}:write_{name}"), **known)


def _text(name: str, **how: str) -> _Format:
    place = "vnestruct.store.text_files"
    known = {"holds": _loaded(f"{place}:is_{name}", **how)} if how else {}
    return _Format(
        _loaded(f"{place}:read_{name}", **how), _loaded(f"{place}:write_{name}", **how), is_text=True, **known
    )


def _loaded(place: str, **how: str) -> Callable[..., Any]:
    """Return a function that is imported when it is called."""
    return lambda *arguments: load(place)(*arguments, **how)


_FORMATS = {
    "parquet": _binary("parquet"),
    "feather": _binary("feather"),
    "csv": _text("delimited", delimiter=","),
    "tsv": _text("delimited", delimiter="\t"),
    "npy": _binary("npy", holds=False),
    "npz": _binary("npz"),
    "emb": _text("word2vec"),
}


def embedding_format(path: FilePath, format: str | None = None) -> str:
    """Return the format of an embedding file by its suffix, csv for ``-``, before the work of computing one begins."""
    if format is None and fspath(path) == STANDARD_OUTPUT:
        format = "csv"
    name = (PurePath(path).suffix if format is None else format).lower().removeprefix(".")
    if name not in _FORMATS and format is None:
        known = ", ".join(f".{name}" for name in _FORMATS)
        raise ParameterError(f"cannot tell the format of {fspath(path)!r} from its suffix; the known ones are {known}")
    if name not in _FORMATS:
        # Not named as a parameter: for most commands, the option of that name is the format of the graph.
        raise ParameterError(f"unknown format {format!r}; the known ones are {', '.join(_FORMATS)}")
    return name


def read_embedding(path: FilePath, *, format: str | None = None) -> Embedding:
    r"""Read an embedding that `write_embedding` wrote, or another program in the same format.

    Parameters
    ----------
    path : path-like
        The file; its suffix determines the format.
    format : str, optional
        A format that overrides the suffix.

    Returns
    -------
    Embedding
        Labels, values, column names and metadata, as far as the format has them.

    Raises
    ------
    GraphFormatError
        If the file is damaged or not an embedding, naming the path and, for text, the line.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("h.tsv").write_text("node\th1\n7\t0.5\n9\t0.25\n")
    >>> embedding = read_embedding("h.tsv")
    >>> embedding.nodes.tolist(), embedding.values.tolist()
    ([7, 9], [[0.5], [0.25]])
    """
    return _FORMATS[embedding_format(path, format)].read(Path(path))


def holds_embedding(path: FilePath) -> bool:
    """Return whether a file is an embedding and not a graph: by its suffix, its column names and its first row."""
    name = PurePath(path).suffix.lower().removeprefix(".")
    if name not in _FORMATS or not Path(path).is_file():
        return False
    try:
        return _FORMATS[name].holds(Path(path))
    except (OSError, ValueError):
        # Whoever reads the file says what is wrong with it.
        return False


def write_embedding(
    path: FilePath, nodes: ArrayLike | Sequence[object] | None, values: ArrayLike,
    columns: Iterable[str], *, metadata: Mapping[str, str] | None = None, format: str | None = None,
) -> None:  # fmt: skip
    """Write an embedding; the file appears whole or not at all.

    Parameters
    ----------
    path : path-like
        ``.parquet``, ``.feather``, ``.csv``, ``.tsv``, ``.npy`` (the matrix alone), ``.npz`` or ``.emb``
        (word2vec text). ``-`` is standard output, as csv unless `format` says otherwise.
    nodes : array-like or None
        Label of each row. Integers stay integers; strings stay strings; anything else is written as its
        ``str``. None means 0..n-1. Text files do not distinguish 1 from "1": both read back as the integer.
    values : array-like of float, shape (n, d)
        The signatures. Every format gives back the same bits.
    columns : iterable of str
        Names of the d columns.
    metadata : mapping of str to str, optional
        Kept by ``.parquet``, ``.feather`` and ``.npz``; the other formats have no place for it.
    format : str, optional
        One of the above without the dot; overrides the suffix.

    Raises
    ------
    ParameterError
        If the suffix is unknown, the pieces do not fit, or a label cannot be expressed in the format.
    OSError
        If the file cannot be written; a closed pipe is a `BrokenPipeError`.

    Examples
    --------
    >>> from pathlib import Path
    >>> write_embedding("h.csv", ["a", "b, c"], [[0.5, 0.25], [0.0, 1 / 3]], ["h1", "h2"])
    >>> print(Path("h.csv").read_text(), end="")
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
            _FORMATS[name].write(file, embedding)
        else:
            _write_to_stream(name, embedding, file)


def _write_to_stdout(name: str, embedding: Embedding) -> None:
    if not _FORMATS[name].is_text and sys.stdout.isatty():
        raise ParameterError(f"a terminal cannot show .{name}, which is binary; redirect it or name a file")
    sys.stdout.flush()
    stream: Any = getattr(sys.stdout, "buffer", None)
    if stream is None and not _FORMATS[name].is_text:
        raise ParameterError(f"standard output takes only text here and .{name} is binary; name a file")
    if stream is None:
        _FORMATS[name].write(buffer := BytesIO(), embedding)
        sys.stdout.write(buffer.getvalue().decode())
        return
    # Under python -u a write may stop before the end, and only a buffer writes the rest.
    is_raw = isinstance(stream, RawIOBase)
    with open(stream.fileno(), "wb", closefd=False) if is_raw else nullcontext(stream) as buffered:
        _write_to_stream(name, embedding, buffered)
        # A closed pipe can be reported here, but not when the interpreter ends.
        buffered.flush()


def _write_to_stream(name: str, embedding: Embedding, stream: BinaryIO) -> None:
    """Write to a stream without position: text in pieces, so that a reader may stop early, all else at once."""
    if _FORMATS[name].is_text:
        _FORMATS[name].write(stream, embedding)
    else:
        _FORMATS[name].write(buffer := BytesIO(), embedding)
        stream.write(buffer.getbuffer())
