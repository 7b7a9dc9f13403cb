"""Columns at a point in time: one pass over the edges, each row answered just before its own time."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from vnestruct.columns.measures import ball_measures, described_pairs
from vnestruct.embedding.tasks import output_codes
from vnestruct.execute import resolve_n_jobs
from vnestruct.kernels import closed_form, point_in_time
from vnestruct.kernels.point_in_time import N_SUMS, Activity, Rows, activity_before
from vnestruct.live.arrays import LiveArrays
from vnestruct.types import Array, IdArray, OffsetArray, ValueArray

_OUTPUTS = ("approx", "nodes", "edges", "quadratic")
MOMENTS, WAYS = ("count", "mean", "std", "last"), ("out_", "in_")
_WORDS = {"count": "number", "mean": "mean", "std": "standard deviation", "last": "latest"}


class Events(NamedTuple):
    """Edges in the order of their times."""

    ends: IdArray
    times: Array
    values: ValueArray
    n_nodes: int

    @classmethod
    def in_order(cls, ends: IdArray, times: Array, values: ValueArray, n_nodes: int) -> "Events":
        """Sort edges by time; those of one time stay in their order."""
        order = np.argsort(times, kind="stable")
        return cls(np.ascontiguousarray(ends[order]), times[order], np.ascontiguousarray(values[order]), n_nodes)


def columns_before(
    events: Events, ends: IdArray, times: Array, window: float | None, unit: float, measures: list[str],
    value_names: list[str], n_jobs: int | None,
) -> tuple[list[dict[str, ValueArray]], dict[str, ValueArray]]:  # fmt: skip
    """Return the columns of each end of some rows, and of pairs, from the edges before each row; NaN if there are none.

    Times and the window are counted in units, of which a second has `unit`.
    """
    order = np.argsort(times, kind="stable")
    back = np.empty_like(order)
    back[order] = np.arange(order.size)
    when = times[order]
    added = np.searchsorted(events.times, when)
    dropped = np.zeros_like(added) if window is None else np.searchsorted(events.times, when - window)
    rows = Rows(np.ascontiguousarray(ends[order]), added, np.minimum(dropped, added))
    # Structure on one thread, counts and values on another.
    with ThreadPoolExecutor(min(2, resolve_n_jobs(n_jobs))) as threads:
        graph_part = threads.submit(_structure, events, rows)
        values_part = threads.submit(_activity, events, rows, 2)
        (structure, pairs), activity = graph_part.result(), values_part.result()
        known = structure[:, :, point_in_time.KNOWN] > 0
        tasks = [
            threads.submit(_of_end, events, when, end, measures, value_names, unit, structure, activity, back)
            for end in range(ends.shape[1])
        ]
        of_ends = [task.result() for task in tasks]
    of_pair = {}
    if ends.shape[1] == 2:
        degrees = structure[:, :, point_in_time.DEGREE].astype(np.float64)
        common, linked, newest = pairs.T
        of_pair = described_pairs(degrees[:, 0], degrees[:, 1], common.astype(np.float64), linked.astype(np.float64))
        of_pair = {name: np.where(known.all(axis=1), values, np.nan)[back] for name, values in of_pair.items()}
        of_pair["since_pair"] = _since(events, when, np.where(linked > 0, newest, -1), unit)[back]
    return of_ends, of_pair


def value_columns(events: Events, value_names: list[str], n_ways: int) -> dict[str, ValueArray]:
    """Return what is said of the values of all edges of each node."""
    n_edges, n_nodes = np.full(events.n_nodes, len(events.ends)), events.n_nodes
    rows = Rows(np.arange(n_nodes, dtype=np.int32)[:, None], n_edges, np.zeros_like(n_edges))
    moments = _activity(events, rows, n_ways)[2]
    return _of_values(moments[:, 0], value_names, MOMENTS[:3])


def _structure(events: Events, rows: Rows) -> tuple[OffsetArray, OffsetArray]:
    graph, occurrences = LiveArrays(weighted=True), np.zeros(events.n_nodes, np.int64)
    graph.reserve(events.n_nodes)
    structure = np.zeros((*rows.ends.shape, 4), np.int64)
    pairs, cursor = np.zeros((len(rows.ends), 3), np.int64), np.zeros(3, np.int64)
    graph.run(
        lambda state: point_in_time.structure_before(state, occurrences, events.ends, rows, cursor, structure, pairs)
    )
    return structure, pairs


def _activity(events: Events, rows: Rows, n_ways: int) -> tuple[OffsetArray, OffsetArray, ValueArray]:
    """Return the numbers of edges, the newest edge and the moments of values of all ends."""
    n_edges, n_values = events.values.shape
    queue = np.zeros((events.n_nodes, n_ways, 3), np.int64)
    is_link = events.ends[:, 0] != events.ends[:, 1]
    n_turns = n_edges if rows.dropped.any() else 0
    turn = np.zeros((n_turns, n_ways), np.int64)
    for way in range(n_ways if n_turns else 0):
        # The edges of each node, one node after the other.
        of_node = np.where(is_link, events.ends[:, way], events.n_nodes)
        turn[:, way] = np.argsort(of_node, kind="stable")
        starts = np.cumsum(np.bincount(of_node, minlength=events.n_nodes + 1))[: events.n_nodes]
        queue[1:, way] = starts[:-1, None]
    activity = Activity(
        np.zeros(queue.shape[:2], np.int64), queue, turn, np.zeros((*queue.shape[:2], n_values, N_SUMS)),
        np.zeros((n_turns, n_ways, n_values, N_SUMS)),
    )  # fmt: skip
    shape = rows.ends.shape
    counts, newest = np.zeros((*shape, n_ways), np.int64), np.zeros(shape, np.int64)
    moments = np.full((*shape, n_ways, n_values, len(MOMENTS)), np.nan)
    activity_before(events.ends, events.values, rows, activity, counts, newest, moments)
    return counts, newest, moments


def _of_end(
    events: Events, when: Array, end: int, measures: list[str], value_names: list[str], unit: float,
    structure: OffsetArray, activity: tuple[OffsetArray, OffsetArray, ValueArray], back: OffsetArray,
) -> dict[str, ValueArray]:  # fmt: skip
    """Return the columns of one end of all rows, in the order in which they were asked."""
    degree, triangles, squares, occurrences = structure[back, end].T
    is_known = occurrences > 0
    balls = np.empty((degree.size, len(_OUTPUTS)))
    sums = [np.ascontiguousarray(column) for column in (degree, triangles, squares)]
    closed_form.radius_one(*sums, output_codes(_OUTPUTS), balls)
    h1, nodes, edges, quadratic = balls.T
    known = ball_measures(nodes, edges, quadratic, h1)
    counts, newest, moments = (array[back, end] for array in activity)
    out, into = counts.astype(np.float64).T
    known |= {
        "out_count": out, "in_count": into,
        "since_last": _since(events, when[back], newest, unit),
    }  # fmt: skip
    columns = {name: known[name] for name in measures} | _of_values(moments, value_names, MOMENTS)
    return {name: np.where(is_known, values, np.nan) for name, values in columns.items()}


def _of_values(moments: ValueArray, names: list[Any], kept: Sequence[str]) -> dict[str, ValueArray]:
    """Name what is said of values."""
    described = described_values(names, WAYS if moments.shape[1] == 2 else ("",), kept)
    columns = moments[..., : len(kept)].transpose(2, 1, 3, 0).reshape(len(described), len(moments))
    return dict(zip(described, columns, strict=True))


def _since(events: Events, when: Array, newest: OffsetArray, unit: float) -> ValueArray:
    """Return the time since an edge in seconds, NaN where there is none."""
    if not events.times.size:
        return np.full(newest.size, np.nan)
    return np.where(newest >= 0, (when - events.times[newest]) / unit, np.nan)


def described_values(names: list[Any], ways: Sequence[str], moments: Sequence[str]) -> dict[str, str]:
    """Return the columns of values, and what they say."""
    words = {"out_": "edges from the node", "in_": "edges to the node", "": "edges of the node"}
    return {
        f"{way}{moment}_{name}": f"{_WORDS[moment]} of {name} over the {words[way]}"
        for name in names
        for way in ways
        for moment in moments
    }
