"""All eigenvalues of a dense symmetric matrix, with the same bits on every run.

Householder reduction to tridiagonal form, then the implicit QL method (Wilkinson and Reinsch 1971), values only.
LAPACK would be quicker on large matrices, but its sums depend on its number of threads; balls are small and many,
and they run in parallel already. The matrix is swept by rows, in additions of one row to another, which vectorise.
"""

from __future__ import annotations

from math import hypot, sqrt

from vnestruct.kernels.machine import kernel
from vnestruct.types import FlagArray, ValueArray

_SWEEPS = 60


@kernel
def symmetric_eigenvalues(
    a: ValueArray, k: int, values: ValueArray, off: ValueArray, work: ValueArray, cancel: FlagArray
) -> bool:
    """Write the eigenvalues of the leading k x k part of `a` into `values`, in no special order.

    `a` is destroyed; `off` and `work` are scratch of length k. Returns False if cancelled.
    """
    if not _tridiagonalise(a, k, values, off, work, cancel):
        return False
    return _ql(values, off, k, cancel)


@kernel
def _tridiagonalise(
    a: ValueArray, k: int, diagonal: ValueArray, off: ValueArray, work: ValueArray, cancel: FlagArray
) -> bool:
    for i in range(k - 1):
        if cancel[0] != 0:
            return False
        diagonal[i] = a[i, i]
        # Row i right of the diagonal becomes a multiple of the first unit vector.
        norm2 = 0.0
        for j in range(i + 2, k):
            norm2 += a[i, j] * a[i, j]
        head = a[i, i + 1]
        if norm2 == 0.0:
            off[i] = head
            continue
        length = sqrt(head * head + norm2)
        target = -length if head > 0.0 else length
        off[i] = target
        row = a[i]
        row[i + 1] = head - target
        # beta = 2 / |u|^2 with u the reflection vector now standing in row i.
        beta = 1.0 / (target * (target - head))
        for j in range(i + 1, k):
            work[j] = 0.0
        for m in range(i + 1, k):
            factor = row[m]
            if factor != 0.0:
                other = a[m]
                for j in range(i + 1, k):
                    work[j] += factor * other[j]
        inner = 0.0
        for j in range(i + 1, k):
            work[j] *= beta
            inner += work[j] * row[j]
        inner *= 0.5 * beta
        for j in range(i + 1, k):
            work[j] -= inner * row[j]
        for m in range(i + 1, k):
            x = row[m]
            y = work[m]
            other = a[m]
            for j in range(i + 1, k):
                other[j] -= x * work[j] + y * row[j]
    diagonal[k - 1] = a[k - 1, k - 1]
    off[k - 1] = 0.0
    return True


@kernel
def _ql(d: ValueArray, e: ValueArray, k: int, cancel: FlagArray) -> bool:
    scale = 0.0
    for i in range(k):
        scale = max(scale, abs(d[i]) + abs(e[i]))
    for low in range(k):
        if cancel[0] != 0:
            return False
        for _ in range(_SWEEPS):
            m = low
            while m < k - 1:
                around = abs(d[m]) + abs(d[m + 1])
                # Beside eigenvalues of size `scale`, rounding has left nothing smaller than this.
                if abs(e[m]) <= 1e-16 * around or abs(e[m]) <= 1e-18 * scale:
                    break
                m += 1
            if m == low:
                break
            g = (d[low + 1] - d[low]) / (2.0 * e[low])
            r = hypot(g, 1.0)
            g = d[m] - d[low] + e[low] / (g + (r if g >= 0.0 else -r))
            s = 1.0
            c = 1.0
            p = 0.0
            split = False
            for i in range(m - 1, low - 1, -1):
                f = s * e[i]
                b = c * e[i]
                r = hypot(f, g)
                e[i + 1] = r
                if r == 0.0:
                    d[i + 1] -= p
                    e[m] = 0.0
                    split = True
                    break
                s = f / r
                c = g / r
                g = d[i + 1] - p
                r = (d[i] - g) * s + 2.0 * c * b
                p = s * r
                d[i + 1] = g + p
                g = c * r - b
            if split:
                continue
            d[low] -= p
            e[low] = g
            e[m] = 0.0
    return True
