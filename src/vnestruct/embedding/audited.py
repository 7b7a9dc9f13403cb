"""Estimated signatures: a sketch where balls are large, the ordinary pipeline elsewhere, and an audit of both.

Some nodes, drawn at random, are computed exactly first. They say how much each column varies, and in the end how far
estimates are from exact values. Then the sample of edges grows as long as that is cheaper than computing exactly the
balls for which it is too small. Small balls hold few sampled edges, so they are the inaccurate ones and the cheap ones.
"""

from dataclasses import replace

import numpy as np

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import Pass, Run, complete, entropy_columns, fill, planned_passes, prepare
from vnestruct.embedding.plan import read_only
from vnestruct.embedding.sketch import Sketch
from vnestruct.graph import Graph
from vnestruct.store.audit import Audit
from vnestruct.types import BoolArray, OffsetArray, ValueArray

N_AUDITED = 200  # nodes that are computed both ways
_FEW_NODES = 5 * N_AUDITED  # nodes that are all computed exactly: an audit of fewer would not be worth its cost
_AIM = 0.85  # share of the accepted error that the plan aims at: errors are predicted, and the audit varies
_EXACT_ARC, _EXACT_BALL = 3.0, 500.0
"""Cost of an arc in an exact ball, and of the ball itself, in arcs that the sketch follows in the same time."""

_MIN_HITS = 16  # sampled edges in a ball below which it is always computed exactly
_OUTLIER = 12.0  # times the mean error aimed at that a single prediction may be; otherwise the ball is computed exactly
_ATTEMPTS = 4  # plans, each aiming at half the error of the one before, until everything is computed exactly
_SECOND_LARGEST = 0.995
"""Quantile of the audited errors that is stated as the one of 95%. If it were that of 95%, it would be too small for
every other set of nodes; this one holds for 95 of 100 sets of 200 with probability 0.98, whatever the distribution."""


def estimated_columns(graph: Graph, settings: Settings, wanted: BoolArray, run: Run) -> tuple[ValueArray, Audit]:
    """Return the base columns for all nodes by estimates, valid in the rows of `wanted`, and their audit."""
    if settings.radius == 1 or np.count_nonzero(wanted) <= _FEW_NODES:
        values = entropy_columns(graph, settings, wanted, run)
    else:
        work = _Work(graph, settings, wanted, run)
        if work.cheap < settings.radius:
            audit = work.do()
            return work.rows(work.values), audit
        work.compute(np.full_like(work.reach, settings.radius), work.values)
        values = work.rows(work.values)
    return values, _audit(settings, 0, 0, values[wanted], np.zeros((1, values.shape[1])), 0.0)


