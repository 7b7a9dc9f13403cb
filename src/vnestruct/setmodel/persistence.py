"""Fitted classifiers in a file: a safetensors file whose header holds the rest as JSON, never a pickle."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct._version import __version__
from vnestruct.errors import GraphFormatError, MissingExtraError, ParameterError
from vnestruct.files.atomic import atomic_path

FORMAT = "vnestruct classifier"
FORMAT_VERSION = 1

Arrays = dict[str, npt.NDArray[Any]]


def save_model(
    path: str | PathLike[str],
    kind: str,
    parameters: Mapping[str, Any],
    arrays: Mapping[str, npt.NDArray[Any]],
    classes: npt.NDArray[Any],
    notes: Mapping[str, Any],
) -> None:
    """Write a model; the file appears whole or not at all."""
    if classes.dtype.kind not in "iuUbf":
        raise ParameterError(f"classes are of dtype {classes.dtype}; a file can hold numbers and texts only")
    manifest = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "package_version": __version__,
        "kind": kind,
        "parameters": {name: _plain(value) for name, value in parameters.items()},
        "classes": {"dtype": classes.dtype.str, "values": classes.tolist()},
        **notes,
    }
    save = _safetensors().save
    content = save({name: np.ascontiguousarray(a) for name, a in arrays.items()}, {"vnestruct": json.dumps(manifest)})
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def load_model(path: str | PathLike[str], kind: str) -> tuple[dict[str, Any], Arrays, npt.NDArray[Any], dict[str, Any]]:
    """Read what `save_model` wrote: parameters, arrays, classes, and the rest of the header.

    Raises
    ------
    GraphFormatError
        If the file is not a saved classifier of this kind, is damaged, or comes from a later version.
    """
    manifest = read_manifest(path)
    if manifest["kind"] != kind:
        raise GraphFormatError(f"this is a classifier of kind {manifest['kind']!r}, not {kind!r}", path)
    arrays = _safetensors().load(Path(path).read_bytes())
    classes = np.array(manifest["classes"]["values"], dtype=manifest["classes"]["dtype"])
    return manifest["parameters"], arrays, classes, manifest


def read_manifest(path: str | PathLike[str]) -> dict[str, Any]:
    """Return the header of a saved classifier, checked."""
    if not Path(path).is_file():
        raise GraphFormatError("there is no such file; check the name", path)
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(fspath(path), "numpy") as file:
            manifest: dict[str, Any] = json.loads((file.metadata() or {})["vnestruct"])
        is_ours = manifest["format"] == FORMAT
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise GraphFormatError(f"not a readable file of a saved classifier ({error})", path) from None
    if not is_ours:
        raise GraphFormatError(f"this is {manifest['format']!r}, not a saved classifier", path)
    # The version comes first: a later one may mean anything by the rest.
    if manifest["format_version"] > FORMAT_VERSION:
        raise GraphFormatError(
            f"format {manifest['format_version']} is newer than {FORMAT_VERSION}, the latest that this version of "
            "vnestruct reads; upgrade vnestruct",
            path,
        )
    return manifest


def _safetensors() -> Any:
    try:
        import safetensors.numpy
    except ImportError as error:
        raise MissingExtraError('saved classifiers need safetensors: pip install "vnestruct[torch]"') from error
    return safetensors.numpy


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return list(value) if isinstance(value, tuple | set) else value
