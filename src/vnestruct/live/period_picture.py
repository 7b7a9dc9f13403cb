"""The picture of a stream: scores of its periods, and how many nodes have each role, over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any

import numpy as np

from vnestruct.drawing.palette import colour_of
from vnestruct.types import ValueArray


def draw_periods(
    path: str | PathLike[str], times: Sequence[Any], scores: ValueArray, distances: ValueArray, roles: Sequence[Any]
) -> None:
    """Draw change scores and distances over time, and below them the share of each role.

    Parameters
    ----------
    path : path-like
        A ``.png``, ``.svg`` or ``.pdf`` file.
    times : sequence
        Numbers or dates, one per period.
    scores, distances : array of float
        `change_scores` and `Period.distance` of each period.
    roles : sequence of arrays
        Role of each node in each period; empty if there are none.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.0 if len(roles) else 3.5), layout="constrained")
    axes = figure.subplots(2 if len(roles) else 1, sharex=True, squeeze=False)[:, 0]
    axes[0].plot(times, scores, color=colour_of(0), label="change score")
    axes[0].set_ylabel("change score")
    beside = axes[0].twinx()
    beside.plot(times, distances, color=colour_of(1), linewidth=0.8, label="distance from the period before")
    beside.set_ylabel("distance of signatures")
    for i in np.argsort(-scores, kind="stable")[:3]:
        axes[0].annotate(str(times[i])[:10], (times[i], scores[i]))
    figure.legend(loc="outside upper center", ncols=2)
    if len(roles):
        counts = [Counter(np.asarray(period).tolist()) for period in roles]
        known = sorted(set().union(*counts))
        shares = [[count[role] / max(sum(count.values()), 1) for count in counts] for role in known]
        axes[1].stackplot(
            times, shares, colors=[colour_of(role) for role in known], labels=[f"role {r}" for r in known]
        )
        axes[1].set_ylabel("share of nodes")
        axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(fspath(path), dpi=150)
