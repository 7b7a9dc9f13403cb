"""Parts of kernels, which have no wrapper for Python, as functions that tests can call."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

from vnestruct.kernels import (
    bounds,
    elimination,
    householder,
    lanczos,
    local_rows,
    neighbour_sums,
    search,
    spectral_sums,
    starts,
)
from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray


def _call(*arguments: Any) -> Any:
    return part(*arguments)  # type: ignore[name-defined]  # noqa: F821


def _from_python(part: Any) -> Any:
    """Return a kernel that calls a part; under a name of its own, by which its compiled code is kept."""
    function = FunctionType(_call.__code__.replace(co_name=part.__name__), {"part": part}, part.__name__)
    function.__qualname__ = f"call_{part.__name__}"
    function.__module__ = __name__
    return kernel(function)


add_noise = _from_python(starts.add_noise)
clear_search = _from_python(search.clear_search)
count_probes = _from_python(local_rows.count_probes)
degrees_lanes = _from_python(starts.degrees_lanes)
sum_by_elimination = _from_python(elimination.sum_by_elimination)
find_edges = _from_python(local_rows.find_edges)
join_rows = _from_python(local_rows.join_rows)
lanczos_lanes = _from_python(lanczos.lanczos_lanes)
list_members = _from_python(search.list_members)
name_rows = _from_python(local_rows.name_rows)
next_level = _from_python(search.next_level)
second_bounds = _from_python(bounds.second_bounds)
start_search = _from_python(search.start_search)
start_vector = _from_python(starts.start_vector)
tridiagonal_sum = _from_python(spectral_sums.tridiagonal_sum)
tridiagonalise = _from_python(householder.tridiagonalise)
_rows_by_length = _from_python(neighbour_sums.rows_by_length)


def rows_by_length(ptr: OffsetArray, k: int) -> IdArray:
    """Return the rows of a local graph from the longest to the shortest."""
    order = np.empty(k, np.int32)
    _rows_by_length(ptr, k, np.empty(k + 1, np.int64), order)
    return order
