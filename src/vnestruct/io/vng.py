"""The binary graph of vnestruct, .vng: CSR in aligned arrays, mapped into memory rather than read."""

from __future__ import annotations

import functools
import json
import mmap
import os
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import CleaningReport, Graph
from vnestruct.graph.label_index import LabelIndex
from vnestruct.graph.redirect import with_directions, without_directions
from vnestruct.io.columns import ignores_weights
from vnestruct.io.source import ReadOptions, Source
from vnestruct.io.vng_header import (
    ALIGNMENT,
    HEADER_BYTES,
    Header,
    HeaderError,
    LabelKind,
    StoredArray,
    checksum_of,
    packed,
    unpacked,
)

# Up to this size a file is checked whole when it is opened: it takes less than a blink.
_CHECKED_BYTES = 32 << 20
_WRITE_BYTES = 64 << 20


def read_vng(path: str | os.PathLike[str], *, verify: bool | None = None) -> Graph:
    """Open a .vng file; its arrays are mapped into memory and read when they are used.

    Parameters
    ----------
    path : path-like
        The file.
    verify : bool, optional
        Whether to check every byte against the checksums, and the structure of the graph. By default only
        files of up to 32 MiB are checked so; of larger ones the header and the size are.

    Returns
    -------
    Graph
    """
    with Source(path) as source:
        if not source.head:
            raise source.empty()
        return _read(source, verify)


def read_vng_source(source: Source, options: ReadOptions) -> Graph:
    """Read a .vng file as one format among others."""
    graph = _read(source, None)
    if ignores_weights(options.weight) and graph.weights is not None:
        graph = Graph._trusted(
            graph.indptr, graph.indices, None, graph.nodes, graph.directed, directions=graph.directions
        )
    if options.weight is True and graph.weights is None:
        raise source.error("the graph has no weights; leave weight= out")
    if options.directed is None:
        return graph
    return with_directions(graph) if options.directed else without_directions(graph)


def _read(source: Source, verify: bool | None) -> Graph:
    try:
        header = unpacked(source.head[:HEADER_BYTES])
    except HeaderError as problem:
        raise source.error(str(problem)) from None
    file = _FileArrays(source, header)
    graph = file.graph()
    if verify or (verify is None and header.file_bytes <= _CHECKED_BYTES):
        file.check_sums()
        _check_structure(source, graph)
    return graph


