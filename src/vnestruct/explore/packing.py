"""Data of a page as one compressed text: a JSON head, then arrays of numbers as they lie in memory."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

_ALIGNMENT = 8
_TYPES = {"uint8": "Uint8Array", "uint16": "Uint16Array", "int32": "Int32Array", "float32": "Float32Array",
          "float64": "Float64Array"}  # fmt: skip
"""The element types that pages use, and what the browser calls them."""


def pack(head: Mapping[str, Any], arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """Return data as base64 of gzip, the same for the same data.

    The bytes are the length of the head (8 bytes, little-endian), the head, and the arrays, each filled up with
    zeros to whole multiples of 8 bytes. The head tells their names, types and lengths under ``arrays``.

    Examples
    --------
    >>> head, arrays = unpack(pack({"title": "x"}, {"role": np.array([2, 0], np.uint8)}))
    >>> head["title"], arrays["role"].tolist()
    ('x', [2, 0])
    """
    listed = [[name, _TYPES[array.dtype.name], int(array.size)] for name, array in arrays.items()]
    # Half of a character pair, which files may hold, is no text that a browser could show: it becomes "?".
    text = json.dumps({**head, "arrays": listed}, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    parts = [len(text).to_bytes(8, "little"), _filled(text)]
    parts += [_filled(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())
              for array in arrays.values()]  # fmt: skip
    # Level 6: a page of a large graph is mostly digits that no level compresses further.
    return base64.b64encode(gzip.compress(b"".join(parts), 6, mtime=0)).decode("ascii")


def unpack(text: str) -> tuple[dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return what `pack` was given, as a page reads it."""
    data = gzip.decompress(base64.b64decode(text))
    length = int.from_bytes(data[:8], "little")
    head = json.loads(data[8 : 8 + length])
    types = {browser: name for name, browser in _TYPES.items()}
    place = 8 + _whole(length)
    arrays = {}
    for name, browser, size in head["arrays"]:
        arrays[name] = np.frombuffer(data, np.dtype(types[browser]).newbyteorder("<"), size, place)
        place += _whole(arrays[name].nbytes)
    return head, arrays


def _whole(length: int) -> int:
    return -(-length // _ALIGNMENT) * _ALIGNMENT


def _filled(data: bytes) -> bytes:
    return data.ljust(_whole(len(data)), b"\0")
