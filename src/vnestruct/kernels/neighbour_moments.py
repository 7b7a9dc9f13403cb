"""Mean and standard deviation over the neighbours of a node, all columns at once.

A row of values is read as a whole for each neighbour. Deviations are summed in a second pass, from the mean: the mean
of squares minus the square of the mean loses all digits where neighbours agree. Sums run in the order of the
neighbours.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import IdArray, OffsetArray, ValueArray


@kernel
def fill_moments(
    indptr: OffsetArray, indices: IdArray, rows: OffsetArray, values: ValueArray, deviate: bool, moments: ValueArray
) -> None:
    """Add the means over the neighbours of each of `rows` to ``moments[:, 0]``, the deviations to ``moments[:, 1]``.

    `moments` has the shape (rows, 2, columns) and holds zeros. Without `deviate` only means are computed.
    """
    n_columns = values.shape[1]
    for i in range(rows.size):
        begin = indptr[rows[i]]
        end = indptr[rows[i] + 1]
        if begin == end:
            continue
        for a in range(begin, end):
            u = np.uint32(indices[a])
            for c in range(n_columns):
                moments[i, 0, c] += values[u, c]
        count = np.float64(end - begin)
        for c in range(n_columns):
            moments[i, 0, c] /= count
        if not deviate:
            continue
        for a in range(begin, end):
            u = np.uint32(indices[a])
            for c in range(n_columns):
                gap = values[u, c] - moments[i, 0, c]
                moments[i, 1, c] += gap * gap
        for c in range(n_columns):
            moments[i, 1, c] = sqrt(moments[i, 1, c] / count)
