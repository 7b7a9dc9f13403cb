"""The binary graph of vnestruct, .vng: CSR in aligned arrays, mapped into memory rather than read.

A file starts with 8 bytes of magic, which any text transfer breaks, the length of the header (uint64), and its BLAKE2b
checksum of 16 bytes. The header is JSON, padded with blanks; arrays follow, little-endian, at multiples of 64 bytes.
Offsets count from the end of the header.
"""

import functools
import hashlib
import json
import mmap
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.atomic import atomic_file
from vnestruct.graph import CleaningReport, Graph
from vnestruct.graph.build import redirected
from vnestruct.graph.columns import ignores_weights
from vnestruct.graph.labels import LabelIndex
from vnestruct.graph.sides import Sides
from vnestruct.io.source import ReadOptions, Source
from vnestruct.types import Array, FilePath, IdArray, NodeId, Offset, OffsetArray

MAGIC = b"\x89VNG\r\n\x1a\n"
VERSION = 1
ALIGNMENT = 64
HEADER_BYTES = 1024  # together with what is before the header; more if sides have long names
_CHECKED_BYTES = 32 << 20  # up to this size a file is checked completely when it is opened, which takes milliseconds
_START = len(MAGIC) + 8 + 16


def read_vng(path: FilePath, *, verify: bool | None = None) -> Graph:
    """Open a .vng file; its arrays are mapped into memory and read when needed.

    Parameters
    ----------
    path : path-like
        The file.
    verify : bool, optional
        Whether to check every byte against the checksums, and the structure of the graph. By default only
        files of up to 32 MiB are; of larger ones the header and the size are checked.
    """
    with Source(path) as source:
        if not source.head:
            raise source.empty()
        return _read(source, verify)


def read_vng_source(source: Source, options: ReadOptions) -> Graph:
    """Read a .vng file as one format among others."""
    graph = _read(source, None)
    if ignores_weights(options.weight) and graph.weights is not None:
        graph = graph.replaced(weights=None)
    if options.weight is True and graph.weights is None:
        raise source.error("the graph has no weights; leave out `weight`")
    return redirected(graph, options.directed)


def _read(source: Source, verify: bool | None) -> Graph:
    try:
        file = _File(source)
        graph = file.graph()
        if verify or (verify is None and len(file.buffer) <= _CHECKED_BYTES):
            for name, (*_, checksum) in file.header["arrays"].items():
                if checksum_of(file.array(name).data) != checksum:
                    raise source.error(f"array {name!r} is damaged; copy or write the file again")
            parts = (graph.indptr, graph.indices, graph.weights, graph._labels, graph.directed)
            checked = Graph(*parts, directions=graph.directions, sides=graph.sides, side_names=graph.side_names)
            if checked.hash != graph.hash:
                raise source.error("the graph is not the one the header names; write the file again")
    except ParameterError as problem:
        raise source.error(f"the graph is not valid ({problem}); write the file again") from None
    except (LookupError, TypeError, AttributeError, ValueError) as problem:
        if isinstance(problem, GraphFormatError):
            raise
        raise source.error("the header is not valid; write the file again") from None
    return graph


