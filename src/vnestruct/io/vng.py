"""The binary graph of vnestruct, .vng: CSR arrays in a container, mapped into memory rather than read."""

import functools
import json
import mmap
from collections.abc import Iterable
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

import numpy as np

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.atomic import atomic_file, temporary_folder
from vnestruct.files.container import DAMAGE, Arrays, decode_value, encode_value, read_container, write_container
from vnestruct.graph import CleaningReport, Graph
from vnestruct.graph.build import redirected
from vnestruct.graph.columns import ignores_weights
from vnestruct.graph.labels import Sides
from vnestruct.io.source import ReadOptions, Source
from vnestruct.types import Array, FilePath, IdArray, NodeId, Offset, OffsetArray

VERSION = 1
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
    if ignores_weights(options.weight) and graph.weights is not None:
        graph = graph.replaced(weights=None)
    if options.weight is True and graph.weights is None:
        raise source.error("the graph has no weights; leave out `weight`")
    return redirected(graph, options.directed)


def _read(source: Source, verify: bool | None) -> Graph:
    buffer: bytes | mmap.mmap
    path = None if source.compression is not None or source.standard_input else source.file
    if path is None:
        buffer = source.content()
    else:
        with path.open("rb") as stream:
            buffer = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    verify = len(buffer) <= _CHECKED_BYTES if verify is None else verify
    try:
        notes, arrays = read_container(memoryview(buffer), source.path, "graph", VERSION, mapped=True, verify=verify)
        graph = MappedGraph.of_file(notes, arrays, buffer, path)
        if verify:
            parts = (graph.indptr, graph.indices, graph.weights, graph._labels, graph.directed)
            checked = Graph(*parts, directions=graph.directions, sides=graph.sides, side_names=graph.side_names)
            if checked.hash != graph.hash:
                raise ValueError("it is another graph than its header says")
    except GraphFormatError:
        raise
    except (*DAMAGE, ParameterError) as problem:
        wrong = f"not a readable .vng file: {problem}; copy or write the file again, or correct `format`"
        raise source.error(wrong) from None
    return graph


class MappedGraph(Graph):
    """A graph whose arrays are mapped from a file and whose labels are decoded when first used."""

    path: Path | None
    """The file the arrays are mapped from; None if they were read, as from a compressed one."""
    buffer: bytes | mmap.mmap
    label_arrays: Arrays

    @classmethod
    def of_file(
        cls, notes: dict[str, Any], arrays: Arrays, buffer: bytes | mmap.mmap, path: Path | None
    ) -> "MappedGraph":
        """Return the graph of the arrays of a file, after checking that they fit each other."""
        n_nodes, n_entries = arrays["indptr"].size - 1, arrays["indices"].size
        kinds = {"indptr": ("<i8", n_nodes + 1), "indices": ("<i4", n_entries), "weights": ("<f8", n_entries)}
        kinds |= {"directions": ("|u1", n_entries), "sides": ("|u1", n_nodes)}
        for name, (kind, size) in kinds.items():
            if name in arrays and (arrays[name].dtype.str, arrays[name].shape) != (kind, (size,)):
                raise ValueError(f"array {name!r} does not fit the others")
        indptr, indices, weights, directions, sides = map(arrays.get, kinds)
        assert indptr is not None
        assert indices is not None
        if n_nodes < 0 or indptr[0] != 0 or indptr[-1] != n_entries:
            raise ValueError("array 'indptr' does not fit the others")
        names = notes["side_names"]
        told = None if sides is None else Sides(sides, names and tuple(names))
        graph = cls._trusted(indptr, indices, weights, None, directions, CleaningReport(*notes["report"]), told)
        graph.__dict__["hash"] = notes["hash"]
        graph.path, graph.buffer = path, buffer
        graph.label_arrays = {name: array for name, array in arrays.items() if name not in kinds}
        # An instance attribute would hide the property below.
        del graph.__dict__["_labels"]
        return graph

    def release(self) -> None:
        """Release the pages of the file that were read so far; they are mapped again when needed."""
        if isinstance(self.buffer, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):  # not on Windows
            self.buffer.madvise(mmap.MADV_DONTNEED)

    @functools.cached_property
    def _labels(self) -> Array | None:
        try:
            labels = _labels_in(self.label_arrays)
        except (*DAMAGE, StopIteration) as problem:
            wrong = f"the labels are damaged ({problem}); copy or write the file again"
            raise GraphFormatError(wrong, self.path) from None
        if labels is not None:
            labels.flags.writeable = False
        return labels


def write_vng(graph: Graph, stream: IO[bytes]) -> list[str]:
    """Write a graph as .vng; everything is kept."""
    names = ("indptr", "indices", "directions", "weights", "sides")
    arrays = {name: getattr(graph, name) for name in names if getattr(graph, name) is not None}
    notes = {"hash": graph.hash, "report": astuple(graph.report), "side_names": graph.side_names}
    write_container(stream, "graph", VERSION, notes, arrays | _label_arrays(graph._labels))
    return []


def _label_arrays(labels: Array | None) -> Arrays:
    """Return labels as arrays: integers, or the bytes of all texts, or JSON values, and where each of them ends."""
    if labels is None or labels.dtype != object:
        return {} if labels is None else {"labels": labels}
    values = labels.tolist()
    if all(type(label) is str for label in values):
        kind, words = "label_texts", [label.encode("utf-8", "surrogatepass") for label in values]
    else:
        kind, words = "label_values", [json.dumps(encode_value(label)).encode() for label in values]
    offsets = np.cumsum([0, *map(len, words)], dtype=Offset)
    return {"label_offsets": offsets, kind: np.frombuffer(b"".join(words), np.uint8)}


def _labels_in(arrays: Arrays) -> Array | None:
    """Return what `_label_arrays` was given."""
    if "label_offsets" not in arrays:
        return arrays.get("labels")
    texts = arrays.get("label_texts")
    data = (arrays["label_values"] if texts is None else texts).tobytes()
    words = (data[start:stop] for start, stop in pairwise(arrays["label_offsets"].tolist()))
    if texts is not None:
        values = [word.decode("utf-8", "surrogatepass") for word in words]
    else:
        values = [decode_value(json.loads(word)) for word in words]
    return np.fromiter(values, object, len(values))


def write_vng_rows(path: FilePath, indptr: OffsetArray, rows: Iterable[IdArray]) -> None:
    """Write an undirected graph without weights and labels, given its row offsets and its neighbours in pieces."""
    # Nothing is checked but the number of entries: rows must ascend, without self-loops, and be symmetric.
    offsets = np.ascontiguousarray(indptr, Offset)
    with temporary_folder(Path(path).parent) as folder:
        file = folder / "indices"
        with file.open("wb") as stream:
            for piece in rows:
                stream.write(np.ascontiguousarray(piece, NodeId).data)
        n_entries = file.stat().st_size // np.dtype(NodeId).itemsize
        if n_entries != offsets[-1]:
            raise ParameterError(f"indices has {n_entries} entries, but indptr says {offsets[-1]}")
        indices = np.asarray(np.memmap(file, NodeId, "r")) if n_entries else np.empty(0, NodeId)
        report = CleaningReport(n_entries // 2, isolated_nodes=int(np.count_nonzero(np.diff(offsets) == 0)))
        with atomic_file(path) as stream:
            write_vng(Graph._trusted(offsets, indices, None, None, None, report, None), stream)
