"""Time-stamped edges from a text file, a pipe or standard input, as they arrive.

One event per line, fields separated by commas, semicolons, tabs or spaces; a field may be quoted. Labels are text. A
time is a number of seconds or a date in ISO format (UTC unless it says otherwise). Empty lines and comments, as in edge
lists, are skipped. Any other line that is no event is reported with its number and skipped.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.graph.columns import ColumnRequest, Fail, choose_columns, column_number, number_columns, shown
from vnestruct.io.fields import data_lines, label_of, number_of, split_fields, split_lines, weight_of
from vnestruct.io.source import LineBlock, Source
from vnestruct.types import OffsetArray, ValueArray

Report = Callable[[int, str], None]  # takes the number of a line, from 1, and what is wrong with it
_CHUNK = 1 << 18
_UNITS = {"": 1.0, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}


class Events(NamedTuple):
    """Some events, in the order of their arrival."""

    times: ValueArray
    source: Sequence[Any]
    target: Sequence[Any]
    weights: ValueArray
    lines: OffsetArray


def as_events(events: Iterable[Any]) -> Iterator[Events]:
    """Yield tuples (time, u, v) or (time, u, v, weight) in batches; batches of events stay as they are."""
    for number, event in enumerate(events, 1):
        if isinstance(event, Events):
            yield event
        else:
            when, u, v, *weight = event
            seconds = np.array([seconds_of(when)])
            yield Events(seconds, [u], [v], np.array(weight or [1.0], np.float64), np.array([number]))


def seconds_of(time: Any) -> float:
    """Return a time in seconds, from a number, a datetime, or a text that is one of them."""
    if isinstance(time, np.datetime64):
        time = time.astype("datetime64[us]").item()
    if isinstance(time, str):
        number = number_of(time)
        time = datetime.fromisoformat(time) if number is None else number
    if isinstance(time, datetime):
        time = (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()
    if not math.isfinite(time):
        raise ValueError(f"{time} is not a time")
    return float(time)


def as_seconds(times: Any, n_edges: int) -> ValueArray:
    """Return one time per edge in seconds, from one or several times as for `seconds_of`."""
    given = np.asarray(times)
    try:
        if given.dtype.kind not in "iuf":
            given = np.array([seconds_of(time) for time in given.ravel()]).reshape(given.shape)
        if not np.isfinite(given).all():
            raise ValueError("times must be finite")
        return np.broadcast_to(given.astype(np.float64), n_edges)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"`time` must be one number or date, or one per edge: {error}") from None


def parse_duration(name: str, duration: Any) -> float:
    """Return a time span in seconds from a number of seconds, a timedelta, or text such as 90s, 15min, 12h, 7d, 2w."""
    if isinstance(duration, timedelta | np.timedelta64):
        duration = np.timedelta64(duration) / np.timedelta64(1, "s")
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*(s|min|h|d|w|)\s*", str(duration))
    if match is None or not float(match[1]) > 0.0:
        units = ", ".join(filter(None, _UNITS))
        raise ParameterError(f"`{name}` must be a time span such as 7d ({units}), not {duration!r}")
    return float(match[1]) * _UNITS[match[2]]


def read_events(
    path: str, *, time: str | int, source: str | int | None = None, target: str | int | None = None,
    weight: str | int | None = None, report: Report = lambda line, problem: None,
) -> Iterator[Events]:  # fmt: skip
    """Yield the events of a file, plain or compressed, or of standard input (``-``), in batches as they arrive.

    Parameters
    ----------
    path : str
        The file.
    time, source, target, weight : str or int
        Columns, by name or by number from 1. By default, ends are found as in an edge list without the time column,
        and there are no weights.
    report : callable, optional
        Called with the number of each line that is skipped, and why.
    """
    request = ColumnRequest(source, target, 0 if weight is None else weight)
    layout, first, rest = None, 1, b""
    with Source(path, as_it_arrives=True) as stream:
        # What has arrived, and the end of the last line.
        for chunk in chain(iter(partial(stream.read, _CHUNK), b""), [b"\n"]):
            whole, end, rest = (rest + chunk).rpartition(b"\n")
            block = LineBlock(whole + end, first)
            first += block.data.count(b"\n")
            rows = []
            for number, line in data_lines(block, keep_tabs=True):
                if layout is None:
                    layout = _Layout(line, time, request, partial(stream.error, line=number))
                    if layout.has_names:
                        continue
                try:
                    rows.append((*layout.parse(line), number))
                except ValueError as problem:
                    report(number, str(problem))
            if rows:
                times, sources, targets, weights, numbers = zip(*rows, strict=True)
                yield Events(np.array(times), sources, targets, np.array(weights), np.array(numbers))


class _Layout:
    """How a line is split, and where its fields are, as the first line tells."""

    def __init__(self, line: bytes, time: str | int, request: ColumnRequest, fail: Fail) -> None:
        self._separator = next((mark for mark in (b",", b";", b"\t") if mark in line), None)
        [row] = split_lines([(0, line)], self._separator, lambda problem, _: fail(problem))
        fields = [field.decode("utf-8", "replace") for field in row]
        number = column_number(time)
        if number is None and time not in fields:
            raise fail(f"no column {shown(str(time))} among {', '.join(map(shown, fields))}; correct `time`")
        place = fields.index(str(time)) if number is None else number - 1
        self.has_names = number is None or not 0 <= place < len(fields) or _seconds(fields[place]) is None
        if self.has_names:
            # The time is no end of an edge, whatever its name.
            choice = choose_columns([*fields[:place], "", *fields[place + 1 :]], request, fail)
        else:
            free = [str(i + 1) for i in range(len(fields)) if i != place]
            ends = ColumnRequest(request.source or free[0], request.target or free[1], request.weight)
            choice = number_columns(len(fields), ends, lambda: False, fail)
        self._places, self._weight = (place, choice.source, choice.target), choice.weight

    def parse(self, line: bytes) -> tuple[float, str, str, float]:
        """Return time, ends and weight of an event; ValueError says what is wrong with the line."""
        fields = split_fields(line, self._separator)
        if len(fields) <= max(*self._places, self._weight or 0):
            raise ValueError(f"{len(fields)} fields are too few in {shown(line)}")
        time, u, v = (fields[place] for place in self._places)
        seconds = _seconds(time.decode("utf-8", "replace"))
        if seconds is None:
            raise ValueError(f"{shown(time)} is not a time")
        weight = 1.0 if self._weight is None else weight_of(fields[self._weight])
        return seconds, label_of(u, False, "text"), label_of(v, False, "text"), weight


def _seconds(text: str) -> float | None:
    try:
        return seconds_of(text)
    except ValueError:
        return None
