"""Columns brought to one scale before distances are measured."""

from __future__ import annotations

import numpy as np

from vnestruct.types import OffsetArray, ValueArray

SCALINGS = ("none", "standard")


def column_scales(points: ValueArray, counts: OffsetArray, scaling: str) -> ValueArray:
    """Return what to divide each column by: 1, or its standard deviation over all nodes (1 if it is constant).

    Examples
    --------
    >>> column_scales(np.array([[0.0, 7.0], [2.0, 7.0]]), np.array([1, 1]), "standard").tolist()
    [1.0, 1.0]
    """
    if scaling == "none":
        return np.ones(points.shape[1])
    mean = np.average(points, axis=0, weights=counts)
    deviation = np.sqrt(np.average((points - mean) ** 2, axis=0, weights=counts))
    # The deviation of a constant column is 0, or what rounding makes of it.
    constant = points.max(axis=0) == points.min(axis=0)
    return np.where(constant, 1.0, deviation)
