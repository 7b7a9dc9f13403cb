"""Dividing one run among several machines: which positions of the work list belong to part 3 of 16."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError


def parse_part(part: str | tuple[int, int]) -> tuple[int, int]:
    """Read "3/16" or (3, 16) as part 3 of 16, counted from 1; refuse other forms, and parts that do not exist."""
    text = "/".join(map(str, part)) if isinstance(part, tuple) else str(part)
    match = re.fullmatch(r"\s*([0-9]+)\s*/\s*([0-9]+)\s*", text)
    if match is None:
        raise ParameterError(f'a part is written like "3/16", part 3 of 16; not {part!r}')
    number, parts = int(match[1]), int(match[2])
    _check_part(number, parts)
    return number, parts


def part_slice(costs: npt.ArrayLike, part: int, parts: int, *, align: int = 8) -> slice:
    """Return the positions of a work list that belong to part `part`, from 1, of `parts`, balanced by cost.

    The parts are consecutive ranges that cover the list once and begin at multiples of `align`. Sums are taken
    strictly in order, so that every machine gets the same cuts. If all costs are 0, parts have equal length.

    Examples
    --------
    >>> [part_slice([8, 1, 1, 2, 2, 2], part, 2, align=1) for part in (1, 2)]
    [slice(0, 1, None), slice(1, 6, None)]
    """
    _check_part(part, parts)
    if align < 1:
        raise ParameterError(f"align must be a positive integer, not {align!r}")
    items = np.asarray(costs, dtype=np.float64)
    n_items = items.size
    if items.ndim != 1:
        raise ParameterError(f"costs must be a 1-D array, not of shape {items.shape}")
    if n_items == 0:
        return slice(0, 0)
    with np.errstate(over="ignore"):
        sums = np.cumsum(items if items.any() else np.ones(n_items))
    if not (items.min() >= 0 and np.isfinite(sums[-1])):
        raise ParameterError(
            f"costs must be finite and not negative; they range from {items.min()} to {items.max()} and add "
            f"up to {sums[-1]}"
        )

    ends = sums[np.minimum(np.arange(align, n_items + align, align), n_items) - 1]
    middles = 0.5 * (ends + np.concatenate(([0.0], ends[:-1])))
    first, last = (
        n_items if k == parts else min(n_items, align * int(np.searchsorted(middles, ends[-1] * (k / parts))))
        for k in (part - 1, part)
    )
    return slice(first, last)


def _check_part(part: int, parts: int) -> None:
    whole = all(isinstance(number, int) and not isinstance(number, bool) for number in (part, parts))
    if not whole or not 1 <= part <= parts:
        raise ParameterError(f"part {part}/{parts} does not exist: parts count from 1 to their number")
