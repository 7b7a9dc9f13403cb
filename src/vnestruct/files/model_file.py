"""Saved models: NumPy arrays and one JSON text in a zip archive, never a pickle.

The manifest says format, format version, package version and everything that is not an array. Equal models give equal
bytes. Classifiers saved by version 0.1 are safetensors files, which are still read.
"""

import io
import json
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from vnestruct._version import __version__
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.archives import UNREADABLE, open_archive, read_member_array
from vnestruct.files.atomic import atomic_path
from vnestruct.types import Array, FilePath

Arrays: TypeAlias = dict[str, Array]

_SAFETENSORS_TYPES = {"F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "U8": "|u1", "I8": "|i1", "BOOL": "|b1"}


def save_model(path: FilePath, what: str, version: int, notes: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a model, such as "roles", whole or not at all; `notes` is what is no array, see `encode_value`."""
    manifest = {"format": f"vnestruct {what}", "format_version": version, "package_version": __version__}
    manifest |= {"arrays": sorted(arrays), **notes}
    text = json.dumps(manifest, indent=1, ensure_ascii=True) + "\n"
    with atomic_path(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        # The time stamp of a bare ZipInfo is fixed, so that equal models give equal files.
        archive.writestr(zipfile.ZipInfo(f"{what}.json"), text, zipfile.ZIP_DEFLATED)
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), zipfile.ZIP_DEFLATED)


def load_model(path: FilePath, what: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """Return the manifest and the arrays that `save_model` wrote; refuse other, damaged and later files."""
    if not Path(path).is_file():
        raise GraphFormatError("there is no such file; check the name", path)
    try:
        with Path(path).open("rb") as file:
            is_archive = file.read(2) == b"PK"
        return _read_archive(path, what, version) if is_archive else _read_safetensors(path, what, version)
    except GraphFormatError:
        raise
    except UNREADABLE as error:
        raise GraphFormatError(f"not a readable {what} file: {error}", path) from error


def encode_value(value: Any) -> Any:
    """Return a parameter or a node label for JSON so that its type comes back: tuples and floats are tagged."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return {"float": value.hex()}
    if isinstance(value, tuple):
        return {"tuple": [encode_value(item) for item in value]}
    if isinstance(value, list):
        return [encode_value(item) for item in value]
    if isinstance(value, np.generic):
        return encode_value(value.item())
    wrong = f"{value!r} is a {type(value).__name__}, which a saved model cannot hold; "
    raise ParameterError(wrong + "node labels there are numbers, texts, or tuples of them")


def decode_value(value: Any) -> Any:
    """Return what `encode_value` was given."""
    if isinstance(value, list):
        return [decode_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "float" in value:
        return float.fromhex(value["float"])
    return tuple(decode_value(item) for item in value["tuple"])


def _read_archive(path: FilePath, what: str, version: int) -> tuple[dict[str, Any], Arrays]:
    with open_archive(path) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".json")]
        manifest: dict[str, Any] = json.loads(archive.read(name))
        _check_manifest(manifest, path, what, version)
        names = [name for name in archive.namelist() if name.endswith(".npy")]
        arrays = {name.removesuffix(".npy"): read_member_array(archive, name) for name in names}
    return manifest, arrays


def _read_safetensors(path: FilePath, what: str, version: int) -> tuple[dict[str, Any], Arrays]:
    content = Path(path).read_bytes()
    [length] = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    manifest: dict[str, Any] = json.loads(header.pop("__metadata__")["vnestruct"])
    _check_manifest(manifest, path, what, version)
    body = memoryview(content)[8 + length :]
    arrays = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        flat = np.frombuffer(body[first:last], dtype=_SAFETENSORS_TYPES[entry["dtype"]])
        arrays[name] = flat.reshape(entry["shape"]).copy()
    return manifest, arrays


def _check_manifest(manifest: dict[str, Any], path: FilePath, what: str, version: int) -> None:
    if manifest["format"] != f"vnestruct {what}":
        raise GraphFormatError(f"this is {manifest['format']!r}, not a {what} file", path)
    # The version is checked first: in a later one the rest may have another meaning.
    if manifest["format_version"] > version:
        wrong = f"format {manifest['format_version']} is newer than {version}, "
        raise GraphFormatError(wrong + "the latest that this version of vnestruct reads; upgrade vnestruct", path)
