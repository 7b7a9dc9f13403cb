"""Radius 1 in closed form on a device: triangles by degree order, then sums over the edges of each node."""

from typing import Any

import numpy as np

from vnestruct.kernels.cuda.device import compiled, downloaded, fitting, import_cupy, limits
from vnestruct.kernels.workspace import RankedGraph
from vnestruct.types import IdArray, OffsetArray, ValueArray

SHORT_ROW = 48  # upward rows of at most so many entries take a warp each, longer ones a block
_SHORT_SLOTS, _LONG_SLOTS = 128, 4096
_THREADS = 256


def closed_form(indptr: OffsetArray, indices: IdArray, outputs: OffsetArray) -> ValueArray:
    """Return the outputs of every 1-ball of a graph, by node; ranking happens on the device, too."""
    with fitting("radius 1 of the graph") as cupy:
        return np.asarray(device_closed_form(cupy.asarray(indptr), cupy.asarray(indices), outputs).get())


def device_closed_form(indptr: Any, indices: Any, outputs: OffsetArray) -> Any:
    """Do as `closed_form` does with arrays that are on the device already."""
    cupy = import_cupy()
    device = int(cupy.cuda.Device().id)
    n = int(indptr.size) - 1
    if n == 0:
        return cupy.empty((0, outputs.size), np.float64)
    degrees = cupy.diff(indptr)
    node = cupy.argsort(-degrees).astype(np.int32)  # the sort is stable: ties go to the smaller id
    rank = cupy.empty(n, np.int32)
    rank[node] = cupy.arange(n, dtype=np.int32)
    split = cupy.empty(n, np.int32)
    blocks = limits(device).processors * 8
    count = compiled(device, "upward.cu", "count_upward")
    count((blocks,), (_THREADS,), (indptr, indices, rank, np.int64(n), split))
    place = cupy.zeros(n + 1, np.int64)
    cupy.cumsum(split, dtype=np.int64, out=place[1:])
    upward = cupy.empty(int(place[-1]), np.int32)
    fill = compiled(device, "upward.cu", "fill_upward")
    fill((blocks,), (_THREADS,), (indptr, indices, rank, np.int64(n), place, upward))
    return _values(place, upward, split, degrees[node], outputs)[rank]


def closed_form_by_rank(rows: RankedGraph, outputs: OffsetArray) -> ValueArray:
    """Return the outputs of every 1-ball, by rank; half of each row is read."""
    with fitting("radius 1 of the graph") as cupy:
        indptr, indices, split = map(cupy.asarray, rows[:3])
        return np.asarray(downloaded(_values(indptr, indices, split, cupy.diff(indptr), outputs)))


def _values(indptr: Any, indices: Any, split: Any, degrees: Any, outputs: OffsetArray) -> Any:
    cupy = import_cupy()
    device = int(cupy.cuda.Device().id)
    n = int(split.size)
    values = cupy.empty((n, outputs.size), np.float64)
    if n == 0:
        return values
    processors = limits(device).processors
    count = cupy.zeros(max(int(indices.size), 1), np.int32)
    taken = cupy.zeros(2, np.int32)
    # A node with one upward neighbour is the lowest corner of no triangle.
    long_rows = cupy.flatnonzero(split > SHORT_ROW).astype(np.int32)
    short_rows = cupy.flatnonzero((split > 1) & (split <= SHORT_ROW)).astype(np.int32)
    launches = (long_rows, taken[:1], 6, _THREADS, _LONG_SLOTS), (short_rows, taken[1:], 32, 32, _SHORT_SLOTS)
    for rows, place, per_processor, threads, slots in launches:
        if rows.size:
            kernel = compiled(device, "triangles.cu", "count_triangles", BLOCK_THREADS=threads, SLOTS=slots)
            arguments = (indptr, indices, split, rows, np.int32(rows.size), place, count)
            kernel((processors * per_processor,), (threads,), arguments)
    triangles, squares = cupy.zeros(n, np.uint64), cupy.zeros(n, np.uint64)
    options = {"BLOCK_THREADS": 32, "SLOTS": _SHORT_SLOTS}
    sums = compiled(device, "triangles.cu", "ball_sums", **options)
    sums((processors * 8,), (_THREADS,), (indptr, indices, split, count, np.int64(n), triangles, squares))
    finish = compiled(device, "triangles.cu", "radius_one", **options)
    blocks = -(-n // _THREADS)
    numbers = cupy.asarray(outputs)
    finish((blocks,), (_THREADS,), (degrees, triangles, squares, np.int64(n), numbers, np.int32(outputs.size), values))
    return values
