"""Graphs and saved models: one file with a JSON header and NumPy arrays, all with checksums, never a pickle.

The header says format, format version, package version and everything that is not an array; equal content gives equal
bytes. Arrays are not compressed and start at multiples of 64 bytes, so that a reader may map them.

======  =====  ==========================================================================
offset  bytes  what
======  =====  ==========================================================================
0       8      magic: 0x89 "VNE" CR LF 0x1A LF, broken by any text transfer
8       8      length of the JSON header (little-endian)
16      16     checksum (BLAKE2b) of the JSON header
32             JSON header: "arrays" has type, shape, offset and checksum of each array
...            the arrays, little-endian, after padding; offsets count from here
======  =====  ==========================================================================
"""

import hashlib
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, TypeAlias

import numpy as np

from vnestruct._version import __version__
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.types import Array, FilePath

Arrays: TypeAlias = dict[str, Array]

MAGIC = b"\x89VNE\r\n\x1a\n"
ALIGNMENT = 64
DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RecursionError)  # what damaged content raises

_TYPE = re.compile(r"[<|][biufU][0-9]{1,9}", re.ASCII)
_START = 32  # of the JSON header


def checksum(data: Any) -> bytes:
    """Return the checksum of some bytes."""
    return hashlib.blake2b(data, digest_size=16).digest()


def save_model(path: FilePath, what: str, version: int, notes: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write a model, such as "roles", whole or not at all; `notes` is what is no array, see `encode_value`."""
    with atomic_path(path) as temporary, temporary.open("wb") as file:
        write_container(file, what, version, notes, arrays)


def load_model(path: FilePath, what: str, version: int) -> tuple[dict[str, Any], Arrays]:
    """Return the notes and the arrays that `save_model` wrote; refuse other, damaged and later files."""
    if not Path(path).is_file():
        raise GraphFormatError("there is no such file; check the name", path)
    content = Path(path).read_bytes()
    try:
        return read_container(memoryview(content), path, what, version)
    except GraphFormatError:
        raise
    except DAMAGE as error:
        raise GraphFormatError(f"not a readable {what} file: {error}; save it again", path) from error


def write_container(
    stream: IO[bytes], what: str, version: int, notes: Mapping[str, Any], arrays: Mapping[str, Array]
) -> None:
    """Write the header and the arrays to a stream."""
    little = {name: np.ascontiguousarray(array, array.dtype.newbyteorder("<")) for name, array in arrays.items()}
    stored, position = {}, 0
    for name, array in little.items():
        position += -position % ALIGNMENT
        stored[name] = [array.dtype.str, array.shape, position, checksum(array.data).hex()]
        position += array.nbytes
    header = {"format": f"vnestruct {what}", "format_version": version, "package_version": __version__}
    text = json.dumps(header | {"arrays": stored, "notes": notes}, indent=1).encode()
    stream.write(MAGIC + len(text).to_bytes(8, "little") + checksum(text) + text)
    position = _START + len(text)
    for array in little.values():
        stream.write(b"\0" * (-position % ALIGNMENT))
        stream.write(array.data)
        position += -position % ALIGNMENT + array.nbytes


def read_container(
    content: memoryview, path: FilePath, what: str, version: int, *, mapped: bool = False, verify: bool = True
) -> tuple[dict[str, Any], Arrays]:
    """Return the notes and the arrays of a file; raise one of `DAMAGE` where it is damaged.

    Arrays are views of the content if they are `mapped`, else copies; `verify` compares their checksums.
    """
    if content[:8] != MAGIC:
        raise ValueError("it does not begin like one")
    text = content[_START:][: int.from_bytes(content[8:16], "little")]
    if checksum(text) != content[16:_START]:
        raise ValueError("the checksum of its header does not match")
    header = json.loads(bytes(text))
    if header["format"] != f"vnestruct {what}":
        raise GraphFormatError(f"this is {header['format']!r}, not a {what} file", path)
    # The version is checked first: in a later one the rest may have another meaning.
    if header["format_version"] > version:
        wrong = f"format {header['format_version']} is newer than {version}, "
        raise GraphFormatError(wrong + "the latest that this version of vnestruct reads; upgrade vnestruct", path)
    start = _START + len(text)
    body = content[start + -start % ALIGNMENT :]
    arrays: Arrays = {}
    for name, (dtype, shape, position, expected) in header["arrays"].items():
        if not _TYPE.fullmatch(dtype) or min(shape, default=0) < 0 or position < 0 or position % ALIGNMENT:
            raise ValueError(f"array {name!r} has type {dtype} and shape {shape}")
        data = body[position:][: math.prod(shape) * np.dtype(dtype).itemsize]
        if verify and checksum(data).hex() != expected:
            raise ValueError(f"the checksum of array {name!r} does not match")
        array = np.frombuffer(data, dtype).reshape(shape)
        arrays[name] = array if mapped else array.copy()
    return header["notes"], arrays


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
    wrong = f"{value!r} is a {type(value).__name__}, which files of vnestruct cannot hold; "
    raise ParameterError(wrong + "use numbers, texts or tuples as node labels")


def decode_value(value: Any) -> Any:
    """Return what `encode_value` was given."""
    if isinstance(value, list):
        return [decode_value(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "float" in value:
        return float.fromhex(value["float"])
    return tuple(decode_value(item) for item in value["tuple"])
