"""The layout of a .vng file, and writing it: a header of 512 bytes with a checksum of its own, then arrays.

All numbers are little-endian. Arrays start at multiples of 64 bytes.

======  =====  ==========================================================
offset  bytes  what
======  =====  ==========================================================
0       8      magic: 0x89 "VNG" CR LF 0x1A LF, broken by any text transfer
8       4      format version
12      4      flags: 1 directed, 2 weighted
16      4      label kind: 0 none (0..n-1), 1 int64, 2 text, 3 JSON
20      4      number of arrays
24      8      number of nodes
32      8      number of entries, two per edge
40      8      size of the file
48      16     hash of the graph
64      40     cleaning report: five numbers
104     56     per array, up to seven: name 16, type 8, offset 8, length 8, checksum 16
496     16     checksum (BLAKE2b) of the 496 bytes before
======  =====  ==========================================================
"""

import hashlib
import json
import struct
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import astuple, dataclass
from enum import IntEnum
from typing import IO, Any

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_file
from vnestruct.graph import Graph
from vnestruct.types import Array, FilePath, IdArray, NodeId, Offset, OffsetArray

MAGIC = b"\x89VNG\r\n\x1a\n"
VERSION = 1
HEADER_BYTES = 512
ALIGNMENT = 64
CHECKSUM_BYTES = 16

_FIXED = struct.Struct("<8sIIIIqqq16s5q")
_ENTRY = struct.Struct("<16s8sqq16s")
_MAX_ARRAYS = 7
_WRITE_BYTES = 64 << 20
_DIRECTED, _WEIGHTED = 1, 2


class LabelKind(IntEnum):
    """How node labels are stored."""

    NONE = 0
    INTEGERS = 1
    TEXT = 2
    JSON = 3


@dataclass(frozen=True)
class StoredArray:
    """Where one array is: its NumPy type, offset in bytes, length in items, and checksum."""

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
    report: tuple[int, ...]
    arrays: tuple[StoredArray, ...]


def checksum_of(data: bytes | memoryview) -> bytes:
    """Return the checksum of some bytes."""
    return hashlib.blake2b(data, digest_size=CHECKSUM_BYTES).digest()


def packed(header: Header) -> bytes:
    """Return a header as bytes."""
    kinds = (_DIRECTED * header.directed | _WEIGHTED * header.weighted, header.labels, len(header.arrays))
    sizes = (header.n_nodes, header.n_entries, header.file_bytes)
    data = _FIXED.pack(MAGIC, VERSION, *kinds, *sizes, bytes.fromhex(header.graph_hash), *header.report)
    for stored in header.arrays:
        data += _ENTRY.pack(stored.name.encode(), stored.dtype.encode(), stored.offset, stored.length, stored.checksum)
    data = data.ljust(HEADER_BYTES - CHECKSUM_BYTES, b"\0")
    return data + checksum_of(data)


def unpacked(data: bytes, fail: Callable[[str], Exception] = ValueError) -> Header:
    """Return the header that bytes hold; `fail` makes the exception to raise from a message."""
    if not data.startswith(MAGIC):
        raise fail("this is not a .vng file; correct `format` or the suffix")
    if len(data) < HEADER_BYTES:
        raise fail("the file ends inside its header; it was cut short, write it again")
    body, checksum = data[: HEADER_BYTES - CHECKSUM_BYTES], data[HEADER_BYTES - CHECKSUM_BYTES : HEADER_BYTES]
    _, version, flags, labels, n_arrays, n_nodes, n_entries, file_bytes, graph_hash, *report = _FIXED.unpack_from(body)
    if version != VERSION:
        raise fail(f"format version {version}, but this program knows {VERSION}; install a newer vnestruct")
    if checksum_of(body) != checksum:
        raise fail("the header is damaged; write the file again")
    if n_arrays > _MAX_ARRAYS or labels > max(LabelKind) or min(n_nodes, n_entries) < 0:
        raise fail("the header is not valid; write the file again")
    arrays = []
    for place in range(n_arrays):
        name, dtype, offset, length, array_checksum = _ENTRY.unpack_from(body, _FIXED.size + place * _ENTRY.size)
        texts = [text.rstrip(b"\0").decode("ascii", "replace") for text in (name, dtype)]
        arrays.append(StoredArray(texts[0], texts[1], offset, length, array_checksum))
    kinds = (bool(flags & _DIRECTED), bool(flags & _WEIGHTED), LabelKind(labels))
    return Header(*kinds, n_nodes, n_entries, file_bytes, graph_hash.hex(), tuple(report), tuple(arrays))