class _File:
    """A file: its header, and its arrays as views of one mapping."""

    def __init__(self, source: Source) -> None:
        self.header, self.first_byte = read_header(source.head, source.error)
        self.source = source
        self.path = None if source.compression is not None or source.standard_input else source.file
        if self.path is None:
            self.buffer: bytes | mmap.mmap = source.content()
        else:
            with self.path.open("rb") as stream:
                self.buffer = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self.buffer) != self.first_byte + self.header["bytes"]:
            wrong = f"{len(self.buffer)} bytes where the header says {self.first_byte + self.header['bytes']}; "
            raise source.error(wrong + "the file was cut short, copy or write it again")

    def array(self, name: str, dtype: str | None = None, length: int | None = None) -> Array:
        kind, offset, size, _ = self.header["arrays"].get(name, ("", 0, -1, ""))
        n_bytes = size * np.dtype(kind or "u1").itemsize
        fits = dtype in (None, kind) and length in (None, size) and size >= 0 and offset % ALIGNMENT == 0
        if not fits or not 0 <= offset <= self.header["bytes"] - n_bytes:
            raise self.source.error(f"array {name!r} does not fit the header; copy or write the file again")
        return np.frombuffer(self.buffer, dtype=kind, count=size, offset=self.first_byte + offset)

    def graph(self) -> "MappedGraph":
        header, arrays = self.header, self.header["arrays"]
        n_nodes, n_entries = header["nodes"], header["entries"]
        indptr = self.array("indptr", "<i8", n_nodes + 1)
        indices = self.array("indices", "<i4", n_entries)
        if indptr[0] != 0 or indptr[-1] != n_entries:
            raise self.source.error("array 'indptr' does not fit the header; copy or write the file again")
        directions = self.array("directions", "|u1", n_entries) if "directions" in arrays else None
        weights = self.array("weights", "<f8", n_entries) if "weights" in arrays else None
        names = header["side_names"]
        sides = Sides(self.array("sides", "|u1", n_nodes), names and tuple(names)) if "sides" in arrays else None
        report = CleaningReport(*header["report"])
        graph = MappedGraph._trusted(indptr, indices, weights, None, directions, report, sides)
        graph.set_labels(self)
        graph.__dict__["hash"] = header["hash"]
        return graph

    def labels(self) -> Array | None:
        """Decode the label table, None for 0..n-1."""
        kind, n_nodes = self.header["labels"], self.header["nodes"]
        if kind is None or kind == "integers":
            return None if kind is None else self.array("labels", "<i8", n_nodes)
        offsets = self.array("label_offsets", "<i8", n_nodes + 1).tolist()
        texts = self.array("label_text", "|u1").tobytes()
        try:
            words = [texts[start:stop].decode("utf-8", "surrogatepass") for start, stop in pairwise(offsets)]
            values = words if kind == "text" else [_as_tuples(json.loads(word)) for word in words]
        except (ValueError, RecursionError):
            raise self.source.error("array 'label_text' is damaged; copy or write the file again") from None
        return np.fromiter(values, dtype=object, count=n_nodes)


