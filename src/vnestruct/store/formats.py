"""Reading and writing an embedding in the format of its suffix."""

from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from os import fspath
from pathlib import Path, PurePath
from typing import IO, Any, NamedTuple

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import STANDARD_OUTPUT, atomic_path, standard_output
from vnestruct.lazy import load
from vnestruct.store.tables import Embedding, checked_embedding
from vnestruct.types import ArrayLike, FilePath


class _Format(NamedTuple):
    """A format: the module with its functions, their name, and the option that they take, if any."""

    module: str
    name: str
    option: tuple[str, ...] = ()
    is_text: bool = False

    def call(self, role: str, *arguments: Any) -> Any:
        """Call the function that reads ("read") or writes ("write"), or tells an embedding from a graph ("is")."""
        return load(f"vnestruct.store.{self.module}:{role}_{self.name}")(*arguments, *self.option)


_FORMATS = {
    "parquet": _Format("binary_files", "arrow", ("parquet",)),
    "feather": _Format("binary_files", "arrow", ("feather",)),
    "csv": _Format("text_files", "delimited", (",",), is_text=True),
    "tsv": _Format("text_files", "delimited", ("\t",), is_text=True),
    "npy": _Format("binary_files", "npy"),
    "npz": _Format("binary_files", "npz"),
    "emb": _Format("text_files", "word2vec", is_text=True),
}
_ONLY_EMBEDDINGS = ("npy", "emb")  # no graph has such a suffix


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
    embedding: Embedding = _FORMATS[embedding_format(path, format)].call("read", Path(path))
    return embedding


def holds_embedding(path: FilePath) -> bool:
    """Return whether a file is an embedding and not a graph: by its suffix, its column names and its first row."""
    name = PurePath(path).suffix.lower().removeprefix(".")
    if name not in _FORMATS or not Path(path).is_file():
        return False
    try:
        return name in _ONLY_EMBEDDINGS or bool(_FORMATS[name].call("is", Path(path)))
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
    form = _FORMATS[name]
    embedding = checked_embedding(nodes if name != "npy" else None, values, columns, metadata)
    if fspath(path) == STANDARD_OUTPUT:
        with standard_output(None if form.is_text else f".{name}") as stream:
            _write_to_stream(form, embedding, stream)
        return
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        if file.seekable():
            form.call("write", file, embedding)
        else:
            _write_to_stream(form, embedding, file)


def _write_to_stream(form: _Format, embedding: Embedding, stream: IO[bytes]) -> None:
    """Write to a stream without position: text in pieces, so that a reader may stop early, all else at once."""
    if form.is_text:
        form.call("write", stream, embedding)
    else:
        form.call("write", buffer := BytesIO(), embedding)
        stream.write(buffer.getbuffer())
