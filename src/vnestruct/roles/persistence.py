"""Fitted roles in a file: NumPy arrays and one JSON text in a zip archive, never a pickle.

``roles.json`` says format, version, parameters and everything that is not an array; node labels are in it unless
all are integers. Equal models give equal bytes.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct._version import __version__
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.graph.labels import as_label_column

FORMAT = "vnestruct roles"
FORMAT_VERSION = 1

_MANIFEST = "roles.json"
_UNREADABLE = (ValueError, EOFError, KeyError, TypeError, OSError, struct.error, zipfile.BadZipFile, zlib.error)


def save_model(
    path: str | PathLike[str],
    parameters: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    nodes: npt.NDArray[Any],
    notes: Mapping[str, Any],
) -> None:
    """Write a model; the file appears whole or not at all.

    Raises
    ------
    ParameterError
        If a node label is neither number, text, nor a tuple of such.
    """
    stored = dict(arrays)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "package_version": __version__,
        "parameters": {name: _encoded_parameter(value) for name, value in parameters.items()},
        "arrays": sorted(arrays),
        **notes,
    }
    if nodes.dtype == np.int64:
        stored["nodes"] = nodes
    else:
        manifest["nodes"] = [_encoded(label) for label in nodes.tolist()]
    with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        _add(archive, _MANIFEST, (json.dumps(manifest, indent=1, ensure_ascii=True) + "\n").encode())
        for name, array in stored.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            _add(archive, f"{name}.npy", content.getvalue())


def load_model(
    path: str | PathLike[str], parameters: Sequence[str], arrays: Sequence[str]
) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]], npt.NDArray[Any], dict[str, Any]]:
    """Read what `save_model` wrote: parameters, arrays, node labels, and the rest of the manifest.

    Raises
    ------
    GraphFormatError
        If the file is not a saved model, is damaged, or comes from a later version.
    """
    if not Path(path).exists():
        raise GraphFormatError("there is no such file; check the name", path)
    try:
        with zipfile.ZipFile(fspath(path)) as archive:
            manifest = json.loads(archive.read(_MANIFEST))
            if manifest["format"] != FORMAT:
                raise GraphFormatError(f"this is {manifest['format']!r}, not a file of saved roles", path)
            # The version comes first: a later one may mean anything by the rest.
            if manifest["format_version"] > FORMAT_VERSION:
                raise GraphFormatError(
                    f"format {manifest['format_version']} is newer than {FORMAT_VERSION}, the latest that this version "
                    "of vnestruct reads; upgrade vnestruct",
                    path,
                )
            found = {name: _array(archive, name) for name in arrays}
            nodes = _decoded(manifest["nodes"]) if "nodes" in manifest else _array(archive, "nodes")
            chosen = {name: _decoded_label(manifest["parameters"][name]) for name in parameters}
    except GraphFormatError:
        raise
    except _UNREADABLE as error:
        raise GraphFormatError(f"not a readable file of saved roles: {error}", path) from error
    return chosen, found, nodes, manifest


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    # A fixed time stamp, so that equal models give equal files.
    entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def _array(archive: zipfile.ZipFile, name: str) -> npt.NDArray[Any]:
    content = np.lib.format.read_array(io.BytesIO(archive.read(f"{name}.npy")), allow_pickle=False)
    array: npt.NDArray[Any] = content
    return array


def _encoded_parameter(value: Any) -> Any:
    return [_encoded(item) for item in value] if isinstance(value, list) else _encoded(value)


def _encoded(label: Any) -> Any:
    """Write a label so that its type comes back: tuples and infinite floats are tagged."""
    if label is None or isinstance(label, str | bool | int):
        return label
    if isinstance(label, float):
        return {"float": label.hex()}
    if isinstance(label, tuple):
        return {"tuple": [_encoded(item) for item in label]}
    if isinstance(label, np.generic):
        return _encoded(label.item())
    raise ParameterError(
        f"node label {label!r} is a {type(label).__name__}, which a file of roles cannot hold; "
        "relabel the nodes by numbers, texts, or tuples of them"
    )


def _decoded(labels: list[Any]) -> npt.NDArray[Any]:
    return as_label_column([_decoded_label(label) for label in labels])


def _decoded_label(label: Any) -> Any:
    if not isinstance(label, dict):
        return label
    if "float" in label:
        return float.fromhex(label["float"])
    return tuple(_decoded_label(item) for item in label["tuple"])
