"""The checks behind ``Graph(...)``: linear in the arcs, vectorised, with messages that name the place."""

from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.types import Array, BoolArray, FlagArray, IdArray, NodeId, Offset, OffsetArray, Value, ValueArray

MAX_NODES = int(np.iinfo(NodeId).max)


def as_numbers(array: npt.ArrayLike, name: str, kinds: str = "iu", size: int | None = None) -> Array:
    """Return a 1-D array of integers, or other `kinds`, one per entry of indices if `size` says so; or an empty one."""
    given = np.asarray(array)
    if given.ndim != 1 or (given.size and given.dtype.kind not in kinds):
        wanted = "integers" if kinds == "iu" else "numbers"
        raise ParameterError(f"{name} must be a 1-D array of {wanted}, not {given.dtype} of shape {given.shape}")
    if size not in (None, given.size):
        raise ParameterError(f"{name} has {given.size} entries, but indices has {size}")
    return given if given.size else given.astype(np.int64)


def read_only(array: Any, dtype: Any = None) -> Any:
    """Return a read-only contiguous view, None for None: the kernels then compile for one kind of array only."""
    if array is None:
        return None
    view = np.ascontiguousarray(array, dtype=dtype).view(np.ndarray)
    view.flags.writeable = False
    return view


def first_true(flags: BoolArray) -> int | None:
    """Return the first position that is true, None if there is none."""
    return int(np.argmax(flags)) if flags.any() else None


def is_weight(values: Any) -> Any:
    """Return whether a number, or each of an array, is finite and not negative."""
    return (values >= 0) & (values < np.inf)


def check_offsets(indptr: npt.ArrayLike) -> OffsetArray:
    """Return row offsets as int64 after checking that they start at 0 and never decrease."""
    offsets = as_numbers(indptr, "indptr")
    if offsets[:1].tolist() != [0]:
        raise ParameterError(f"indptr starts with {offsets[:1]}; it must be [0] for no nodes, and always start with 0")
    if offsets.size - 1 > MAX_NODES:
        raise ParameterError(f"{offsets.size - 1} nodes are more than {MAX_NODES}, the most a graph can have")
    if (place := first_true(offsets[1:] < offsets[:-1])) is not None:
        raise ParameterError(f"indptr falls after position {place}; offsets must not decrease")
    return offsets.astype(Offset, copy=False)


def check_arcs(indptr: OffsetArray, indices: npt.ArrayLike) -> tuple[IdArray, OffsetArray]:
    """Check the structure; return the neighbours as int32 and, per entry, the place of its reverse."""
    columns = as_numbers(indices, "indices")
    n_nodes = indptr.size - 1
    if columns.size != indptr[-1]:
        raise ParameterError(f"indices has {columns.size} entries, but indptr ends with {indptr[-1]}")
    if (place := first_true((columns < 0) | (columns >= n_nodes))) is not None:
        raise ParameterError(f"indices[{place}] is {columns[place]}; node ids range from 0 to {n_nodes - 1}")
    neighbours: IdArray = columns.astype(NodeId, copy=False)
    rows = rows_of(indptr)
    if (place := first_true((neighbours[1:] <= neighbours[:-1]) & (rows[1:] == rows[:-1]))) is not None:
        raise ParameterError(f"the neighbours of node {rows[place]} are not strictly ascending; sort and merge them")
    if (place := first_true(neighbours == rows)) is not None:
        raise ParameterError(f"node {rows[place]} is its own neighbour; self-loops must be dropped")
    return neighbours, reverse_entries(indptr, neighbours)


def rows_of(indptr: OffsetArray) -> IdArray:
    """Return the row of each entry."""
    return np.repeat(np.arange(indptr.size - 1, dtype=NodeId), np.diff(indptr))


def reverse_entries(indptr: OffsetArray, indices: IdArray) -> OffsetArray:
    """Return the place of each entry's reverse, which is (v, u) for (u, v); fail where there is none."""
    from scipy.sparse import csr_array

    n_nodes = indptr.size - 1
    # SciPy widens the indices to the type of the offsets: keep those narrow where they fit.
    narrow = indptr.astype(np.int32) if indices.size < MAX_NODES else indptr
    places = np.arange(indices.size, dtype=np.int64)
    transposed = csr_array((places, indices, narrow), shape=(n_nodes, n_nodes)).T.tocsr()
    if np.array_equal(transposed.indptr, indptr) and np.array_equal(transposed.indices, indices):
        return np.asarray(transposed.data, dtype=np.int64)
    rows = rows_of(indptr)
    keys, mirrored = rows * np.int64(n_nodes) + indices, indices * np.int64(n_nodes) + rows
    place = np.argmin(np.isin(keys, mirrored))
    wrong = f"node {indices[place]} is a neighbour of node {rows[place]} but not the other way round"
    raise ParameterError(f"{wrong}; the structure must be symmetric")


def check_directions(directions: npt.ArrayLike | None, directed: bool, reverse: OffsetArray) -> FlagArray | None:
    """Return the direction bits as uint8 after checking that both entries of a pair agree."""
    if directed is (directions is None):
        raise ParameterError(
            "with `directed=True`, and only then, give directions: 1 (out), 2 (in) or 3 (both) per entry"
        )
    if directions is None:
        return None
    given = as_numbers(directions, "directions", size=reverse.size)
    if (place := first_true((given < 1) | (given > 3))) is not None:
        raise ParameterError(f"directions[{place}] is {given[place]}; it must be 1 (out), 2 (in) or 3 (both)")
    flags: FlagArray = given.astype(np.uint8, copy=False)
    if (place := first_true((flags >> 1 | (flags & 1) << 1) != flags[reverse])) is not None:
        wrong = f"directions[{place}] is {flags[place]}, but its reverse entry is {flags[reverse[place]]}; "
        raise ParameterError(wrong + "out on one side must be in on the other")
    return flags


def check_weights(
    weights: npt.ArrayLike, directions: FlagArray | None, indptr: OffsetArray, indices: IdArray, reverse: OffsetArray
) -> ValueArray:
    """Return the weights as float64 after checking that they are finite and fit the arcs."""
    values: ValueArray = as_numbers(weights, "weights", "biuf", indices.size).astype(Value, copy=False)
    # Without directions, every arc exists and weighs the same both ways.
    exists = True if directions is None else (directions & 1).astype(bool)
    wrong = ((values > 0) != exists) | ~is_weight(values)
    if directions is None:
        wrong |= values != values[reverse]
    if (place := first_true(wrong)) is not None:
        edge = f"from node {rows_of(indptr)[place]} to {indices[place]}"
        told = f"the weight {edge} is {values[place]}, and {values[reverse[place]]} the other way; weights must be "
        raise ParameterError(told + "finite, positive where there is an arc, else 0, and symmetric without directions")
    return values
