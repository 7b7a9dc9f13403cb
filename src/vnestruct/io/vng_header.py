"""The header of a .vng file: 512 bytes that say what follows, with a checksum of their own.

All numbers are little-endian. Arrays start at multiples of 64 bytes.

======  =====  ==========================================================
offset  bytes  what
======  =====  ==========================================================
0       8      magic: 0x89 "VNG" CR LF 0x1A LF, spoilt by any text transfer
8       4      format version
12      4      flags: 1 directed, 2 weighted
16      4      label kind: 0 none (0..n-1), 1 int64, 2 text, 3 JSON
20      4      number of arrays
24      8      number of nodes
32      8      number of entries, two per edge
40      8      size of the file
48      16     hash of the graph
64      40     cleaning report: five numbers
104     56     per array, up to six: name 16, type 8, offset 8, length 8, checksum 16
496     16     checksum (BLAKE2b) of the 496 bytes before
======  =====  ==========================================================
"""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from enum import IntEnum

MAGIC = b"\x89VNG\r\n\x1a\n"
VERSION = 1
HEADER_BYTES = 512
ALIGNMENT = 64
CHECKSUM_BYTES = 16

_FIXED = struct.Struct("<8sIIIIqqq16s5q")
_ENTRY = struct.Struct("<16s8sqq16s")
_MAX_ARRAYS = 6
_DIRECTED, _WEIGHTED = 1, 2


class LabelKind(IntEnum):
    """How node labels are stored."""

    NONE = 0
    INTEGERS = 1
    TEXT = 2
    JSON = 3


@dataclass(frozen=True)
class StoredArray:
    """Where one array stands: its NumPy type, offset in bytes, length in items, and checksum."""

    name: str
    dtype: str
    offset: int
    length: int
    checksum: bytes


@dataclass(frozen=True)
class Header:
    """What the header says."""

    directed: bool
    weighted: bool
    labels: LabelKind
    n_nodes: int
    n_entries: int
    file_bytes: int
    graph_hash: str
    report: tuple[int, int, int, int, int]
    arrays: tuple[StoredArray, ...]


class HeaderError(ValueError):
    """The bytes are no valid header; the message says why and what to do."""


def checksum_of(data: bytes | memoryview) -> bytes:
    """Return the checksum of some bytes."""
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()


def packed(header: Header) -> bytes:
    """Return a header as bytes."""
    flags = _DIRECTED * header.directed | _WEIGHTED * header.weighted
    data = _FIXED.pack(
        MAGIC,
        VERSION,
        flags,
        header.labels,
        len(header.arrays),
        header.n_nodes,
        header.n_entries,
        header.file_bytes,
        bytes.fromhex(header.graph_hash),
        *header.report,
    )
    for stored in header.arrays:
        data += _ENTRY.pack(stored.name.encode(), stored.dtype.encode(), stored.offset, stored.length, stored.checksum)
    data = data.ljust(HEADER_BYTES - CHECKSUM_BYTES, b"\0")
    return data + checksum_of(data)


def unpacked(data: bytes) -> Header:
    """Return the header that bytes hold, or raise `HeaderError`."""
    if not data.startswith(MAGIC):
        raise HeaderError("this is not a .vng file; correct format=, or the suffix")
    if len(data) < HEADER_BYTES:
        raise HeaderError("the file ends inside its header; it was cut short, write it again")
    body, checksum = data[: HEADER_BYTES - CHECKSUM_BYTES], data[HEADER_BYTES - CHECKSUM_BYTES : HEADER_BYTES]
    _, version, flags, labels, n_arrays, n_nodes, n_entries, file_bytes, graph_hash, *report = _FIXED.unpack_from(body)
    if version != VERSION:
        raise HeaderError(f"format version {version}, but this program knows {VERSION}; install a newer vnestruct")
    if checksum_of(body) != checksum:
        raise HeaderError("the header is damaged; write the file again")
    if n_arrays > _MAX_ARRAYS or labels > max(LabelKind) or min(n_nodes, n_entries) < 0:
        raise HeaderError("the header makes no sense; write the file again")
    arrays = []
    for place in range(n_arrays):
        name, dtype, offset, length, array_checksum = _ENTRY.unpack_from(body, _FIXED.size + place * _ENTRY.size)
        texts = [text.rstrip(b"\0").decode("ascii", "replace") for text in (name, dtype)]
        arrays.append(StoredArray(texts[0], texts[1], offset, length, array_checksum))
    first, second, third, fourth, fifth = report
    return Header(
        bool(flags & _DIRECTED),
        bool(flags & _WEIGHTED),
        LabelKind(labels),
        n_nodes,
        n_entries,
        file_bytes,
        graph_hash.hex(),
        (first, second, third, fourth, fifth),
        tuple(arrays),
    )
