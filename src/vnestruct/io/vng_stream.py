"""A .vng file written row by row, for graphs that do not fit into memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_file
from vnestruct.io.vng_header import ALIGNMENT, CHECKSUM_BYTES, HEADER_BYTES, Header, LabelKind, StoredArray, packed
from vnestruct.types import IdArray, NodeId, Offset, OffsetArray


def write_vng_rows(path: str | os.PathLike[str], indptr: OffsetArray, rows: Iterable[IdArray]) -> None:
    """Write an undirected graph without weights and labels, given its rows in pieces.

    Nothing is checked but the number of entries: rows must ascend, without self-loops, and be symmetric.

    Parameters
    ----------
    path : path-like
        The file; it appears whole or not at all.
    indptr : array of int64, shape (n + 1,)
        Row offsets.
    rows : iterable of arrays of int32
        The neighbours, row after row, in pieces of any length.

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile
    >>> from vnestruct.io import read_vng
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "path.vng")
    ...     write_vng_rows(file, np.array([0, 1, 3, 4]), [np.array([1, 0], np.int32), np.array([2, 1], np.int32)])
    ...     read_vng(file)
    Graph(3 nodes, 2 edges)
    """
    offsets = np.ascontiguousarray(indptr, Offset)
    n_nodes, n_entries = offsets.size - 1, int(offsets[-1])
    # What `Graph.hash` digests, as it comes.
    whole = hashlib.blake2b(digest_size=16)
    whole.update(f"vnestruct graph {n_nodes} 0".encode())
    with atomic_file(path) as stream:
        stream.seek(HEADER_BYTES)
        whole.update(f"indptr {offsets.size} ".encode())
        first = _write(stream, "indptr", offsets.size, [offsets], whole)
        whole.update(f"indices {n_entries} ".encode())
        pieces = (np.ascontiguousarray(piece, NodeId) for piece in rows)
        second = _write(stream, "indices", n_entries, pieces, whole)
        isolated = int(np.count_nonzero(np.diff(offsets) == 0))
        header = Header(
            directed=False,
            weighted=False,
            labels=LabelKind.NONE,
            n_nodes=n_nodes,
            n_entries=n_entries,
            file_bytes=stream.tell(),
            graph_hash=whole.hexdigest(),
            report=(n_entries // 2, 0, 0, 0, isolated),
            arrays=(first, second),
        )
        stream.seek(0)
        stream.write(packed(header))


def _write(
    stream: IO[bytes], name: str, length: int, pieces: Iterable[npt.NDArray[Any]], whole: hashlib.blake2b
) -> StoredArray:
    start = stream.tell()
    checksum = hashlib.blake2b(digest_size=CHECKSUM_BYTES)
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
