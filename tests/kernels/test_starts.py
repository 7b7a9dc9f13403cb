"""What is known of a ball before the iteration: counts, a bound on the second eigenvalue, a start vector."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs, tied_hubs, weighted_copy
from tests.kernels.calls import add_noise, second_bounds, start_vector
from tests.kernels.local import Union, groups, union_of_balls
from vnestruct import Graph
from vnestruct.kernels.bounds import CLEAR, FEW_NODES
from vnestruct.kernels.vector import WIDTH
from vnestruct.kernels.workspace import COUNT, HUB, LARGEST, N_ROWS, NODES, RUNNER_UP, SHARE, SQUARES, TRACE

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
every_graph = for_each("name", ALL)
every_kind = for_each("kind", ["plain", "weights", "twins"])


def unions(graph: Graph, kind: str) -> list[Union]:
    copy = weighted_copy(graph, seed=13) if kind == "weights" else graph
    return [
        union_of_balls(copy, nodes, radius, weighted=kind == "weights", collapsed=kind == "twins")
        for radius in ((2, 3) if kind == "twins" else (1, 2, 3))
        for nodes in groups(copy, 8, seed=radius)[: 3 if graph.n_nodes < 400 else 1]
    ]


def bounds(union: Union) -> np.ndarray:
    second_bounds(*union.arguments(), union.k, union.lanes, (1 << union.centres.size) - 1)
    return union.lanes.second[: union.centres.size].copy()


def counts_of(union: Union) -> np.ndarray:
    """How many nodes each row stands for."""
    return np.ones(union.k) if union.rows.twins is None else union.rows.twins[: union.k, COUNT]


@every_graph
@every_kind
def test_facts(name: str, kind: str) -> None:
    """The same of rows that stand for twins as of all the nodes, one by one."""
    close = {"rtol": 1e-13 if kind == "weights" else 0.0, "atol": 0.0}
    for union in unions(ALL[name], kind):
        degrees, counts = union.rows.degree[: union.k * WIDTH].reshape(union.k, WIDTH), counts_of(union)
        assert not degrees[:, union.centres.size :].any()
        if union.rows.twins is not None:
            assert np.allclose(union.rows.twins[: union.k, SHARE] * counts, 1.0)
        for lane, matrix in enumerate(union.matrices):
            own, laplacian = matrix.sum(axis=1), oracles.laplacian(matrix)
            if not own.any():
                continue
            found, inside = degrees[:, lane], union.rows.masks[: union.k] >> lane & 1 == 1
            assert not found[~inside].any()
            every = np.repeat(found[inside], counts[inside].astype(int))
            assert np.allclose(np.sort(every), np.sort(own[own > 0]), **close)
            assert union.fact(N_ROWS)[lane] == np.count_nonzero(inside)
            assert union.fact(NODES)[lane] == np.count_nonzero(own)
            assert np.isclose(union.fact(TRACE)[lane], np.trace(laplacian), **close)
            assert np.isclose(union.fact(SQUARES)[lane], np.sum(laplacian**2), **close)
            assert union.fact(HUB)[lane] == np.argmax(found)
            assert [union.fact(RUNNER_UP)[lane], union.fact(LARGEST)[lane]] == sorted([0.0, *found])[-2:]


def operator(union: Union, lane: int) -> np.ndarray:
    """The Laplacian of a ball on vectors that are equal on twins, as a symmetric matrix over rows."""
    inside, counts = (union.rows.masks[: union.k] >> lane & 1).astype(float), counts_of(union)
    adjacency, roots = union.dense() * np.outer(inside, inside), np.sqrt(counts)
    return np.diag(adjacency @ counts) - roots[:, None] * adjacency * roots


@every_graph
@every_kind
def test_second_bound_is_an_upper_bound(name: str, kind: str) -> None:
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


@for_each("kind", ["plain", "weights"])
def test_bounds_are_of_use(kind: str) -> None:
    """Many balls of a graph with hubs have one: otherwise the bound could be infinity throughout and be right."""
    found = []
    for union in unions(ALL["scale-free"], kind):
        large, values = union.fact(NODES) > FEW_NODES, bounds(union)
        found += np.isfinite(values[large]).tolist()
        assert not np.isfinite(values[~large]).any()
    assert len(found) > 20
    assert np.mean(found) > (0.3 if kind == "weights" else 0.7)


def test_no_bound_tells_tied_hubs_apart() -> None:
    assert bounds(union_of_balls(tied_hubs(60, 3), [0], 6)).tolist() == [np.inf]


@every_graph
@for_each("kind", ["plain", "weights"])
def test_start_vectors_reach_the_top_eigenvector(name: str, kind: str) -> None:
    for union in unions(ALL[name], kind)[:8]:
        second, v = bounds(union), union.lanes.v
        v[: union.k * WIDTH] = 0.0
        for lane, matrix in enumerate(union.matrices):
            if not matrix.any():
                continue
            start_vector(*union.arguments(), lane, union.lanes.stats, v)
            if second[lane] == np.inf:
                add_noise(union.rows, union.rows.twins, union.k, union.lanes.stats, 1 << lane, v)
            vector = v[lane : union.k * WIDTH : WIDTH]
            assert np.isfinite(vector).all()
            assert not vector[matrix.sum(axis=1) == 0].any()
            values, vectors = np.linalg.eigh(oracles.laplacian(matrix))
            # All of an eigenspace counts: any vector of it will do.
            top = vectors[:, values > values[-1] * (1 - 1e-9)]
            assert np.linalg.norm(top.T @ vector) > 1e-4 * np.linalg.norm(vector)
