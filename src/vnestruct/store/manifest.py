"""The manifest of a checkpoint: what is being computed there, and whether it is what we compute."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct._version import __version__
from vnestruct.errors import CheckpointMismatchError, ParameterError
from vnestruct.files.atomic import atomic_path

FORMAT_VERSION = 1
REMEDY = "choose another directory or delete this one"

_ABSENT = object()


def identity_as_json(identity: Mapping[str, object]) -> dict[str, Any]:
    """Take an identity through JSON, as reading it back will: tuples become lists, NumPy numbers plain ones.

    Raises
    ------
    ParameterError
        If a value cannot be written as JSON; NaN and infinity cannot.
    """
    plain: dict[str, Any] = {}
    for key, value in identity.items():
        if not isinstance(key, str):
            raise ParameterError(f"keys of a checkpoint's identity must be strings, not {key!r}")
        try:
            plain[key] = json.loads(json.dumps(value, allow_nan=False, default=_plain_number))
        except (TypeError, ValueError) as error:
            raise ParameterError(f"a checkpoint's identity cannot hold {key}={value!r}: {error}") from error
    return plain


def create_manifest(path: Path, identity: dict[str, Any], n_columns: int) -> None:
    """Write a manifest unless another process did so first; compare afterwards."""
    content = {
        "format": "vnestruct checkpoint",
        "format_version": FORMAT_VERSION,
        "package_version": __version__,
        "n_columns": n_columns,
        "identity": identity,
    }
    with suppress(FileExistsError), atomic_path(path, replace=False) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def compare_manifest(path: Path, identity: dict[str, Any], n_columns: int) -> None:
    """Raise `CheckpointMismatchError`, naming the first difference, unless the manifest says the same."""
    content = _read(path)
    there = {**content["identity"], "n_columns": content["n_columns"]}
    here = {**identity, "n_columns": n_columns}
    for key in [*here, *(key for key in there if key not in here)]:
        old, new = (_as_text(side.get(key, _ABSENT)) for side in (there, here))
        if old != new:
            raise CheckpointMismatchError(
                f"the checkpoint {path.parent} belongs to another computation: {key} is {old} there and "
                f"{new} here; {REMEDY}"
            )


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        content = None
    version = content.get("format_version") if isinstance(content, dict) else None
    # The version comes first: it alone is promised to stay where it is in later formats.
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise CheckpointMismatchError(
            f"{path} has format {version} and this version of vnestruct reads up to {FORMAT_VERSION}; "
            f"upgrade vnestruct, or {REMEDY}"
        )
    if version != FORMAT_VERSION or not isinstance(content.get("identity"), dict) or "n_columns" not in content:
        raise CheckpointMismatchError(f"{path} is not the manifest of a checkpoint; {REMEDY}")
    checked: dict[str, Any] = content
    return checked


def _plain_number(value: object) -> object:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is no JSON value")


def _as_text(value: object) -> str:
    """Write a value as JSON: 1, 1.0 and true are equal to Python, but they are different parameters."""
    return "absent" if value is _ABSENT else json.dumps(value, sort_keys=True, ensure_ascii=False)
