"""Where an embedding goes: checked before the work, written with what it is."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vnestruct.errors import ParameterError, VNEstructError

if TYPE_CHECKING:
    from vnestruct.embedding.parameters import Settings
    from vnestruct.graph import Graph

STANDARD_OUTPUT = "-"


def check_place(path: str) -> None:
    """Refuse, before any work, a file that could not be written after it.

    Raises
    ------
    ParameterError
        If the path is a folder or its folder does not exist.
    OSError
        If the folder or file may not be written.
    """
    if path == STANDARD_OUTPUT:
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise ParameterError(f"{path} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise ParameterError(f"{path}: there is no folder {target.parent}; create it first")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def check_embedding_output(path: str, format: str | None, as_json: bool) -> str:
    """Check where an embedding is to go; return its format."""
    from vnestruct.store import embedding_format

    form = embedding_format(path, format)
    check_place(path)
    if as_json and path == STANDARD_OUTPUT:
        raise ParameterError("--json prints to standard output, where the rows go already; name a file with -o")
    return form


def check_labels(labels: Any, form: str) -> None:
    """Refuse, before any work, labels that the format cannot express."""
    if form == "npy" or labels.dtype != object:
        return
    import io

    import numpy as np

    from vnestruct.store.tables import Embedding, writable_labels
    from vnestruct.store.text_files import write_word2vec

    texts = writable_labels(labels, labels.size)
    if form == "emb":
        write_word2vec(io.BytesIO(), Embedding(texts, np.empty((labels.size, 1)), ("h1",)))


def embedding_metadata(graph: Graph, settings: Settings) -> dict[str, str]:
    """Return what an embedding file says of itself: version, graph, parameters."""
    from vnestruct import __version__

    parameters = {**settings.identity(), "aggregate": list(settings.aggregates)}
    return {
        "vnestruct_version": __version__,
        "graph_hash": graph.hash,
        "parameters": json.dumps(parameters, sort_keys=True),
    }


def write_rows(
    path: str, form: str, labels: Any, values: Any, settings: Settings, metadata: dict[str, str], kept: str | None
) -> None:
    """Write an embedding; say which file could not be written, and that finished rows are safe."""
    from vnestruct.store import write_embedding

    try:
        write_embedding(path, labels, values, settings.columns, metadata=metadata, format=form)
    except BrokenPipeError:
        raise
    except OSError as error:
        where = "standard output" if path == STANDARD_OUTPUT else path
        remedy = "free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "choose another place"
        again = "" if kept is None else f" and run the same command again: all rows are kept in {kept}"
        raise VNEstructError(f"{where}: writing failed ({error.strerror or error}); {remedy}{again}") from error
