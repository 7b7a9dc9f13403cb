"""How much faster than the obvious program? networkx ego networks and power iteration, on a sample of the nodes.

The whole graph would take days, so its time is an extrapolation: seconds of the sample, divided by the arcs of the
sample's R-balls, times the arcs of all R-balls.
"""

from __future__ import annotations

import gc
import math
import time
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from vnestruct.graph import Graph

STEPS = 100
CHANGE = 1e-9
SEED = 20
LEAST_NODES = 5


def to_networkx(graph: Graph) -> nx.Graph:
    """Return the graph as networkx holds it, nodes by position."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    once = rows < graph.indices
    copy = nx.Graph()
    copy.add_nodes_from(range(graph.n_nodes))
    copy.add_edges_from(zip(rows[once].tolist(), graph.indices[once].tolist(), strict=True))
    return copy


def power_iteration(matrix: Any, generator: np.random.Generator, steps: int, change: float) -> float:
    """Return the largest eigenvalue, to a relative change of `change` or as far as `steps` products lead."""
    vector = generator.standard_normal(matrix.shape[0])
    vector /= float(np.linalg.norm(vector))
    largest = 0.0
    for _ in range(steps):
        product = matrix @ vector
        before, largest = largest, float(vector @ product)
        norm = np.linalg.norm(product)
        if norm == 0.0 or abs(largest - before) <= change * largest:
            break
        vector = product / norm
    return largest


def naive_entropy(ball: nx.Graph, generator: np.random.Generator, steps: int, change: float) -> float:
    """Return -Q ln(lambda_max / Tr L) of one ball."""
    if ball.number_of_edges() < 2:
        return 0.0
    matrix = nx.laplacian_matrix(ball).astype(np.float64)
    degrees = matrix.diagonal()
    trace = float(degrees.sum())
    quadratic = 1.0 - 1.0 / trace - float(degrees @ degrees) / trace**2
    return -quadratic * math.log(power_iteration(matrix, generator, steps, change) / trace)


def naive_row(
    graph: nx.Graph,
    node: int,
    radius: int,
    generator: np.random.Generator,
    *,
    steps: int = STEPS,
    change: float = CHANGE,
) -> tuple[list[float], int]:
    """Return the entropies of radii 1..R of one node, and the arcs of its R-ball."""
    row = []
    arcs = 0
    for r in range(1, radius + 1):
        ball = nx.ego_graph(graph, node, radius=r)
        row.append(naive_entropy(ball, generator, steps, change))
        arcs = 2 * ball.number_of_edges()
    return row, arcs


@dataclass(frozen=True)
class Sample:
    """What the naive version needed on a sample of nodes: seconds and R-ball arcs of each."""

    nodes: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]
    arcs: npt.NDArray[np.int64]
    rows: npt.NDArray[np.float64]

    def total_seconds(self, all_arcs: int) -> float:
        """Extrapolate to all nodes by their R-ball arcs."""
        return float(self.seconds.sum() / max(1, self.arcs.sum()) * all_arcs)

    def relative_error(self) -> float:
        """Return the standard error of the seconds per arc, relative to it."""
        rate = self.seconds.sum() / max(1, self.arcs.sum())
        count = self.nodes.size
        if count < 2:
            return math.inf
        deviations = self.seconds - rate * self.arcs
        return float(math.sqrt(count / (count - 1) * np.sum(deviations**2)) / self.seconds.sum())


def naive_sample(graph: nx.Graph, radius: int, budget: float) -> Sample:
    """Run the naive version on nodes in a fixed random order until `budget` seconds are spent."""
    order = np.random.default_rng(SEED).permutation(graph.number_of_nodes())
    generator = np.random.default_rng(SEED)
    # Python's collector would walk the whole graph again and again: leave it out, in favour of the naive version.
    gc.collect()
    gc.freeze()
    seconds: list[float] = []
    arcs: list[int] = []
    rows: list[list[float]] = []
    try:
        for node in order.tolist():
            begin = time.perf_counter()
            row, in_ball = naive_row(graph, node, radius, generator)
            seconds.append(time.perf_counter() - begin)
            arcs.append(in_ball)
            rows.append(row)
            if len(rows) >= LEAST_NODES and sum(seconds) > budget:
                break
    finally:
        gc.unfreeze()
    return Sample(order[: len(rows)], np.array(seconds), np.array(arcs, np.int64), np.array(rows))
