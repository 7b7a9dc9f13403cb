"""Roughly how much work an embedding is: a constant time per arc that walks around each node meet."""

from collections.abc import Sequence
from dataclasses import dataclass

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.pipeline import planned_passes
from vnestruct.embedding.tasks import task_type
from vnestruct.graph import Graph
from vnestruct.kernels import reductions


@dataclass(frozen=True)
class Forecast:
    """The estimated work of embedding all nodes at one radius."""

    radius: int
    arcs: float  # upper estimate of the arcs of all balls, both directions
    seconds: float  # right within a factor of ten, mostly


def forecasts(graph: Graph, settings: Settings, radii: Sequence[int], n_threads: int) -> list[Forecast]:
    """Forecast the work for several radii; the radius of the settings does not matter."""
    found = []
    rate = sum(task_type(signatures.kind).seconds_per_cost for signatures in planned_passes(settings)) / n_threads
    for radius in radii:
        arcs = float(reductions.ball_costs(graph.indptr, graph.indices, None, radius).sum())
        found.append(Forecast(radius, arcs, rate * arcs))
    return found
