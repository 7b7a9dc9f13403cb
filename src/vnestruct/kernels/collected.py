"""Components of quotients as sparse matrices: one to be eliminated, or many to be reduced elsewhere.

`vnestruct.kernels.dense_balls` leaves components that are large enough here for a device, which reduces them to
tridiagonal form all at once; then `subtract_sums` completes the entropies. What a component adds depends on itself
alone, and components of a ball are added in the order in which they were found, so batches do not change any bit.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vnestruct.kernels.machine import kernel, part
from vnestruct.kernels.spectral_sums import tridiagonal_sum
from vnestruct.kernels.workspace import DenseScratch
from vnestruct.types import IdArray, OffsetArray, ValueArray

COMPONENTS, ROWS, ARCS = range(3)
"""The entries of `Collected.used`."""


class Collected(NamedTuple):
    """Components with `least` to `most` rows, as sparse matrices one after the other."""

    least: int
    most: int
    used: npt.NDArray[np.int64]
    current: npt.NDArray[np.int64]  # the place of the entropy that components now belong to
    first: npt.NDArray[np.int64]  # row of each component
    size: npt.NDArray[np.int64]
    owner: npt.NDArray[np.int64]
    shift: npt.NDArray[np.float64]
    trace: npt.NDArray[np.float64]
    ptr: npt.NDArray[np.int64]
    columns: npt.NDArray[np.int32]
    values: npt.NDArray[np.float64]
    diagonal: npt.NDArray[np.float64]


def make_collected(least: int, most: int, rows: int, arcs: int) -> Collected:
    """Return room for components."""
    number = rows // least + 1
    return Collected(
        least, most, np.zeros(3, np.int64), np.zeros(1, np.int64), *np.empty((3, number), np.int64),
        np.empty(number), np.empty(number),
        np.empty(rows + 1, np.int64), np.empty(arcs, np.int32), np.empty(arcs), np.empty(rows),
    )  # fmt: skip


@part
def quotient_diagonal(i: int, normalized: bool, dense: DenseScratch) -> float:
    """Return an entry of the diagonal of the quotient."""
    inner = max(-dense.copies[i] - 1, 0)
    if normalized:
        return 1.0 - inner / dense.degree[i] if dense.degree[i] > 0.0 else 0.0
    return dense.degree[i] - inner


@part
def count_arcs(ptr: OffsetArray, rows: IdArray, size: int) -> int:
    """Return the number of arcs of the first `size` of some rows."""
    count = 0
    for row in range(size):
        count += ptr[rows[row] + 1] - ptr[rows[row]]
    return count


@part
def write_sparse(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, size: int, normalized: bool, dense: DenseScratch,
    p: int, own_ptr: OffsetArray, own_columns: IdArray, values: ValueArray, diagonal: ValueArray,
) -> int:  # fmt: skip
    """Write the component in `dense.rows` as a CSR, from arc p on, and its diagonal apart; return the arc after it."""
    leader, root = dense.leader, dense.root
    own_ptr[0] = p
    for row in range(size):
        i = dense.rows[row]
        diagonal[row] = quotient_diagonal(i, normalized, dense)
        for a in range(ptr[i], ptr[i + 1]):
            j = columns[a]
            if leader[j] == j:
                own_columns[p] = dense.place[j]
                values[p] = -(1.0 if weights is None else weights[a]) * (root[i] * root[j])
                p += 1
        own_ptr[row + 1] = p
    return p


@part
def collect(
    ptr: OffsetArray, columns: IdArray, weights: ValueArray | None, size: int, normalized: bool, shift: float,
    trace: float, dense: DenseScratch, collected: Collected,
) -> bool:  # fmt: skip
    """Add a component of a ball of this trace; return False if there is no room for it."""
    used = collected.used
    c, first, p = used[COMPONENTS], used[ROWS], used[ARCS]
    if first + size > collected.diagonal.size or p + count_arcs(ptr, dense.rows, size) > collected.values.size:
        return False
    used[ARCS] = write_sparse(
        ptr, columns, weights, size, normalized, dense, p,
        collected.ptr[first:], collected.columns, collected.values, collected.diagonal[first:],
    )  # fmt: skip
    collected.first[c], collected.size[c], collected.owner[c] = first, size, collected.current[0]
    collected.shift[c], collected.trace[c] = shift, trace
    used[COMPONENTS] += 1
    used[ROWS] += size
    return True


@part
def forget_from(number: int, collected: Collected) -> None:
    """Take back the components from one on."""
    if number < collected.used[COMPONENTS]:
        used, first = collected.used, collected.first[number]
        used[COMPONENTS], used[ROWS], used[ARCS] = number, first, collected.ptr[first]


@kernel
def subtract_sums(collected: Collected, diagonal: ValueArray, off: ValueArray, entropies: ValueArray) -> None:
    """Complete entropies that lack the components collected, given their tridiagonal forms."""
    for c in range(collected.used[COMPONENTS]):
        first = collected.first[c]
        total = tridiagonal_sum(diagonal[first:], off[first:], collected.size[c], collected.shift[c])
        entropies[collected.owner[c]] -= total / collected.trace[c]
