"""Edges, squared degrees and largest eigenvalues of the balls of all nodes, estimated from a growing sample of edges.

All that is sampled is counted by `vnestruct.kernels.edge_sketch`, on threads of this process whatever the back end.
Edges are sorted by their hub and cut into strata, and one is drawn from each; when the sample grows, strata are halved.
The largest eigenvalue of a ball is close to its largest degree plus 1. Nodes inside the ball have their whole degree
there; for the largest hubs, which may be on its rim, a sample of their neighbours says how much.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from vnestruct.embedding.plan import Plan, read_only
from vnestruct.errors import TooLargeError
from vnestruct.execute import Block, Cancelled, ThreadsEngine
from vnestruct.kernels import edge_sketch
from vnestruct.kernels.edge_sketch import BITS, EDGES, STAR, WEDGES
from vnestruct.kernels.vector import WIDTH
from vnestruct.kernels.workspace import aligned
from vnestruct.types import FlagArray, IdArray, OffsetArray, ValueArray

FIRST_EDGES = 4096  # edges of the first sample
_EDGES_PER_WEDGE = 32
_N_HUBS = 16  # nodes of largest degree whose degree is estimated in balls that have them on their rim
_EDGES_PER_STAR_LINE = 4 * FIRST_EDGES  # edges of a sample for which each star gets another line
_MEAN_OF_NORMAL = 0.8  # mean absolute value of a normal variable of unit variance


class _Sample(NamedTuple):
    """Lines whose counts belong together."""

    kind: int
    lines: IdArray  # the nodes that the bits stand for, one row per line
    degree: int = 0  # degree of the hub, of a star


class _Counts(NamedTuple):
    """What one worker has counted, by radius from 2 and rank, and its two copies of a line."""

    held: IdArray
    rim: ValueArray  # largest eigenvalue due to a hub on the rim of each ball, and its relative variance
    copies: list[ValueArray]


@dataclass
class _SketchTask:
    """Count what balls hold of some samples; the rows of a block are empty."""

    rows: tuple[OffsetArray, IdArray]
    radius: int
    samples: list[_Sample]
    counted: list[_Counts] = field(default_factory=list)

    def scratch(self) -> _Counts:
        """Make the counts of one worker."""
        n_nodes, n_radii = self.rows[0].size - 1, self.radius - 1
        copies = [aligned(n_nodes * WIDTH) for _ in range(2)]
        counts = _Counts(np.zeros((3, n_radii, n_nodes), np.int32), np.zeros((2, n_radii, n_nodes)), copies)
        self.counted.append(counts)
        return counts

    def __call__(self, block: Block, scratch: _Counts, cancel: FlagArray) -> ValueArray:
        """Count what balls hold of the samples of a block."""
        for kind, lines, degree in self.samples[block.start : block.stop]:
            held = scratch.held[kind]
            for nodes in lines:
                before, after = scratch.copies
                edge_sketch.mark_sample(*self.rows, nodes, before.view(np.uint64))
                for counts in held:
                    edge_sketch.next_round(*self.rows, before, after, after.view(np.uint64), kind, counts, cancel)
                    before, after = after, before
                if cancel[0]:
                    raise Cancelled
            if kind == STAR:
                number = int((lines[:, 1:] >= 0).sum())
                # A hub without counted neighbours is not in the ball.
                largest = np.where(held > 0, 1.0 + (degree / number) * held, 0.0)
                variance = (1.0 - held / number) / np.maximum(held, 1) if number < degree else np.zeros(held.shape)
                _take_larger(scratch.rim, largest, variance)
                held[:] = 0
        return np.empty((len(block), 0))

    def describe(self, block: Block) -> str:
        """Name a block."""
        return f"samples {block.start} to {block.stop - 1} of the edge sketch"


class Sketch:
    """Estimates for the balls of radius 2 to R of all nodes of a plain graph in ranks."""

    def __init__(self, ranked: Plan, radius: int, seed: int, threads: ThreadsEngine) -> None:
        rows = ranked.graph
        self._rows = (rows.indptr, rows.indices)
        self._split, self._radius, self._seed, self._threads = rows.split, radius, seed, threads
        self._degrees = np.diff(rows.indptr)
        self.n_edges, self.n_sampled, self._n_wedges, self._n_star_lines = rows.indices.size // 2, 0, 0, 0
        needed = self._degrees.size * (2 * 8 * WIDTH + 60 * (radius - 1))
        if ranked.limit is not None and needed > ranked.limit:
            wrong = f"a sketch of the edges needs {needed / 1e6:,.0f} MB for each thread, more than the limit leaves"
            raise TooLargeError(f"{wrong}; raise the limit, or use fewer threads (`n_jobs`)")
        self._positions = np.empty(0, np.int64)
        self._held = np.zeros((3, radius - 1, self._degrees.size), np.int32)
        self.hits: IdArray = self._held[EDGES]  # how many sampled edges each ball holds, by radius from 2 and rank
        self._inner, self._rim = np.empty((0, 0)), np.empty((2, 0, 0))

    @property
    def cost_of_more(self) -> float:
        """Arcs to follow if the sample grows."""
        lines = 2 * max(self.n_sampled, FIRST_EDGES) / BITS
        return (lines * (1.0 + 4.0 / _EDGES_PER_WEDGE) + _N_HUBS) * self._rows[1].size * (self._radius - 1)

    def grow(self) -> None:
        """Double the sample."""
        if not self.n_sampled:
            self._inner = self._inner_eigenvalues()
        n_strata = max(2 * self.n_sampled, FIRST_EDGES)
        generator = np.random.default_rng([self._seed, n_strata])
        fresh = _fresh_positions(self._positions, n_strata, self.n_edges, generator)
        stars = self._stars(max(n_strata // _EDGES_PER_STAR_LINE, 1), generator)
        samples = [*self._edges(fresh), *self._wedges(-(-fresh.size // _EDGES_PER_WEDGE), generator), *stars]
        task = _SketchTask(self._rows, self._radius, samples)
        blocks = [Block(i, i, i + 1, float(len(sample.lines))) for i, sample in enumerate(samples)]
        list(self._threads.run(task, blocks))
        for counts in task.counted:
            self._held += counts.held
        if stars:
            # The larger sample replaces the one before: the larger of two guesses would be too large.
            self._rim = np.zeros((2, *self._inner.shape))
            for counts in task.counted:
                _take_larger(self._rim, *counts.rim)
        self._positions = np.concatenate([self._positions, fresh])
        self.n_sampled = self._positions.size

    def edges(self) -> ValueArray:
        """Return the estimated number of edges of each ball, by radius from 2 and rank."""
        edges: ValueArray = np.maximum(self.hits, 1) * (self.n_edges / self.n_sampled)
        return edges

    def values(self, outputs: Sequence[str], factor: int = 1) -> tuple[ValueArray, ValueArray]:
        """Return estimates of the outputs and of their mean errors, by output, radius from 2 and rank.

        With a `factor`, the errors are those of a sample that many times as large.
        """
        edges = self.edges()
        largest = np.clip(np.maximum(self._inner, self._rim[0]), 2.0, edges + 1.0)
        wedges = self._held[WEDGES] * (float((self._degrees**2.0).sum()) / (3 * self._n_wedges))
        # The hub has its degree, all others at least 1.
        squares = np.maximum(wedges, (largest - 1.0) ** 2 + 2.0 * edges - largest + 1.0)
        impurity = np.minimum((2.0 * edges + squares) / (4.0 * edges**2), 1.0)
        # Edges are drawn without replacement: all of them leave no error.
        left_out = max(1.0 - factor * self.n_sampled / self.n_edges, 0.0)
        variance = left_out * np.maximum(1.0 - edges / self.n_edges, 0.0) / np.maximum(self.hits, 1)
        variance += np.where(self._rim[0] > self._inner, self._rim[1], 0.0)
        error = _MEAN_OF_NORMAL * np.sqrt(variance / factor)
        formulas = {
            "approx": ((1.0 - impurity) * np.log(2.0 * edges / largest), error),
            "quadratic": (1.0 - impurity, impurity * (2.0 * error + 1.0 / np.sqrt(self._held[WEDGES] + 1.0))),
            "unscaled": ((impurity - 1.0) * np.log(largest), error),
        }
        values, errors = zip(*(formulas[output] for output in outputs), strict=True)
        return np.array(values), np.array(errors)

    def _inner_eigenvalues(self) -> ValueArray:
        """Return the largest eigenvalue due to nodes inside each ball, by radius from 2 and rank.

        Nodes at r - 1 steps have all their neighbours in the ball, nodes at r - 2 all neighbours of those as well.
        """
        near, far = edge_sketch.star_eigenvalues(*self._rows), self._degrees + 1.0
        found = []
        for _ in range(self._radius - 1):
            far = edge_sketch.largest_around(*self._rows, far)
            found.append(np.maximum(near, far))
            near = edge_sketch.largest_around(*self._rows, near)
        return np.array(found)

    def _edges(self, positions: OffsetArray) -> list[_Sample]:
        # Edges in the order of their hub: the entries of each row that follow its split.
        ends = np.cumsum(self._degrees - self._split)
        hub = np.searchsorted(ends, positions, side="right")
        other = self._rows[1][self._rows[0][hub + 1] - ends[hub] + positions]
        return _in_lines(EDGES, np.stack([hub, other], axis=1))

    def _wedges(self, number: int, generator: np.random.Generator) -> list[_Sample]:
        self._n_wedges += number
        ends = np.cumsum(self._degrees**2.0)
        places = (np.arange(number) + generator.random(number)) * (ends[-1] / number)
        centre = np.minimum(np.searchsorted(ends, places, side="right"), ends.size - 1)
        drawn = (generator.random((number, 3)) * self._degrees[centre][:, None]).astype(np.int64)
        neighbours = self._rows[1][self._rows[0][centre][:, None] + drawn]
        return _in_lines(WEDGES, np.column_stack([centre, neighbours]))

    def _stars(self, n_lines: int, generator: np.random.Generator) -> list[_Sample]:
        """Return stars of up to `n_lines` lines each; none if they were no larger than before."""
        samples: list[_Sample] = []
        n_lines = min(n_lines, -(-int(self._degrees[:1].sum()) // (BITS - 1)))
        if n_lines == self._n_star_lines:
            return samples
        self._n_star_lines = n_lines
        for hub in range(min(_N_HUBS, self._degrees.size)):
            row = self._rows[1][self._rows[0][hub] : self._rows[0][hub + 1]]
            number = min(row.size, n_lines * (BITS - 1))
            if number:
                strata = (np.arange(number) + generator.random(number)) * (row.size / number)
                lines = np.full((-(-number // (BITS - 1)), BITS), -1, np.int32)
                lines[:, 0] = hub
                # Neighbours of all degrees in each line, which rows are sorted by.
                places = np.arange(number)
                chosen = np.minimum(strata.astype(np.int64), row.size - 1) if number < row.size else places
                lines[places % len(lines), 1 + places // len(lines)] = row[chosen]
                samples.append(_Sample(STAR, read_only(lines), row.size))
        return samples


def _take_larger(rim: ValueArray, largest: ValueArray, variance: ValueArray) -> None:
    """Replace smaller eigenvalues, and equal ones of larger variance: the order of calls does not matter."""
    is_better = (largest > rim[0]) | ((largest == rim[0]) & (variance < rim[1]))
    rim[:, is_better] = largest[is_better], variance[is_better]


def _fresh_positions(taken: OffsetArray, n_strata: int, n_edges: int, generator: np.random.Generator) -> OffsetArray:
    """Draw one position from each of `n_strata` ranges of 0..n_edges-1 that holds none of those taken."""
    limits = -(-np.arange(n_strata + 1, dtype=np.int64) * n_edges // n_strata)
    is_free = np.diff(limits) > 0
    is_free[taken * n_strata // n_edges] = False
    low, high = limits[:-1][is_free], limits[1:][is_free]
    drawn: OffsetArray = low + (generator.random(low.size) * (high - low)).astype(np.int64)
    return drawn


def _in_lines(kind: int, groups: OffsetArray) -> list[_Sample]:
    """Return samples of one line each; the nodes of a row of `groups` get bits that belong together."""
    per_line = BITS // groups.shape[1]
    samples = []
    for begin in range(0, len(groups), per_line):
        part = groups[begin : begin + per_line]
        line = np.full((groups.shape[1], per_line), -1, np.int32)
        line[:, : len(part)] = part.T
        samples.append(_Sample(kind, read_only(line.reshape(1, BITS))))
    return samples
