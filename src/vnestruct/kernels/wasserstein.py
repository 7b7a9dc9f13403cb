"""Distance between distributions of numbers: the cost of moving one sample onto the other."""

import numpy as np

from vnestruct.kernels.machine import kernel
from vnestruct.types import OffsetArray, ValueArray


@kernel
def wasserstein(first: ValueArray, second: ValueArray) -> float:
    """Return the area between the distribution functions of two sorted samples (Wasserstein-1); 0 if one is empty."""
    if first.size == 0 or second.size == 0:
        return 0.0
    i = 0
    j = 0
    total = 0.0
    before = min(first[0], second[0])
    while i < first.size or j < second.size:
        is_first = j == second.size or (i < first.size and first[i] <= second[j])
        now = first[i] if is_first else second[j]
        total += abs(i / first.size - j / second.size) * (now - before)
        i, j = (i + 1, j) if is_first else (i, j + 1)
        before = now
    return total


@kernel
def pairwise_wasserstein(columns: ValueArray, offsets: OffsetArray, distances: ValueArray) -> None:
    """Fill the symmetric matrix `distances` between samples of sorted columns; sample i starts at ``offsets[i]``."""
    n = offsets.size - 1
    for i in range(n):
        for j in range(i + 1, n):
            total = 0.0
            for c in range(columns.shape[0]):
                d = wasserstein(columns[c, offsets[i] : offsets[i + 1]], columns[c, offsets[j] : offsets[j + 1]])
                total += d * d
            distances[i, j] = np.sqrt(total)
            distances[j, i] = distances[i, j]