def write_vng(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a graph as .vng; everything is kept."""
    kind, label_arrays = _label_arrays(graph)
    fields = ("indptr", "indices", "directions", "weights")
    parts = [(name, getattr(graph, name)) for name in fields if getattr(graph, name) is not None] + label_arrays
    if graph.sides is not None:
        names = np.frombuffer(json.dumps(graph.side_names).encode(), np.uint8)
        parts.append(("sides", np.append(graph.sides, names)))
    stored, views, position = [], [], HEADER_BYTES
    for name, array in parts:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        view = little.view(np.uint8).data
        stored.append(StoredArray(name, little.dtype.str, position, little.size, checksum_of(view)))
        views.append(view)
        position += len(view) + -len(view) % ALIGNMENT
    kinds, sizes = (graph.directed, graph.weights is not None, kind), (graph.n_nodes, graph.indices.size, position)
    stream.write(packed(Header(*kinds, *sizes, graph.hash, astuple(graph.report), tuple(stored))))
    for view in views:
        for start in range(0, len(view), _WRITE_BYTES):
            stream.write(view[start : start + _WRITE_BYTES])
        stream.write(b"\0" * (-len(view) % ALIGNMENT))
    return []


def _label_arrays(graph: Graph) -> tuple[LabelKind, list[tuple[str, Array]]]:
    if (labels := graph._labels) is None:
        return LabelKind.NONE, []
    if labels.dtype == np.int64:
        return LabelKind.INTEGERS, [("labels", labels)]
    values = labels.tolist()
    if all(type(label) is str for label in values):
        kind, words = LabelKind.TEXT, [label.encode("utf-8", "surrogatepass") for label in values]
    else:
        kind, words = LabelKind.JSON, [_json(label) for label in values]
    offsets = np.zeros(len(words) + 1, dtype=np.int64)
    np.cumsum([len(word) for word in words], out=offsets[1:])
    return kind, [("label_offsets", offsets), ("label_text", np.frombuffer(b"".join(words), dtype=np.uint8))]


def _json(label: Any) -> bytes:
    with suppress(TypeError, ValueError, RecursionError):
        data = json.dumps(label)
        if as_tuples(json.loads(data)) == label:
            return data.encode("ascii")
    wrong = f"label {label!r} of type {type(label).__name__} cannot be stored; use numbers, texts or tuples"
    raise ParameterError(wrong)


def as_tuples(value: Any) -> Any:
    """Return a JSON value with tuples for its lists."""
    return tuple(as_tuples(item) for item in value) if isinstance(value, list) else value


def write_vng_rows(path: FilePath, indptr: OffsetArray, rows: Iterable[IdArray]) -> None:
    """Write an undirected graph without weights and labels, given its row offsets and its neighbours in pieces."""
    # Nothing is checked but the number of entries: rows must ascend, without self-loops, and be symmetric.
    offsets = np.ascontiguousarray(indptr, Offset)
    n_nodes, n_entries = offsets.size - 1, int(offsets[-1])
    # What `Graph.hash` digests, piece by piece.
    whole = hashlib.blake2b(digest_size=16)
    whole.update(f"vnestruct graph {n_nodes} 0".encode())
    with atomic_file(path) as stream:
        stream.seek(HEADER_BYTES)
        first = _write(stream, "indptr", offsets.size, [offsets], whole)
        second = _write(stream, "indices", n_entries, (np.ascontiguousarray(piece, NodeId) for piece in rows), whole)
        report = (n_entries // 2, 0, 0, 0, int(np.count_nonzero(np.diff(offsets) == 0)))
        kinds, sizes = (False, False, LabelKind.NONE), (n_nodes, n_entries, stream.tell())
        stream.seek(0)
        stream.write(packed(Header(*kinds, *sizes, whole.hexdigest(), report, (first, second))))


def _write(stream: IO[bytes], name: str, length: int, pieces: Iterable[Array], whole: hashlib.blake2b) -> StoredArray:
    start = stream.tell()
    checksum = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
    whole.update(f"{name} {length} ".encode())
    written, dtype = 0, ""
    for piece in pieces:
        dtype = piece.dtype.str
        for digest in (checksum, whole):
            digest.update(piece.data)
        stream.write(piece.data)
        written += piece.size
    if written != length:
        raise ParameterError(f"{name} has {written} entries, but indptr says {length}")
    stream.write(b"\0" * (-stream.tell() % ALIGNMENT))
    return StoredArray(name, dtype or "<i4", start, length, checksum.digest())