class _FileArrays:
    """The arrays of a file as views of one mapping."""

    def __init__(self, source: Source, header: Header) -> None:
        self._source, self._header = source, header
        self._buffer: Any = self._map()
        if len(self._buffer) != header.file_bytes:
            raise source.error(
                f"{len(self._buffer)} bytes where the header says {header.file_bytes}; "
                "the file was cut short, copy or write it again"
            )
        self._stored = {stored.name: stored for stored in header.arrays}

    def _map(self) -> Any:
        if self._source.compression is not None or self._source.standard_input:
            return self._source.content()
        with self._source.file.open("rb") as stream:
            return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)

    @property
    def path(self) -> Path | None:
        return self._source.file if isinstance(self._buffer, mmap.mmap) else None

    def release(self) -> None:
        if isinstance(self._buffer, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):  # which Windows lacks
            self._buffer.madvise(mmap.MADV_DONTNEED)

    def array(self, name: str, dtype: str, length: int) -> npt.NDArray[Any]:
        stored = self._stored.get(name)
        if stored is None or stored.dtype != dtype or length not in (-1, stored.length) or stored.length < 0:
            raise self._senseless(name)
        n_bytes = stored.length * np.dtype(dtype).itemsize
        inside = HEADER_BYTES <= stored.offset <= self._header.file_bytes - n_bytes
        if not inside or stored.offset % ALIGNMENT:
            raise self._senseless(name)
        return np.frombuffer(self._buffer, dtype=dtype, count=stored.length, offset=stored.offset)

    def graph(self) -> Graph:
        header = self._header
        indptr = self.array("indptr", "<i8", header.n_nodes + 1)
        indices = self.array("indices", "<i4", header.n_entries)
        if indptr[0] != 0 or indptr[-1] != header.n_entries:
            raise self._senseless("indptr")
        directions = self.array("directions", "|u1", header.n_entries) if header.directed else None
        weights = self.array("weights", "<f8", header.n_entries) if header.weighted else None
        graph = MappedGraph._trusted(
            indptr,
            indices,
            weights,
            None,
            header.directed,
            directions=directions,
            report=CleaningReport(*header.report),
        )
        assert isinstance(graph, MappedGraph)
        graph.set_labels(self)
        graph.__dict__["hash"] = header.graph_hash
        return graph

    def labels(self) -> npt.NDArray[Any] | None:
        """Decode the label table, None for 0..n-1."""
        n_nodes, kind = self._header.n_nodes, self._header.labels
        if kind is LabelKind.NONE:
            return None
        if kind is LabelKind.INTEGERS:
            return self.array("labels", "<i8", n_nodes)
        offsets = self.array("label_offsets", "<i8", n_nodes + 1)
        texts = self.array("label_text", "|u1", -1).tobytes()
        if offsets[0] != 0 or offsets[-1] != len(texts) or (np.diff(offsets) < 0).any():
            raise self._senseless("label_offsets")
        places = offsets.tolist()
        try:
            words = [texts[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(places)]
            values = words if kind is LabelKind.TEXT else [_tuples(json.loads(word)) for word in words]
        except (ValueError, RecursionError):
            raise self._senseless("label_text") from None
        return np.fromiter(values, dtype=object, count=n_nodes)

    def check_sums(self) -> None:
        for stored in self._header.arrays:
            part = _bytes_of(self.array(stored.name, stored.dtype, stored.length))
            if checksum_of(part) != stored.checksum:
                raise self._source.error(f"array {stored.name!r} is damaged; copy or write the file again")

    def _senseless(self, name: str) -> GraphFormatError:
        return self._source.error(f"array {name!r} does not fit the header; copy or write the file again")


class MappedGraph(Graph):
    """A graph whose arrays are mapped from a file and whose labels are decoded when first used."""

    def set_labels(self, file: _FileArrays) -> None:
        """Take labels from a file's label table from now on."""
        self._file = file
        # Instance attributes would hide the properties below.
        del self.__dict__["_labels"], self.__dict__["_index"]

    @property
    def path(self) -> Path | None:
        """The file the arrays are mapped from; None if they were read, as from a compressed one."""
        return self._file.path

    def release(self) -> None:
        """Give back the pages of the file that were read so far; what is read again is mapped again."""
        self._file.release()

    @functools.cached_property
    def _labels(self) -> npt.NDArray[Any] | None:  # type: ignore[override]
        labels = self._file.labels()
        if labels is not None:
            labels.flags.writeable = False
        return labels

    @functools.cached_property
    def _index(self) -> LabelIndex:  # type: ignore[override]
        return LabelIndex(self._labels, self.n_nodes)


def _check_structure(source: Source, graph: Graph) -> None:
    try:
        checked = Graph(
            graph.indptr,
            graph.indices,
            graph.weights,
            graph._labels,
            graph.directed,
            directions=graph.directions,
        )
    except ParameterError as problem:
        raise source.error(f"the graph is not sound ({problem}); write the file again") from None
    if checked.hash != graph.hash:
        raise source.error("the graph is not the one the header names; write the file again")


def write_vng(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a graph as .vng; everything is kept."""
    kind, label_arrays = _label_arrays(graph)
    parts: list[tuple[str, npt.NDArray[Any]]] = [("indptr", graph.indptr), ("indices", graph.indices)]
    if graph.directions is not None:
        parts.append(("directions", graph.directions))
    if graph.weights is not None:
        parts.append(("weights", graph.weights))
    parts += label_arrays
    stored, position = [], HEADER_BYTES
    for name, array in parts:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        view = _bytes_of(little)
        stored.append(StoredArray(name, little.dtype.str, position, little.size, checksum_of(view)))
        position = _aligned(position + len(view))
    report = astuple(graph.report)
    header = Header(
        graph.directed,
        graph.weights is not None,
        kind,
        graph.n_nodes,
        graph.indices.size,
        position,
        graph.hash,
        report,
        tuple(stored),
    )
    stream.write(packed(header))
    for (_, array), place in zip(parts, stored, strict=True):
        view = _bytes_of(array.astype(place.dtype, copy=False))
        for start in range(0, len(view), _WRITE_BYTES):
            stream.write(view[start : start + _WRITE_BYTES])
        stream.write(b"\0" * (_aligned(len(view)) - len(view)))
    return []


def _bytes_of(array: npt.NDArray[Any]) -> memoryview:
    contiguous: Any = np.ascontiguousarray(array)
    return memoryview(contiguous).cast("B") if array.size else memoryview(b"")


def _aligned(position: int) -> int:
    return -(-position // ALIGNMENT) * ALIGNMENT


def _label_arrays(graph: Graph) -> tuple[LabelKind, list[tuple[str, npt.NDArray[Any]]]]:
    labels = graph._labels
    if labels is None:
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
    try:
        data = json.dumps(label)
        if _tuples(json.loads(data)) == label:
            return data.encode("ascii")
    except (TypeError, ValueError, RecursionError):
        pass
    raise ParameterError(
        f"label {label!r} of type {type(label).__name__} cannot be stored; use numbers, texts or tuples"
    )


def _tuples(value: Any) -> Any:
    return tuple(_tuples(item) for item in value) if isinstance(value, list) else value
