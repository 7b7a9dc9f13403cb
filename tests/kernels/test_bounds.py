"""The bound on the second eigenvalue that proves a largest one, against numpy.linalg.eigvalsh."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs, tied_hubs
from tests.kernels.calls import second_bounds
from tests.kernels.local import Union, groups, union_of, union_of_balls
from vnestruct import Graph
from vnestruct.kernels.bounds import CLEAR, FEW_NODES
from vnestruct.kernels.workspace import COUNT, LARGEST, N_ROWS, NODES

ALL = {
    **{name: graph for name, graph in ZOO.items() if graph.n_nodes},
    **dict(random_graphs(25, seed=21)),
    "scale-free": synthetic.barabasi_albert(150, 2, seed=1),
    "power law": synthetic.power_law(200, 2.1, seed=1),
    "hubs": tied_hubs(20, 3),
    "large hubs": tied_hubs(60, 3),
    "large star": synthetic.star(70),
    "large scale-free": synthetic.barabasi_albert(500, 3, seed=2),
}


def unions(graph: Graph, kind: str) -> list[Union]:
    return [
        union_of(graph, nodes, radius, kind, seed=13)
        for radius in ((2, 3) if kind == "twins" else (1, 2, 3))
        for nodes in groups(graph, 8, seed=radius)[: 3 if graph.n_nodes < 400 else 1]
    ]


def bounds(union: Union) -> np.ndarray:
    second_bounds(*union.arguments(), union.k, union.lanes, (1 << len(union.matrices)) - 1)
    return union.lanes.second[: len(union.matrices)].copy()


def operator(union: Union, lane: int) -> np.ndarray:
    """The Laplacian of a ball on vectors that are equal on twins, as a symmetric matrix over rows."""
    rows = union.space.rows
    counts = np.ones(union.k) if rows.twins is None else rows.twins[: union.k, COUNT]
    inside = (rows.masks[: union.k] >> lane & 1).astype(float)
    adjacency, roots = union.dense() * np.outer(inside, inside), np.sqrt(counts)
    return np.diag(adjacency @ counts) - roots[:, None] * adjacency * roots


@for_each("name", ALL)
@for_each("kind", ["plain", "weights", "twins"])
def test_an_upper_bound(name: str, kind: str) -> None:
    """Of rows that stand for twins, it bounds what the iteration can find."""
    for union in unions(ALL[name], kind):
        for lane, bound in enumerate(bounds(union)):
            largest = union.fact(LARGEST)[lane]
            if not largest or union.fact(N_ROWS)[lane] < 2:
                continue
            values = np.linalg.eigvalsh(operator(union, lane))
            assert bound >= values[-2] * (1 - 1e-13)
            if kind == "weights" or largest + 1.0 < union.fact(NODES)[lane]:
                whole = np.linalg.eigvalsh(oracles.laplacian(union.matrices[lane]))
                assert values[-1] == pytest.approx(whole[-1], rel=1e-12)
                # Where a bound is given it proves something: the largest eigenvalue stands clear of it.
                limit = CLEAR * (largest + (kind != "weights")) * (1 + 1e-15)
                assert bound == np.inf or bound < min(limit, values[-1])


@for_each(("kind", "share"), [("plain", 0.7), ("weights", 0.3)])
def test_bounds_are_of_use(kind: str, share: float) -> None:
    """Many balls of a graph with hubs have one: otherwise the bound could be infinity throughout and be right."""
    found = []
    for union in unions(ALL["scale-free"], kind):
        large, values = union.fact(NODES) > FEW_NODES, bounds(union)
        found += np.isfinite(values[large]).tolist()
        assert not np.isfinite(values[~large]).any()
    assert len(found) > 20
    assert np.mean(found) > share


def test_no_bound_tells_tied_hubs_apart() -> None:
    assert bounds(union_of_balls(tied_hubs(60, 3), [0], 6)).tolist() == [np.inf]