class MappedGraph(Graph):
    """A graph whose arrays are mapped from a file and whose labels are decoded when first used."""

    def set_labels(self, file: _File) -> None:
        """Read labels from the label table of a file."""
        self._file = file
        # Instance attributes would hide the properties below.
        del self.__dict__["_labels"], self.__dict__["_index"]

    @property
    def path(self) -> Path | None:
        """The file the arrays are mapped from; None if they were read, as from a compressed one."""
        return self._file.path

    def release(self) -> None:
        """Release the pages of the file that were read so far; they are mapped again when needed."""
        buffer = self._file.buffer
        if isinstance(buffer, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            buffer.madvise(mmap.MADV_DONTNEED)

    @functools.cached_property
    def _labels(self) -> Array | None:  # type: ignore[override]
        labels = self._file.labels()
        if labels is not None:
            labels.flags.writeable = False
        return labels

    @functools.cached_property
    def _index(self) -> LabelIndex:  # type: ignore[override]
        return LabelIndex(self._labels, self.n_nodes)


def checksum_of(data: Any) -> str:
    """Return the checksum of some bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def read_header(head: bytes, fail: Any = ValueError) -> tuple[dict[str, Any], int]:
    """Return the header at the beginning of a file, and where it ends; `fail` makes an exception from a message."""
    if not head.startswith(MAGIC):
        raise fail("this is not a .vng file; correct `format` or the suffix")
    stop = _START + int.from_bytes(head[8:16], "little")
    if len(head) < max(stop, _START):
        raise fail("the file ends inside its header; it was cut short, write it again")
    if checksum_of(head[_START:stop]) != head[16:_START].hex():
        raise fail("the header is damaged; copy or write the file again")
    header: dict[str, Any] = json.loads(head[_START:stop])
    if header["version"] > VERSION:
        raise fail(f"format version {header['version']} is newer than {VERSION}; read it with a newer vnestruct")
    return header, stop


def header_bytes(header: dict[str, Any]) -> bytes:
    """Return the beginning of a file."""
    text = json.dumps(header).encode().ljust(HEADER_BYTES - _START)
    text += b" " * (-(_START + len(text)) % ALIGNMENT)
    return MAGIC + len(text).to_bytes(8, "little") + bytes.fromhex(checksum_of(text)) + text


def write_vng(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a graph as .vng; everything is kept."""
    names = ("indptr", "indices", "directions", "weights", "sides")
    parts = {name: getattr(graph, name) for name in names if getattr(graph, name) is not None}
    kind, labels = _label_arrays(graph)
    arrays, position = {}, 0
    for name, array in (parts | labels).items():
        parts[name] = array = array.astype(array.dtype.newbyteorder("<"), copy=False)
        arrays[name] = (array.dtype.str, position, array.size, checksum_of(array.data))
        position += array.nbytes + -array.nbytes % ALIGNMENT
    header = {"version": VERSION, "hash": graph.hash, "nodes": graph.n_nodes, "entries": graph.indices.size}
    header |= {"report": astuple(graph.report), "labels": kind, "side_names": graph.side_names}
    stream.write(header_bytes({**header, "bytes": position, "arrays": arrays}))
    for array in parts.values():
        stream.write(array.data)
        stream.write(b"\0" * (-array.nbytes % ALIGNMENT))
    return []


def _label_arrays(graph: Graph) -> tuple[str | None, dict[str, Array]]:
    if (labels := graph._labels) is None:
        return None, {}
    if labels.dtype == np.int64:
        return "integers", {"labels": labels}
    values = labels.tolist()
    kind = "text" if all(type(label) is str for label in values) else "json"
    words = [label.encode("utf-8", "surrogatepass") if kind == "text" else _json(label) for label in values]
    offsets = np.cumsum([0, *map(len, words)], dtype=Offset)
    return kind, {"label_offsets": offsets, "label_text": np.frombuffer(b"".join(words), np.uint8)}


def _json(label: Any) -> bytes:
    with suppress(TypeError, ValueError, RecursionError):
        data = json.dumps(label)
        if _as_tuples(json.loads(data)) == label:
            return data.encode("ascii")
    wrong = f"label {label!r} of type {type(label).__name__} cannot be stored; use numbers, texts or tuples"
    raise ParameterError(wrong)


def _as_tuples(value: Any) -> Any:
    """Return a JSON value with tuples for its lists."""
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


def write_vng_rows(path: FilePath, indptr: OffsetArray, rows: Iterable[IdArray]) -> None:
    """Write an undirected graph without weights and labels, given its row offsets and its neighbours in pieces."""
    # Nothing is checked but the number of entries: rows must ascend, without self-loops, and be symmetric.
    offsets = np.ascontiguousarray(indptr, Offset)
    n_nodes, n_entries = offsets.size - 1, int(offsets[-1])
    isolated = int(np.count_nonzero(np.diff(offsets) == 0))
    # What `Graph.hash` digests, piece by piece.
    whole = hashlib.blake2b(f"vnestruct graph {n_nodes} 0indptr {offsets.size} ".encode(), digest_size=16)
    whole.update(offsets.data)
    whole.update(f"indices {n_entries} ".encode())
    checksum, n_written = hashlib.blake2b(digest_size=16), 0
    with atomic_file(path) as stream:
        stream.seek(HEADER_BYTES)
        stream.write(offsets.data)
        stream.write(b"\0" * (-offsets.nbytes % ALIGNMENT))
        start = stream.tell() - HEADER_BYTES
        for piece in rows:
            data = np.ascontiguousarray(piece, NodeId).data
            checksum.update(data)
            whole.update(data)
            stream.write(data)
            n_written += len(data)
        if n_written != n_entries:
            raise ParameterError(f"indices has {n_written} entries, but indptr says {n_entries}")
        stream.write(b"\0" * (-stream.tell() % ALIGNMENT))
        header = {"version": VERSION, "hash": whole.hexdigest(), "nodes": n_nodes, "entries": n_entries}
        header |= {"report": (n_entries // 2, 0, 0, 0, isolated), "labels": None, "side_names": None}
        arrays = {"indptr": ("<i8", 0, offsets.size, checksum_of(offsets.data))}
        arrays["indices"] = ("<i4", start, n_entries, checksum.hexdigest())
        header |= {"bytes": stream.tell() - HEADER_BYTES, "arrays": arrays}
        stream.seek(0)
        stream.write(header_bytes(header))
