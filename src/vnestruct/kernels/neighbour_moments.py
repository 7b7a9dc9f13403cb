"""Mean and standard deviation over the neighbours of a node, all columns at once.

Deviations are summed in a second pass, from the mean: the mean of squares minus the square of the mean loses all digits
where neighbours agree. Sums run in the order of the neighbours.
"""

from math import sqrt

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray, ValueArray


@kernel
def fill_moments(
    indptr: OffsetArray, indices: IdArray, rows: OffsetArray, values: ValueArray, first: int, last: int,
    deviate: bool, moments: ValueArray, place: int,
) -> None:  # fmt: skip
    """Fill columns of `moments` from `place` on: means over the neighbours of each of `rows`, then deviations.

    They are those of the columns `first` to `last` of `values`, which may be other columns of the same matrix; 0 for a
    row without neighbours. Without `deviate` only means are filled.
    """
    n_columns = last - first
    sums = np.empty(n_columns)
    squares = np.empty(n_columns)
    for i in range(rows.size):
        begin = indptr[rows[i]]
        end = indptr[rows[i] + 1]
        sums[:] = 0.0
        squares[:] = 0.0
        count = np.float64(max(end - begin, 1))
        for a in range(begin, end):
            u = np.uint32(indices[a])
            for c in range(n_columns):
                sums[c] += values[u, first + c]
        for c in range(n_columns):
            sums[c] /= count
            moments[i, place + c] = sums[c]
        if not deviate:
            continue
        for a in range(begin, end):
            u = np.uint32(indices[a])
            for c in range(n_columns):
                gap = values[u, first + c] - sums[c]
                squares[c] += gap * gap
        for c in range(n_columns):
            moments[i, place + n_columns + c] = sqrt(squares[c] / count)
