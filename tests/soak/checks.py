"""What must hold of the signatures of any graph: against the oracle, against each other, and when the graph changes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests import oracles
from tests.embedding.test_update import random_change, rebuilt
from tests.graphs import edges_of
from tests.properties.changes import arcs_of, relabelled, reweighted, side_by_side, with_edge
from tests.soak.draw import FEW_NODES, Case, Draw, draw_case
from vnestruct import Graph, LiveGraph, embed, update
from vnestruct.io import read_vng, write_graph
from vnestruct.types import ValueArray

ORACLE_WORK = 60_000
"""Entries of dense matrices that the oracle may fill per case; larger graphs have some of their nodes checked."""


def rows(case: Case, graph: Graph | None = None, **changes: Any) -> ValueArray:
    """Signatures of the case, of another graph or with other options."""
    return embed(case.graph if graph is None else graph, case.radius, **{"n_jobs": 1, **case.options, **changes})


def agrees_with_the_oracle(case: Case, draw: Draw, found: ValueArray) -> None:
    graph = case.graph
    count = max(min(graph.n_nodes, ORACLE_WORK // max(graph.n_nodes, 1) ** 2), 2)
    nodes = sorted(draw.permutation(graph.n_nodes)[:count].tolist())
    wanted = _by_the_oracle(case, nodes, tuple(case.options["kind"]))
    assert_close(found[nodes], wanted, "against the oracle")
    if graph.n_nodes > FEW_NODES:
        spectra = ("exact", "normalized", "punctured")
        some = rows(case, kind=spectra, nodes=nodes[:2])
        assert_close(some, _by_the_oracle(case, nodes[:2], spectra), f"spectra of nodes {nodes[:2]}")


def _by_the_oracle(case: Case, nodes: list[int], kinds: tuple[str, ...]) -> ValueArray:
    how = {name: case.options[name] for name in ("weighted", "direction") if name in case.options}
    wanted = oracles.signatures(case.graph, case.radius, kinds=kinds, nodes=nodes, **how)
    return np.hstack(list(wanted.values()))


def relabelling_permutes_rows(case: Case, draw: Draw, found: ValueArray) -> None:
    place = draw.permutation(case.graph.n_nodes)
    assert_close(rows(case, relabelled(case.graph, place.tolist()))[place], found, "nodes in another order")


def a_disjoint_union_stacks_rows(case: Case, draw: Draw, found: ValueArray) -> None:
    other = case
    while other is case or other.graph.directed != case.graph.directed or other.graph.n_nodes > 60:
        other = draw_case(int(draw.integers(2**40)))
    graph = other.graph
    if case.graph.weights is not None:
        graph = reweighted(graph, 10.0 ** draw.uniform(-6, 6, len(arcs_of(graph).source)))
    both = rows(case, side_by_side(case.graph, graph))
    assert_close(both, np.vstack([found, rows(case, graph)]), f"beside {other}")


def distant_edges_do_not_matter(case: Case, draw: Draw, found: ValueArray) -> None:
    if case.graph.n_nodes < 3:
        return
    u, v = (int(node) for node in draw.choice(case.graph.n_nodes, 2, replace=False))
    changed = with_edge(case.graph, u, v, float(10.0 ** draw.uniform(-6, 6)))
    after = rows(case, changed)
    ways = case.options.get("direction", "all").split("+")
    for node in draw.permutation(case.graph.n_nodes)[:8].tolist():
        # A ball that does not hold both ends has the same edges as before, unless the edge has brought the other end.
        for place in range(found.shape[1]):
            radius, way = place % case.radius + 1, ways[place // case.radius % len(ways)]
            if {u, v} <= oracles.ball(changed, node, radius, way):
                continue
            difference = abs(after[node, place] - found[node, place])
            assert difference <= 1e-9, f"edge {u}-{v}, node {node}, column {place}: {difference:.2e}"


def some_nodes_have_the_same_bits(case: Case, draw: Draw, found: ValueArray) -> None:
    count = int(draw.integers(0, case.graph.n_nodes + 1))
    nodes = draw.permutation(case.graph.n_nodes)[:count]
    _assert_same_bits(rows(case, nodes=nodes), found[nodes], f"nodes {nodes.tolist()}")


def two_threads_have_the_same_bits(case: Case, draw: Draw, found: ValueArray) -> None:
    _assert_same_bits(rows(case, n_jobs=2), found, "two threads")


def limited_memory_has_the_same_bits(case: Case, draw: Draw, found: ValueArray) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_graph(case.graph, Path(folder) / "graph.vng")
        graph = read_vng(Path(folder) / "graph.vng")
        _assert_same_bits(rows(case, graph, max_memory="4G"), found, "out of core")


def parts_have_the_same_bits(case: Case, draw: Draw, found: ValueArray) -> None:
    with tempfile.TemporaryDirectory() as folder:
        number = int(draw.integers(1, 4))
        rows(case, checkpoint=folder, part=(int(draw.integers(1, number + 1)), number))
        _assert_same_bits(rows(case, checkpoint=folder), found, f"one of {number} parts first")


def a_smaller_radius_has_the_same_bits(case: Case, draw: Draw, found: ValueArray) -> None:
    radius = int(draw.integers(1, case.radius + 1))
    kept = [place for place in range(found.shape[1]) if place % case.radius < radius]
    _assert_same_bits(embed(case.graph, radius, n_jobs=1, **case.options), found[:, kept], f"radius {radius}")


def updates_equal_recomputation(case: Case, draw: Draw, found: ValueArray) -> None:
    graph, known = case.graph, found
    if not graph.n_edges:
        return
    for _ in range(int(draw.integers(1, 4))):
        if graph.n_edges < 4:
            return
        change = random_change(graph, draw)
        result = update(graph, known, **change, radius=case.radius, n_jobs=1, **case.options)
        expected = rebuilt(graph, **change)
        assert result.graph == expected, change
        assert_close(result.H, rows(case, expected), str(change))
        graph, known = result.graph, result.H


def the_unit_of_weights_does_not_matter(case: Case, draw: Draw, found: ValueArray) -> None:
    weights = arcs_of(case.graph).weights
    if weights is not None and "unscaled" not in case.options["kind"]:
        unit = float(10.0 ** draw.uniform(-12, 12))
        assert_close(rows(case, reweighted(case.graph, unit * weights)), found, f"weights times {unit}")


def the_sizes_are_those_of_the_balls(case: Case, draw: Draw, found: ValueArray) -> None:
    if case.graph.n_nodes:
        node = [int(draw.integers(case.graph.n_nodes))]
        wanted = _by_the_oracle(case, node, oracles.SIZES)
        unit = np.maximum(np.abs(wanted), 1.0)
        assert_close(rows(case, kind="sizes", nodes=node) / unit, wanted / unit, f"sizes of {node}")


def a_live_graph_keeps_up(case: Case, draw: Draw, found: ValueArray) -> None:
    if case.graph.directed or case.graph.weights is not None or case.graph.n_nodes < 2:
        return
    kinds = ["approx", "quadratic"]
    live = LiveGraph(case.graph, radius=min(case.radius, 3), kind=kinds)
    for _ in range(int(draw.integers(1, 6))):
        edges = edges_of(live.snapshot())
        if edges:
            gone = draw.permutation(edges)[: draw.integers(1, 4)]
            live.apply(live.nodes[gone], sign=-1)
        live.apply(draw.integers(0, case.graph.n_nodes + 2, (draw.integers(1, 6), 2)))
        graph = live.snapshot()
        assert_close(live.signatures(), embed(graph, min(case.radius, 3), kind=kinds, n_jobs=1), "live graph")


def another_engine_agrees(engine: str) -> Callable[[Case, Draw, ValueArray], None]:
    """Ray has the same bits, a GPU the same values."""

    def check(case: Case, draw: Draw, found: ValueArray) -> None:
        assert_close(rows(case, engine=engine, n_jobs=None), found, engine, 0.0 if engine == "ray" else 1e-9)

    check.__name__ = f"{engine}_agrees"
    return check


CHECKS: list[Callable[[Case, Draw, ValueArray], None]] = [
    relabelling_permutes_rows,
    a_disjoint_union_stacks_rows,
    distant_edges_do_not_matter,
    some_nodes_have_the_same_bits,
    two_threads_have_the_same_bits,
    limited_memory_has_the_same_bits,
    parts_have_the_same_bits,
    a_smaller_radius_has_the_same_bits,
    updates_equal_recomputation,
    the_unit_of_weights_does_not_matter,
    the_sizes_are_those_of_the_balls,
    a_live_graph_keeps_up,
]


def assert_close(found: ValueArray, wanted: ValueArray, what: str, tolerance: float = 1e-9) -> None:
    """Finite, without a negative zero, and close; entropies of kind "unscaled" may be negative."""
    assert found.shape == wanted.shape, what
    assert np.isfinite(found).all(), f"{what}: not finite"
    assert not (np.signbit(found) & (found == 0)).any(), f"{what}: -0.0"
    error = np.abs(found - wanted)
    if error.max(initial=0.0) > tolerance:
        place = np.unravel_index(int(error.argmax()), error.shape)
        raise AssertionError(f"{what}: {found[place]!r}, not {wanted[place]!r}, at {[int(part) for part in place]}")


def _assert_same_bits(one: ValueArray, other: ValueArray, what: str) -> None:
    assert one.shape == other.shape, what
    different = np.flatnonzero((one.view(np.uint64) != other.view(np.uint64)).any(axis=1)) if one.size else []
    assert not len(different), f"{what}: rows {list(different[:5])} have other bits"
