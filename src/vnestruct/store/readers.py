"""Read an embedding back from a file, in the format of its suffix."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from os import PathLike
from pathlib import Path

from vnestruct.store.arrow_files import read_feather, read_parquet
from vnestruct.store.formats import embedding_format
from vnestruct.store.numpy_files import read_npy, read_npz
from vnestruct.store.tables import Embedding
from vnestruct.store.text_files import read_delimited, read_word2vec

_READERS: dict[str, Callable[[Path], Embedding]] = {
    "parquet": read_parquet,
    "feather": read_feather,
    "csv": partial(read_delimited, delimiter=","),
    "tsv": partial(read_delimited, delimiter="\t"),
    "npy": read_npy,
    "npz": read_npz,
    "emb": read_word2vec,
}


def read_embedding(path: str | PathLike[str], *, format: str | None = None) -> Embedding:
    r"""Read an embedding that `write_embedding` wrote, or another program in the same format.

    Parameters
    ----------
    path : path-like
        The file; its suffix tells the format.
    format : str, optional
        A format that overrides the suffix.

    Returns
    -------
    Embedding
        Labels, values, column names and metadata, as far as the format has them.

    Raises
    ------
    GraphFormatError
        If the file is damaged or is no embedding, naming the path and, for text, the line.
    ParameterError
        If the suffix is unknown.
    MissingExtraError
        If the format needs pyarrow and it is not installed.
    OSError
        If the file cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "h.tsv"
    ...     _ = path.write_text("node\th1\n7\t0.5\n9\t0.25\n")
    ...     embedding = read_embedding(path)
    >>> embedding.nodes
    array([7, 9])
    >>> embedding.values.tolist()
    [[0.5], [0.25]]
    """
    return _READERS[embedding_format(path, format)](Path(path))
