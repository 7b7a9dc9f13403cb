"""Graphs made from graphs: relabelled, joined, turned around, with other weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

from vnestruct import Graph
from vnestruct.graph import OUT, graph_from_ids

QUICK, LONG = 60, 1_500


def holds_for(*strategies: Any, **named: Any) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """Test a property on examples from Hypothesis: few and always the same ones, or many new ones in the long form."""

    def decorate(check: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("examples", [QUICK, pytest.param(LONG, marks=pytest.mark.full)])
        def test(examples: int) -> None:
            limits = settings(max_examples=examples, derandomize=examples == QUICK, deadline=None, database=None)
            limits(given(*strategies, **named)(check))()

        test.__name__ = check.__name__
        test.__doc__ = check.__doc__
        test.__module__ = check.__module__
        return test

    return decorate


@dataclass(frozen=True)
class Arcs:
    """A graph as a list: pairs u < v if undirected, arcs u -> v if directed."""

    source: npt.NDArray[np.int64]
    target: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64] | None
    n_nodes: int
    directed: bool

    def graph(self) -> Graph:
        """Build the graph."""
        return graph_from_ids(self.source, self.target, self.weights, n_nodes=self.n_nodes, directed=self.directed)


def arcs_of(graph: Graph) -> Arcs:
    """Take a graph apart."""
    source = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    target = graph.indices.astype(np.int64)
    kept = source < target if graph.directions is None else (graph.directions & OUT) != 0
    weights = None if graph.weights is None else graph.weights[kept]
    return Arcs(source[kept], target[kept], weights, graph.n_nodes, graph.directed)


def relabelled(graph: Graph, place: Sequence[int]) -> Graph:
    """Move node u to position ``place[u]``."""
    arcs = arcs_of(graph)
    to = np.asarray(place, dtype=np.int64)
    return Arcs(to[arcs.source], to[arcs.target], arcs.weights, arcs.n_nodes, arcs.directed).graph()


def side_by_side(first: Graph, second: Graph) -> Graph:
    """Two graphs of one kind without an edge between them."""
    one, two = arcs_of(first), arcs_of(second)
    weights = None
    if one.weights is not None and two.weights is not None:
        weights = np.concatenate([one.weights, two.weights])
    return Arcs(
        np.concatenate([one.source, two.source + one.n_nodes]),
        np.concatenate([one.target, two.target + one.n_nodes]),
        weights,
        one.n_nodes + two.n_nodes,
        one.directed,
    ).graph()


def with_edge(graph: Graph, u: int, v: int, weight: float = 1.0) -> Graph:
    """One edge or arc more; a weight adds to the one that is there."""
    arcs = arcs_of(graph)
    weights = None if arcs.weights is None else np.append(arcs.weights, weight)
    return Arcs(np.append(arcs.source, u), np.append(arcs.target, v), weights, arcs.n_nodes, arcs.directed).graph()


def reweighted(graph: Graph, weights: npt.NDArray[np.float64]) -> Graph:
    """Other weights, in the order of the list."""
    arcs = arcs_of(graph)
    return Arcs(arcs.source, arcs.target, weights, arcs.n_nodes, arcs.directed).graph()


def turned_around(graph: Graph) -> Graph:
    """All arcs the other way."""
    arcs = arcs_of(graph)
    return Arcs(arcs.target, arcs.source, arcs.weights, arcs.n_nodes, arcs.directed).graph()
