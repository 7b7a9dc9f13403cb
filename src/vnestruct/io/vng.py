"""The binary graph of vnestruct, .vng: CSR in aligned arrays, mapped into memory rather than read."""

import functools
import json
import mmap
from itertools import pairwise
from pathlib import Path

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import CleaningReport, Graph
from vnestruct.graph.columns import ignores_weights
from vnestruct.graph.edit import redirected
from vnestruct.graph.labels import LabelIndex
from vnestruct.graph.sides import Sides
from vnestruct.io.source import ReadOptions, Source
from vnestruct.io.vng_layout import ALIGNMENT, HEADER_BYTES, Header, LabelKind, as_tuples, checksum_of, unpacked
from vnestruct.io.vng_layout import write_vng as write_vng
from vnestruct.types import Array, FilePath

_CHECKED_BYTES = 32 << 20  # up to this size a file is checked completely when it is opened, which takes milliseconds


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
    if ignores_weights(options.weight):
        graph = graph.replaced(weights=None)
    if options.weight is True and graph.weights is None:
        raise source.error("the graph has no weights; leave out `weight`")
    return redirected(graph, options.directed)


def _read(source: Source, verify: bool | None) -> Graph:
    header = unpacked(source.head[:HEADER_BYTES], source.error)
    file = _FileArrays(source, header)
    graph = file.graph()
    if verify or (verify is None and header.file_bytes <= _CHECKED_BYTES):
        file.check_sums()
        try:
            parts = (graph.indptr, graph.indices, graph.weights, graph._labels, graph.directed)
            checked = Graph(*parts, directions=graph.directions, sides=graph.sides, side_names=graph.side_names)
        except ParameterError as problem:
            raise source.error(f"the graph is not valid ({problem}); write the file again") from None
        if checked.hash != graph.hash:
            raise source.error("the graph is not the one the header names; write the file again")
    return graph


class _FileArrays:
    """The arrays of a file as views of one mapping."""

    def __init__(self, source: Source, header: Header) -> None:
        self._source, self._header = source, header
        self.path = None if source.compression is not None or source.standard_input else source.file
        if self.path is None:
            self.buffer: bytes | mmap.mmap = source.content()
        else:
            with self.path.open("rb") as stream:
                self.buffer = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        if len(self.buffer) != header.file_bytes:
            wrong = f"{len(self.buffer)} bytes where the header says {header.file_bytes}; "
            raise source.error(wrong + "the file was cut short, copy or write it again")
        self._stored = {stored.name: stored for stored in header.arrays}

    def array(self, name: str, dtype: str, length: int) -> Array:
        stored = self._stored.get(name)
        if stored is None or stored.dtype != dtype or length not in (-1, stored.length) or stored.length < 0:
            raise self._misfit(name)
        n_bytes = stored.length * np.dtype(dtype).itemsize
        inside = HEADER_BYTES <= stored.offset <= self._header.file_bytes - n_bytes
        if not inside or stored.offset % ALIGNMENT:
            raise self._misfit(name)
        return np.frombuffer(self.buffer, dtype=dtype, count=stored.length, offset=stored.offset)

    def graph(self) -> Graph:
        header = self._header
        indptr = self.array("indptr", "<i8", header.n_nodes + 1)
        indices = self.array("indices", "<i4", header.n_entries)
        if indptr[0] != 0 or indptr[-1] != header.n_entries:
            raise self._misfit("indptr")
        directions = self.array("directions", "|u1", header.n_entries) if header.directed else None
        weights = self.array("weights", "<f8", header.n_entries) if header.weighted else None
        report, sides = CleaningReport(*header.report), self.sides()
        graph = MappedGraph._trusted(indptr, indices, weights, None, directions, report, sides)
        assert isinstance(graph, MappedGraph)
        graph.set_labels(self)
        graph.__dict__["hash"] = header.graph_hash
        return graph

    def sides(self) -> Sides | None:
        """Return the sides, after which the file has their names as JSON, None if there are none."""
        if "sides" not in self._stored:
            return None
        both, n_nodes = self.array("sides", "|u1", -1), self._header.n_nodes
        try:
            names = json.loads(both[n_nodes:].tobytes())
            return Sides(both[:n_nodes], None if names is None else (str(names[0]), str(names[1])))
        except (ValueError, RecursionError, LookupError, TypeError):
            raise self._misfit("sides") from None

    def labels(self) -> Array | None:
        """Decode the label table, None for 0..n-1."""
        n_nodes, kind = self._header.n_nodes, self._header.labels
        if kind is LabelKind.NONE:
            return None
        if kind is LabelKind.INTEGERS:
            return self.array("labels", "<i8", n_nodes)
        offsets = self.array("label_offsets", "<i8", n_nodes + 1)
        texts = self.array("label_text", "|u1", -1).tobytes()
        if offsets[0] != 0 or offsets[-1] != len(texts) or (np.diff(offsets) < 0).any():
            raise self._misfit("label_offsets")
        places = offsets.tolist()
        try:
            words = [texts[a:b].decode("utf-8", "surrogatepass") for a, b in pairwise(places)]
            values = words if kind is LabelKind.TEXT else [as_tuples(json.loads(word)) for word in words]
        except (ValueError, RecursionError):
            raise self._misfit("label_text") from None
        return np.fromiter(values, dtype=object, count=n_nodes)

    def check_sums(self) -> None:
        for stored in self._header.arrays:
            if checksum_of(self.array(stored.name, stored.dtype, stored.length).data) != stored.checksum:
                raise self._source.error(f"array {stored.name!r} is damaged; copy or write the file again")

    def _misfit(self, name: str) -> GraphFormatError:
        return self._source.error(f"array {name!r} does not fit the header; copy or write the file again")


class MappedGraph(Graph):
    """A graph whose arrays are mapped from a file and whose labels are decoded when first used."""

    def set_labels(self, file: _FileArrays) -> None:
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
