"""Methods compared graph by graph: the same ring, the same noise, the same folds."""

from functools import cache

import numpy as np
from experiments.rings_table import FOLDER
from experiments.storage import read_rows


@cache
def scores(method, folder=FOLDER):
    """Return the rows of a method by setting and seed."""
    return {(row["setting"], row["seed"]): row for row in read_rows(folder / f"{method}.csv")}


def summary(method, setting, measure, folder=FOLDER):
    """Return mean, standard deviation and number of graphs, or None if there are no graphs."""
    values = [row[measure] for (where, _), row in scores(method, folder).items() if where == setting]
    if not values:
        return None
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0, len(values)


def differences(ours, other, setting, measure, folder):
    """Return mean, standard error and number of the paired differences; NaN if there are none."""
    theirs = scores(other, folder)
    gaps = [
        row[measure] - theirs[key][measure]
        for key, row in scores(ours, folder).items()
        if key[0] == setting and key in theirs
    ]
    if not gaps:
        return float("nan"), float("nan"), 0
    error = np.std(gaps, ddof=1) / np.sqrt(len(gaps)) if len(gaps) > 1 else float("nan")
    return float(np.mean(gaps)), float(error), len(gaps)
