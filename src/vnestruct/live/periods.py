"""The periods of a stream, in a Parquet file and in a picture."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from vnestruct.drawing.palette import colour_of
from vnestruct.drawing.pictures import saved_figure
from vnestruct.errors import ParameterError
from vnestruct.files.atomic import atomic_file
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.live.events import Events
from vnestruct.live.stream import Period, Stream
from vnestruct.store.tables import writable_labels
from vnestruct.types import ArrayLike, FilePath, ValueArray


def write_periods(path: FilePath, columns: Sequence[str], periods: Iterable[Period]) -> Iterator[Period]:
    """Write periods to Parquet as they come, one group of rows each; yield each that is written."""
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
            yield period
        if n_rows is None:
            raise ParameterError("there are no events; check the file and `time`")


def mean_signatures(
    events: Iterable[Events], radius: int | None, **options: Any
) -> tuple[Graph, ValueArray, list[str], list[Period]]:
    """Return the graph of all events, the mean signature of each node over its periods, its columns, the periods.

    Options are those of `embed_stream`.
    """
    stream = Stream(radius, **options)
    batches = list(events)
    if not batches:
        raise ParameterError("there are no events; check the file and `time`")
    _, source, target, weights, _ = (list(chain.from_iterable(column)) for column in zip(*batches, strict=True))
    graph = graph_from_pairs(source, target, weights if options.get("weighted") else None, bipartite=False)
    periods = list(stream.periods(batches))
    places = np.concatenate([graph.positions(period.nodes) for period in periods])
    rows = np.concatenate([period.signatures for period in periods])
    times = np.maximum(np.bincount(places, minlength=graph.n_nodes), 1)
    means = np.stack([np.bincount(places, column, graph.n_nodes) / times for column in rows.T], axis=1)
    return graph, means, stream.columns, periods


def draw_periods(
    path: FilePath, times: Sequence[Any], scores: ValueArray, distances: ArrayLike, roles: Sequence[Any]
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
        moves = np.asarray(distances, np.float64)
        beside.plot(times, moves, color=colour_of(1), linewidth=0.8, label="distance from the period before")
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
