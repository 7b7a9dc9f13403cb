"""The periods of a stream, in a Parquet file and in a picture."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from vnestruct.drawing.palette import colour_of
from vnestruct.drawing.pictures import saved_figure
from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_file
from vnestruct.live.stream import KINDS, Period
from vnestruct.store.tables import writable_labels
from vnestruct.types import FilePath, ValueArray


def write_periods(path: FilePath, columns: Sequence[str], periods: Iterable[Period]) -> Iterator[dict[str, Any]]:
    """Write periods to Parquet as they come, one group of rows each; yield what describes each period as a whole."""
    import pyarrow
    from pyarrow import parquet

    names, number = ["period", "node", *columns, "role", "moved", "surprise"], pyarrow.float64()
    kinds = {"node": pyarrow.string(), "role": pyarrow.int64()}
    schema = pyarrow.schema([(name, kinds.get(name, number)) for name in names])
    n_rows = None
    with atomic_file(path) as file, parquet.ParquetWriter(file, schema) as writer:
        for period in periods:
            n_rows = len(period.nodes)
            labels = writable_labels(period.nodes, n_rows).astype(object).tolist()
            roles = [None] * n_rows if period.roles is None else period.roles
            values = [[period.start] * n_rows, labels, *period.signatures.T, roles, period.moved, period.surprise]
            # What is not known, because the node was not there before, is missing.
            arrays = [
                pyarrow.array(one, kind, from_pandas=True) for one, kind in zip(values, schema.types, strict=True)
            ]
            writer.write_table(pyarrow.table(arrays, schema=schema))
            yield {
                "start": period.start, "nodes": n_rows, "edges": period.n_edges,
                **{f"entropy_{kind}": value for kind, value in zip(KINDS, period.entropies, strict=True)},
                "distance": None if math.isnan(period.distance) else period.distance, "late": period.late,
                "dropped": period.dropped,
            }  # fmt: skip
        if n_rows is None:
            raise ParameterError("there are no events; check the file and `time`")


def draw_periods(
    path: FilePath, times: Sequence[Any], scores: ValueArray, distances: ValueArray, roles: Sequence[Any]
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
    with saved_figure(path, 9.0, 6.0 if len(roles) else 3.5) as figure:
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
            names = [f"role {role}" for role in known]
            axes[1].stackplot(times, shares, colors=[colour_of(role) for role in known], labels=names)
            axes[1].set_ylabel("share of nodes")
            axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
