"""`embed_stream`: signatures of a stream of events, period by period, and how far everything has moved.

The rule for time: a period ends when the first event of a later one arrives, and periods without events are left out.
An event that arrives after its period has ended is late: it counts from the present period on, for as long as it is in
the window, and no period that has ended is changed. A late event that has left the window is dropped.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from vnestruct.embedding import embed
from vnestruct.embedding.parameters import checked_settings, is_entropy
from vnestruct.graph.labels import LabelArray
from vnestruct.graph_entropy import cheap_entropies
from vnestruct.kernels.wasserstein import wasserstein
from vnestruct.live.events import Events, Report, as_events, parse_duration
from vnestruct.live.live_graph import LiveGraph
from vnestruct.types import OffsetArray, ValueArray

KINDS = ("approx", "quadratic")  # entropies of the whole graph that are computed for each period
_FEW = 1024  # nodes without edges that are not worth dropping


@dataclass(frozen=True, eq=False)
class Period:
    """A stream at the end of one period."""

    start: float
    """When the period began, in seconds; for dates, since 1970."""
    nodes: LabelArray
    """Labels of the nodes with an edge in the window."""
    signatures: ValueArray
    """One row per node."""
    roles: OffsetArray | None
    """Role of each node, if a fitted clusterer was given."""
    moved: ValueArray
    """Distance of each signature from that of the same node one period before; NaN for nodes that had no edge then."""
    surprise: ValueArray
    """-ln of the share of nodes of the same role that moved at least as far: large if that is rare among its kind."""
    n_edges: int
    """Number of edges in the window."""
    entropies: tuple[float, ...]
    """Entropies of the whole graph, kinds "approx" and "quadratic"."""
    distance: float
    """Between the distributions of signatures of this period and the last, as for `graph_distance`; NaN at first."""
    late: int
    """Events of the period that were late."""
    dropped: int
    """Events that had already left the window."""

    def facts(self) -> dict[str, Any]:
        """Return what describes the period as a whole, for JSON."""
        entropies = {f"entropy_{kind}": value for kind, value in zip(KINDS, self.entropies, strict=True)}
        distance = None if math.isnan(self.distance) else self.distance
        facts = {"start": self.start, "nodes": len(self.nodes), "edges": self.n_edges, **entropies}
        return facts | {"distance": distance, "late": self.late, "dropped": self.dropped}


def embed_stream(
    events: Iterable[Any], radius: int | None = None, *, window: Any, every: Any, kind: str | Iterable[str] = "approx",
    weighted: bool = False, roles: Any = None, n_jobs: int | None = None,
) -> Iterator[Period]:  # fmt: skip
    """Yield the signatures of a stream of events at the end of each period.

    Memory is bounded by what is in the window: nodes without an edge are forgotten.

    Parameters
    ----------
    events : iterable
        Tuples ``(time, u, v)`` or ``(time, u, v, weight)``; times are seconds, datetimes or ISO texts.
    radius, kind, weighted, n_jobs
        As for `LiveGraph`; a kind without a radius is computed from the graph at the end of each period. With weights,
        the entropies of the whole graph use them, too.
    window : str or number
        How long an edge counts, such as "7d", or in seconds.
    every : str or number
        Length of a period. Periods begin at its multiples, so "1d" means days in UTC.
    roles : RoleClusterer, optional
        Fitted roles, saved or not: gives the role of each node in each period, so that roles compare across periods.

    Examples
    --------
    >>> from vnestruct import embed_stream
    >>> events = [(0, "a", "b"), (1, "b", "c"), (12, "c", "a"), (25, "a", "d")]
    >>> for period in embed_stream(events, window=20, every=10):
    ...     print(period.start, period.nodes.tolist(), period.n_edges)
    0.0 ['a', 'b', 'c'] 2
    10.0 ['a', 'b', 'c'] 3
    20.0 ['a', 'c', 'd'] 2
    """
    stream = Stream(radius, window=window, every=every, kind=kind, weighted=weighted, roles=roles, n_jobs=n_jobs)
    return stream.periods(events)


class Stream:
    """What `embed_stream` knows between two events."""

    def __init__(
        self, radius: int | None, *, window: Any, every: Any, kind: str | Iterable[str] = "approx", roles: Any = None,
        weighted: bool = False, n_jobs: int | None = None, report: Report | None = None,
    ) -> None:  # fmt: skip
        self._window, self._every = parse_duration("window", window), parse_duration("every", every)
        settings = checked_settings(1 if radius is None and is_entropy(kind) else radius, kind, weighted)
        # A kind without a radius is computed from each period's snapshot.
        self._named = settings.named
        followed: dict[str, Any] = {} if self._named else {"radius": settings.radius, "kind": kind}
        self._live = LiveGraph(window=f"{self._window!r}s", weighted=weighted, n_jobs=n_jobs, **followed)
        self.columns = settings.columns
        self._roles, self._weighted, self._n_jobs = roles, weighted, n_jobs
        self._report: Report = report or (lambda line, problem: None)
        self._period = -math.inf
        self._previous: ValueArray = np.empty((0, len(self.columns)))
        self._late = self._dropped = 0

    def periods(self, events: Iterable[Any]) -> Iterator[Period]:
        """Process events; yield each period that has ended, and the last one."""
        for batch in as_events(events):
            periods = np.maximum.accumulate(np.maximum(np.floor(batch.times / self._every), self._period))
            for begin, end in pairwise([0, *(np.flatnonzero(np.diff(periods)) + 1).tolist(), periods.size]):
                if -math.inf < self._period < periods[begin]:
                    yield self._ended()
                self._period = float(periods[begin])
                self._add(batch, begin, end)
        if math.isfinite(self._period):
            yield self._ended()

    def _add(self, batch: Events, begin: int, end: int) -> None:
        times, start = batch.times[begin:end], self._period * self._every
        for i in np.flatnonzero(times < start):
            dropped = bool(times[i] < start - self._window)
            self._late, self._dropped = self._late + (not dropped), self._dropped + dropped
            line = int(batch.lines[begin + i])
            self._report(line, "dropped: it has left the window" if dropped else "late: it counts from now on")
        columns = (batch.source, batch.target, batch.weights)
        self._live.apply(zip(*(column[begin:end] for column in columns), strict=True), time=times)

    def _ended(self) -> Period:
        live = self._live
        live.advance((self._period + 1.0) * self._every)
        active = np.flatnonzero(live.degrees)
        graph = live.snapshot()
        rows = live.signatures() if self._named is None else embed(graph, kind=self._named, n_jobs=self._n_jobs)
        values = rows[active]
        before = np.full((live.n_nodes, len(self.columns)), np.nan)
        before[: len(self._previous)] = self._previous
        moved = np.linalg.norm(values - before[active], axis=1)
        roles = None
        if self._roles is not None and active.size:
            same = self._roles.columns_ == self.columns
            roles = self._roles.predict_signatures(values) if same else self._roles.predict(graph)[active]
        surprise = _surprise(moved, np.zeros(moved.size, np.int64) if roles is None else roles)
        # Starting from the last eigenvector would save one step of 16: the random part of the start has to be large.
        entropies = cheap_entropies(graph, KINDS, weighted=self._weighted)
        period = Period(
            start=self._period * self._every, nodes=graph.nodes[active], signatures=values, roles=roles, moved=moved,
            surprise=surprise, n_edges=live.n_edges, entropies=entropies, late=self._late, dropped=self._dropped,
            distance=_distance(before[~np.isnan(before[:, 0])], values),
        )  # fmt: skip
        self._previous = np.full_like(before, np.nan)
        self._previous[active] = values
        self._late = self._dropped = 0
        if live.n_nodes > 2 * active.size + _FEW:
            live.forget_isolated()
            self._previous = values
        return period


def _surprise(moved: ValueArray, roles: OffsetArray) -> ValueArray:
    """Return -ln of the share of nodes of the same role that moved at least as far."""
    surprise = np.full(moved.size, np.nan)
    for role in np.unique(roles):
        members = np.flatnonzero((roles == role) & ~np.isnan(moved))
        at_least = members.size - np.searchsorted(np.sort(moved[members]), moved[members], side="left")
        surprise[members] = np.log(members.size / at_least)
    return surprise


def _distance(before: ValueArray, after: ValueArray) -> float:
    if not (len(before) and len(after)):
        return math.nan
    columns = [(np.sort(old), np.sort(new)) for old, new in zip(before.T, after.T, strict=True)]
    return math.sqrt(sum(wasserstein(old, new) ** 2 for old, new in columns))
