"""The file formats of embeddings: which suffix means which, and which needs an optional library."""

from __future__ import annotations

from importlib.util import find_spec
from os import PathLike, fspath
from pathlib import PurePath

from vnestruct.errors import MissingExtraError, ParameterError

STANDARD_OUTPUT = "-"
TEXT_FORMATS = ("csv", "tsv", "emb")
ARROW_FORMATS = ("parquet", "feather")
FORMATS = (*ARROW_FORMATS, "csv", "tsv", "npy", "npz", "emb")


def embedding_format(path: str | PathLike[str], format: str | None = None) -> str:
    """Find the format of an embedding file, before the work of computing one begins.

    Parameters
    ----------
    path : path-like
        The file; its suffix tells the format. ``-`` is standard output, as csv.
    format : str, optional
        A format that overrides the suffix.

    Returns
    -------
    str
        One of parquet, feather, csv, tsv, npy, npz, emb.

    Raises
    ------
    ParameterError
        If the suffix or the format is unknown.
    MissingExtraError
        If the format needs pyarrow and it is not installed.

    Examples
    --------
    >>> embedding_format("roles/karate.csv")
    'csv'
    >>> embedding_format("-", "tsv")
    'tsv'
    """
    known = ", ".join(f".{name}" for name in FORMATS)
    if format is not None:
        name = format.lower().removeprefix(".")
        if name not in FORMATS:
            raise ParameterError(f"unknown format {format!r}; the known ones are {', '.join(FORMATS)}")
    elif fspath(path) == STANDARD_OUTPUT:
        name = "csv"
    else:
        name = PurePath(path).suffix.lower().removeprefix(".")
        if name not in FORMATS:
            raise ParameterError(
                f"cannot tell the format of {fspath(path)!r} from its suffix; the known ones are {known}"
            )
    if name in ARROW_FORMATS and find_spec("pyarrow") is None:
        raise MissingExtraError(f'.{name} files need pyarrow, which is not installed: pip install "vnestruct[parquet]"')
    return name
