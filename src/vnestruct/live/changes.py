"""Change points of a sequence of graphs: periods that are unlike those before them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vnestruct.checks import whole_number
from vnestruct.errors import ParameterError
from vnestruct.types import ValueArray

_LEAST_SPREAD = 0.05
"""Share of the mean that counts as ordinary variation, however steady a context is."""


def change_scores(values: npt.ArrayLike, *, short: int = 7, long: int = 14) -> ValueArray:
    """Score each period by how much more it deviates from the periods before it than its predecessor did.

    The deviation of a column is its distance from the mean of a context, in units of the context's spread; columns are
    scaled to the same variance over all periods and combined by the Euclidean norm. The larger of the deviations from a
    short and a long context counts. The score is its increase over the period before, or 0.

    Parameters
    ----------
    values : array of float, shape (number of periods, number of columns)
        What describes each period, such as the entropies of the whole graph (`Period.entropies`).
    short, long : int, default 7 and 14
        Number of periods before a period that are its contexts. The first `long` scores are 0.

    Returns
    -------
    ndarray of float64, shape (number of periods,)

    Examples
    --------
    >>> import numpy as np
    >>> from vnestruct.live import change_scores
    >>> values = [[1.0], [1.1], [1.0], [1.1], [1.0], [2.0], [2.1]]
    >>> int(np.argmax(change_scores(values, short=2, long=3)))
    5
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise ParameterError(f"values must be one row of finite numbers per period, not of shape {table.shape}")
    contexts = [whole_number("short", short, 1), whole_number("long", long, 1)]
    deviations = np.max([_deviations(table, size) for size in contexts], axis=0)
    deviations[: max(contexts)] = 0.0
    scores: ValueArray = np.maximum(np.diff(deviations, prepend=0.0), 0.0)
    return scores


def _deviations(table: ValueArray, size: int) -> ValueArray:
    """Return how far each period is from the mean of as many periods before it."""
    units = np.zeros_like(table)
    for t in range(size, len(table)):
        context = table[t - size : t]
        mean = context.mean(axis=0)
        spread = context.std(axis=0) + _LEAST_SPREAD * np.abs(mean)
        away = np.abs(table[t] - mean)
        units[t] = np.divide(away, spread, out=np.zeros_like(away), where=spread > 0.0)
    scale = units.std(axis=0)
    units /= np.where(scale > 0.0, scale, 1.0)
    norms: ValueArray = np.sqrt((units**2).sum(axis=1))
    return norms