class _Work:
    """The rows to compute, by rank, how far they are exact, and the sketch that fills in the rest.

    Leaves and twins follow from other nodes, estimates too: the r-ball of a leaf is the (r-1)-ball of its neighbour.
    """

    def __init__(self, graph: Graph, settings: Settings, wanted: BoolArray, run: Run) -> None:
        self.run, self.settings = run, settings
        self.signatures: Pass
        [self.signatures] = planned_passes(settings)
        self.task = prepare(graph, settings, self.signatures, wanted, run)
        self.plan = self.task.plan
        self.nodes: OffsetArray = np.flatnonzero(wanted)
        ranked = run.backend.rank(graph, settings, "all")
        self.sketch = Sketch(ranked, settings.radius, settings.random_state, run.backend.threads)
        self.values = self.task.start()
        # How many wanted rows have their radius r, or r + 1, from each rank.
        self.followers, self.leaves = self._followers(self.nodes)
        # Radius up to which each rank is to be exact, and is.
        self.reach, self._done = (np.ones(wanted.size, np.int64) for _ in range(2))
        self.cheap = 1  # radius up to which all ranks are exact, because a first sample would cost more
        for radius in range(2, self.settings.radius + 1):
            costs = _EXACT_ARC * self.plan.costs(self.task.work, radius) + _EXACT_BALL
            if float(costs.sum()) <= self.sketch.cost_of_more:
                self.cheap = radius

    def rows(self, values: ValueArray) -> ValueArray:
        """Return all rows in node order, from values by rank."""
        return complete(self.plan, values).reshape(len(values), -1)

    def do(self) -> Audit:
        """Fill all wanted rows, and return their audit."""
        target, radius = self.settings.approximate, self.settings.radius
        assert target is not None
        generator = np.random.default_rng([self.settings.random_state])
        audited = np.sort(generator.choice(self.nodes, N_AUDITED, replace=False))
        followers, leaves = self._followers(audited)
        values = self.task.start()
        self.compute(np.where(followers > 0, radius, np.where(leaves > 0, radius - 1, 0)), values)
        exact = self.rows(values)[audited]
        spread = exact.std(axis=0).reshape(-1, radius)
        self.sketch.grow()
        for attempt in range(_ATTEMPTS + 1):
            if attempt < _ATTEMPTS:
                self._plan(target * _AIM / 2**attempt, spread)
            else:
                self.run.progress.on_message("Estimates miss the accepted error; computing all rows exactly ...")
                self.reach[:] = radius
            self._fill()
            rows = self.rows(self.values)
            errors = np.abs(rows[audited] - exact)
            audit = _audit(self.settings, N_AUDITED, self.sketch.n_sampled, rows[self.nodes], errors, self._estimated())
            if audit.shares.max() <= target:
                break
            self.run.progress.on_message(f"The audit missed the accepted error ({audit}); taking more samples ...")
        return audit

    def compute(self, reach: OffsetArray, values: ValueArray) -> None:
        """Compute ranks with the ordinary pipeline, each up to its radius in `reach`."""
        for radius in range(2, self.settings.radius + 1):
            work = read_only(self.task.work[reach[self.task.work] == radius])
            if work.size:
                task = replace(self.task, radius=radius, work=work)
                checkpoint = None if self.run.checkpoint is None else self.run.checkpoint.inner(radius)
                exact = task.start()
                fill(task, self.signatures, exact, replace(self.run, checkpoint=checkpoint))
                values[work, :, :radius] = exact[work]

    def _followers(self, nodes: OffsetArray) -> tuple[OffsetArray, OffsetArray]:
        """Return for each rank how many of the nodes share its balls, and how many are leaves joined to it."""
        plan, ranks = self.plan, self.plan.rank[nodes]
        hosts = plan.leaf_of[ranks]
        groups = ranks[hosts < 0], hosts[hosts >= 0]
        own, joined = (np.bincount(plan.leader[group], minlength=plan.n_nodes) for group in groups)
        return own, joined

    def _estimated(self) -> ValueArray:
        """Return the share of estimates among the wanted rows, by radius."""
        reach, followers, leaves = (by_rank[self.task.work] for by_rank in (self.reach, self.followers, self.leaves))
        radii = range(1, self.settings.radius + 1)
        return np.array([followers[reach < r].sum() + leaves[reach < r - 1].sum() for r in radii]) / self.nodes.size

    def _plan(self, aim: float, spread: ValueArray) -> None:
        """Grow the sample while that is worth it, then decide which rows to compute exactly."""
        while True:
            reach, cost = self._choice(aim, spread, 1)
            more = self.sketch.cost_of_more
            if self.sketch.n_sampled == self.sketch.n_edges or self._choice(aim, spread, 2)[1] + more >= cost:
                self.reach[self.task.work] = np.maximum(self._done[self.task.work], reach)
                return
            self.sketch.grow()

    def _choice(self, aim: float, spread: ValueArray, factor: int) -> tuple[OffsetArray, float]:
        """Return the radius up to which each rank of the work is exact, were the sample larger, and the cost of that.

        The balls to compute exactly are those of large predicted error, for all rows that follow, and small cost.
        """
        ranks, largest = self.task.work, self.settings.radius
        costs = 2.0 * _EXACT_ARC * self.sketch.edges()[:, ranks] + _EXACT_BALL
        _, errors = self.sketch.values(self.task.outputs, factor)
        shares = (errors[:, :, ranks] / np.maximum(spread[:, 1:, None], 1e-12)).max(axis=0)
        poor = (self.sketch.hits[:, ranks] * factor < _MIN_HITS) | (shares > _OUTLIER * aim)
        reach = np.full(ranks.size, self.cheap)
        for radius in range(self.cheap + 1, largest + 1):
            weights = self.followers[ranks] + (self.leaves[ranks] if radius < largest else 0)
            share = np.where(poor[radius - 2] & (weights > 0), np.inf, shares[radius - 2] * weights)
            order = np.argsort(-share / costs[radius - 2], kind="stable")
            # What is left to the sketch, if all up to a place in the order are exact.
            left = np.append(np.cumsum(share[order][::-1])[::-1], 0.0) / self.nodes.size
            reach[order[: int(np.argmax(left <= aim))]] = radius
        return reach, float(costs[reach >= np.arange(2, largest + 1)[:, None]].sum())

    def _fill(self) -> None:
        """Compute exactly what is to be exact and is not yet, and estimate the rest."""
        estimates = self.sketch.values(self.task.outputs)[0].transpose(2, 0, 1)
        work = self.task.work
        for radius in range(2, self.settings.radius + 1):
            ranks = work[self._done[work] < radius]
            self.values[ranks, :, radius - 1] = estimates[ranks, :, radius - 2]
        self.compute(np.where(self.reach > self._done, self.reach, 0), self.values)
        self._done = self.reach.copy()


def _audit(
    settings: Settings, n_nodes: int, n_edges: int, rows: ValueArray, errors: ValueArray, share: ValueArray | float
) -> Audit:
    """Return the audit of some rows, from the errors of the audited ones and the share of estimates by radius."""
    assert settings.approximate is not None
    columns = settings.base_columns
    shares = np.broadcast_to(share, (len(columns) // settings.radius, settings.radius)).ravel()
    within = np.quantile(errors, _SECOND_LARGEST, axis=0, method="lower")
    spread = rows.std(axis=0) if len(rows) else np.zeros(len(columns))
    figures = (tuple(x.tolist()) for x in (shares, spread, errors.mean(axis=0), within, errors.max(axis=0)))
    return Audit(settings.approximate, settings.random_state, n_nodes, n_edges, tuple(columns), *figures)
