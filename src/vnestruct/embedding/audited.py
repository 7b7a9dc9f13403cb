"""Estimated signatures: a sketch where balls are large, the ordinary pipeline elsewhere, and an audit of both.

Some nodes, drawn at random, are computed exactly first. They say how much each column varies, and in the end how far
estimates are from exact values. Then the sample of edges grows as long as that is cheaper than computing exactly the
balls for which it is too small. Small balls hold few sampled edges, so they are the inaccurate ones and the cheap ones.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import Job, Mask, entropy_columns, filled, planned_passes, prepare
from vnestruct.embedding.run import Run
from vnestruct.embedding.sketch import Sketch
from vnestruct.graph import Graph
from vnestruct.store.audit import Audit
from vnestruct.types import OffsetArray, ValueArray

N_AUDITED = 200
"""Nodes that are computed both ways."""

_FEW_NODES = 5 * N_AUDITED
"""Nodes that are all computed exactly: an audit of fewer would not be worth its cost."""

_AIM = 0.6
"""Share of the accepted error that the plan aims at: errors are predicted, and the audit varies."""

_FEWEST_HITS = 16
"""Sampled edges in a ball below which it is always computed exactly."""

_ATTEMPTS = 4
"""Plans, each aiming at half the error of the one before, until everything is computed exactly."""

_SECOND_LARGEST = 0.995
"""Quantile of the audited errors that is stated as the one of 95%. If it were that of 95%, it would be too small for
every other set of nodes; this one holds for 95 of 100 sets of 200 with probability 0.98, whatever the distribution."""


class EstimatedColumns:
    """Computes the base columns of an embedding by estimates, as `entropy_columns` does exactly, and audits them."""

    audit: Audit

    def __call__(self, graph: Graph, settings: Settings, wanted: Mask, run: Run) -> ValueArray:
        """Return the base columns for all nodes, valid in the rows of `wanted`, in node order."""
        if settings.radius == 1 or np.count_nonzero(wanted) <= _FEW_NODES:
            values = entropy_columns(graph, settings, wanted, run)
        else:
            [signatures] = planned_passes(settings)
            work = _Work(prepare(graph, settings, signatures, wanted, run), wanted, run)
            if work.reach.min() < settings.radius:
                self.audit = work.do()
                return work.values.reshape(graph.n_nodes, -1)
            values = filled(work.job, run).reshape(graph.n_nodes, -1)
        self.audit = _audit(settings, 0, 0, values[wanted], np.zeros((1, values.shape[1])), 0.0)
        return values


class _Work:
    """The rows of an embedding, how far they are exact, and the sketch that fills in the rest."""

    def __init__(self, job: Job, wanted: Mask, run: Run) -> None:
        self.job, self.run, self.settings = job, run, job.settings
        self.nodes: OffsetArray = np.flatnonzero(wanted)
        ranked = run.backend.rank(job.graph, self.settings, "all")
        self.sketch = Sketch(ranked, self.settings.radius, self.settings.seed, run.backend.threads)
        self.values = job.start()[job.plan.rank]
        # By node, radii up to which the row is to be exact, and is.
        self.reach, self._done = (np.ones(wanted.size, np.int64) for _ in range(2))
        self.reach[~wanted] = self._done[~wanted] = self.settings.radius
        for radius in range(2, self.settings.radius + 1):
            if float(job.plan.costs(job.work, radius).sum()) <= self.sketch.cost_of_more:
                self.reach[:] = np.maximum(self.reach, radius)
        self._least_reach = self.reach.copy()

    def do(self) -> Audit:
        """Fill all wanted rows, and return their audit."""
        target = self.settings.approximate
        assert target is not None
        generator = np.random.default_rng([self.settings.seed])
        audited = np.sort(generator.choice(self.nodes, N_AUDITED, replace=False))
        exact = self._exact(audited, self.settings.radius)[audited]
        spread = exact.std(axis=0)
        self.sketch.grow()
        for attempt in range(_ATTEMPTS):
            self._plan(target * _AIM / 2**attempt, spread)
            self._fill()
            errors = np.abs(self.values[audited] - exact).reshape(audited.size, -1)
            share = (self.reach[self.nodes][:, None] < np.arange(1, self.settings.radius + 1)).mean(axis=0)
            rows = self.values[self.nodes].reshape(self.nodes.size, -1)
            audit = _audit(self.settings, audited.size, self.sketch.n_sampled, rows, errors, share)
            if audit.shares.max() <= target:
                return audit
            self.run.progress.announce(f"The audit missed the accepted error ({audit}); taking more samples ...")
        self.run.progress.announce("Estimates do not reach the accepted error; computing all rows exactly ...")
        self.reach[:] = self.settings.radius
        self._fill()
        rows = self.values[self.nodes].reshape(self.nodes.size, -1)
        return _audit(self.settings, audited.size, self.sketch.n_sampled, rows, np.zeros_like(errors), 0.0)

    def _plan(self, aim: float, spread: ValueArray) -> None:
        """Grow the sample while that is worth it, then decide which rows to compute exactly."""
        while True:
            reach, cost = self._choice(aim, spread, 1)
            more = self.sketch.cost_of_more
            if 2 * self.sketch.n_sampled > self.sketch.n_edges or self._choice(aim, spread, 2)[1] + more >= cost:
                self.reach = reach
                return
            self.sketch.grow()

    def _choice(self, aim: float, spread: ValueArray, factor: int) -> tuple[OffsetArray, float]:
        """Return the radii up to which rows must be exact, were the sample `factor` times as large, and their cost."""
        ranks = self.job.plan.rank[self.nodes]
        hits = self.sketch.hits()[:, ranks] * factor
        _, errors = self.sketch.values(self.job.signatures.outputs)
        shares = errors[:, :, ranks] / np.maximum(spread[:, 1:, None], 1e-12) / np.sqrt(factor)
        reach = self._least_reach.copy()
        for radius in range(2, self.settings.radius + 1):
            held, share = hits[radius - 2], shares[:, radius - 2].max(axis=0)
            order = np.argsort(held, kind="stable")
            # What is left to the sketch, if all up to a place in the order are exact.
            left = np.append(np.cumsum(share[order][::-1])[::-1], 0.0) / ranks.size
            first = int(np.argmax(left <= aim))
            fewest = max(held[order[first]] if first < ranks.size else held[order[-1]] + 1, _FEWEST_HITS)
            reach[self.nodes[held < fewest]] = radius
        edges = self.sketch.edges()[:, ranks]
        is_exact = reach[self.nodes] >= np.arange(2, self.settings.radius + 1)[:, None]
        return reach, 2.0 * float(edges[is_exact].sum())

    def _fill(self) -> None:
        """Compute exactly what is to be exact and is not yet, and estimate the rest."""
        estimates = self.sketch.values(self.job.signatures.outputs)[0].transpose(2, 0, 1)[self.job.plan.rank]
        for radius in range(2, self.settings.radius + 1):
            is_estimate = self._done < radius
            self.values[is_estimate, :, radius - 1] = estimates[is_estimate, :, radius - 2]
        for radius in range(2, self.settings.radius + 1):
            nodes = np.flatnonzero((self.reach == radius) & (self._done < radius))
            if nodes.size:
                self.values[nodes, :, :radius] = self._exact(nodes, radius)[nodes]
                self._done[nodes] = radius

    def _exact(self, nodes: OffsetArray, radius: int) -> ValueArray:
        """Compute some rows with the ordinary pipeline, up to a radius; return all nodes, outputs and radii."""
        plan, wanted = self.job.plan, np.zeros(self.values.shape[0], bool)
        wanted[nodes] = True
        work = plan.in_order(plan.required(wanted[plan.node]))
        checkpoint = None if self.run.checkpoint is None else self.run.checkpoint.inner(radius)
        job = replace(self.job, settings=replace(self.settings, radius=radius), work=work)
        return filled(job, replace(self.run, checkpoint=checkpoint))


def _audit(
    settings: Settings, n_nodes: int, n_edges: int, rows: ValueArray, errors: ValueArray, share: ValueArray | float
) -> Audit:
    """Return the audit of some rows, from the errors of the audited ones and the share of estimates by radius."""
    assert settings.approximate is not None
    columns = settings.base_columns
    shares = np.broadcast_to(share, (len(columns) // settings.radius, settings.radius)).ravel()
    within = np.quantile(errors, _SECOND_LARGEST, axis=0, method="lower")
    figures = (shares, rows.std(axis=0) if len(rows) else np.zeros(len(columns)), errors.mean(axis=0), within)
    return Audit(
        settings.approximate, settings.seed, n_nodes, n_edges, tuple(columns),
        *(tuple(numbers.tolist()) for numbers in (*figures, errors.max(axis=0))),
    )  # fmt: skip
