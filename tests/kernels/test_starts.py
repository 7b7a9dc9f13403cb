"""What is known of a ball before the iteration: counts, a bound on the second eigenvalue, a start vector."""

from __future__ import annotations

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, random_graphs, tied_hubs, weighted_copy
from tests.kernels.calls import add_noise, hopeless_lanes, second_bounds, start_vector
from tests.kernels.local import Union, groups, union_of_balls
from vnestruct import Graph
from vnestruct.kernels.bounds import CLEAR, FEW_NODES
from vnestruct.kernels.vector import WIDTH
from vnestruct.kernels.workspace import COUNT, HUB, LARGEST, LIMIT, N_ROWS, NODES, RUNNER_UP, SHARE, SQUARES, TRACE

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


def unions(graph: Graph, weighted: bool, collapsed: bool = False) -> list[Union]:
    copy = weighted_copy(graph, seed=13) if weighted else graph
    return [
        union_of_balls(copy, nodes, radius, weighted=weighted, collapsed=collapsed)
        for radius in ((2, 3) if collapsed else (1, 2, 3))
        for nodes in groups(copy, 8, seed=radius)[: 3 if graph.n_nodes < 400 else 1]
    ]


def bounds(union: Union) -> np.ndarray:
    second_bounds(*union.arguments(), union.k, union.lanes, (1 << union.centres.size) - 1)
    return union.lanes.second[: union.centres.size].copy()


@every_graph
@for_each("weighted", [False, True])
def test_facts(name: str, weighted: bool) -> None:
    for union in unions(ALL[name], weighted):
        degrees = union.rows.degree[: union.k * WIDTH].reshape(union.k, WIDTH)
        assert not degrees[:, union.centres.size :].any()
        for lane, matrix in enumerate(union.matrices):
            own = matrix.sum(axis=1)
            close = {"rtol": 1e-14, "atol": 0} if weighted else {"rtol": 0, "atol": 0}
            assert np.allclose(degrees[:, lane], own, **close)
            laplacian = oracles.laplacian(matrix)
            assert union.fact(NODES)[lane] == np.count_nonzero(union.rows.masks[: union.k] >> lane & 1)
            assert np.isclose(union.fact(TRACE)[lane], np.trace(laplacian), **close)
            assert np.isclose(union.fact(SQUARES)[lane], np.sum(laplacian**2), rtol=1e-13)
            if own.any():
                found = degrees[:, lane]
                assert union.fact(HUB)[lane] == np.argmax(found)
                assert union.fact(LARGEST)[lane] == found.max()
                assert union.fact(RUNNER_UP)[lane] == np.sort(found)[-2]


@every_graph
@for_each("weighted", [False, True])
def test_second_bound_is_an_upper_bound(name: str, weighted: bool) -> None:
    for union in unions(ALL[name], weighted):
        for matrix, bound, largest in zip(union.matrices, bounds(union), union.fact(LARGEST), strict=True):
            if not largest:
                continue
            values = np.linalg.eigvalsh(oracles.laplacian(matrix))
            assert bound >= values[-2] * (1 - 1e-13)
            # Where a bound is given it proves something: the largest eigenvalue stands clear of it.
            if np.isfinite(bound):
                assert bound < CLEAR * (largest + (not weighted)) * (1 + 1e-15)
                assert bound < values[-1]


@for_each("weighted", [False, True])
def test_bounds_are_of_use(weighted: bool) -> None:
    """Many balls of a graph with hubs have one: otherwise the bound could be infinity throughout and be right."""
    found = []
    for union in unions(ALL["scale-free"], weighted):
        large = union.fact(NODES) > FEW_NODES
        values = bounds(union)
        found += np.isfinite(values[large[: values.size]]).tolist()
        assert not np.isfinite(values[~large[: values.size]]).any()
    assert len(found) > 20
    assert np.mean(found) > (0.3 if weighted else 0.7)


def collapsed_operator(union: Union, lane: int) -> np.ndarray:
    """The Laplacian of a ball on vectors that are equal on twins, as a symmetric matrix over rows."""
    rows, k = union.rows, union.k
    assert rows.twins is not None
    inside = (rows.masks[:k] >> lane & 1).astype(float)
    count = rows.twins[:k, COUNT]
    adjacency = union.dense() * np.outer(inside, inside)
    roots = np.sqrt(count)
    return np.diag(inside * (adjacency @ count)) - roots[:, None] * adjacency * roots


@every_graph
def test_facts_of_rows_that_stand_for_twins(name: str) -> None:
    """The same as of all the nodes, one by one."""
    for union in unions(ALL[name], weighted=False, collapsed=True):
        rows, k = union.rows, union.k
        assert rows.twins is not None
        degrees = rows.degree[: k * WIDTH].reshape(k, WIDTH)
        for lane, matrix in enumerate(union.matrices):
            own = matrix.sum(axis=1)
            laplacian = oracles.laplacian(matrix)
            if not own.any():
                continue
            assert union.fact(NODES)[lane] == np.count_nonzero(own)
            assert union.fact(TRACE)[lane] == np.trace(laplacian)
            assert union.fact(SQUARES)[lane] == np.sum(laplacian**2)
            assert union.fact(LARGEST)[lane] == own.max()
            inside = rows.masks[:k] >> lane & 1 == 1
            assert union.fact(N_ROWS)[lane] == np.count_nonzero(inside)
            assert not degrees[~inside, lane].any()
            counts = rows.twins[:k, COUNT].astype(int)
            assert sorted(np.repeat(degrees[inside, lane], counts[inside])) == sorted(own[own > 0])
            assert np.allclose(rows.twins[:k, SHARE] * counts, 1.0)


@every_graph
def test_bounds_of_rows_that_stand_for_twins(name: str) -> None:
    """They bound what the iteration can find: eigenvalues whose vectors are equal on twins."""
    for union in unions(ALL[name], weighted=False, collapsed=True):
        for lane, bound in enumerate(bounds(union)):
            if not union.fact(LARGEST)[lane] or union.fact(N_ROWS)[lane] < 2:
                continue
            operator = collapsed_operator(union, lane)
            values = np.linalg.eigvalsh(operator)
            if union.fact(LARGEST)[lane] + 1.0 < union.fact(NODES)[lane]:
                largest = np.linalg.eigvalsh(oracles.laplacian(union.matrices[lane]))[-1]
                assert values[-1] == pytest.approx(largest, rel=1e-12)
            assert bound >= values[-2] * (1 - 1e-13)


@every_graph
def test_hopeless_balls_have_no_bound(name: str) -> None:
    """Where a lane is given up, the matrix whose eigenvalue every bound exceeds has one above the limit."""
    for union in unions(ALL[name], weighted=False):
        stats = union.lanes.stats
        limits = stats[LIMIT]
        limits[:] = CLEAR * (stats[LARGEST] + 1.0)
        wanted = sum(1 << lane for lane in range(union.centres.size) if union.fact(LARGEST)[lane] > 0.0)
        given_up = hopeless_lanes(union.rows, None, union.k, stats, wanted)
        for lane, matrix in enumerate(union.matrices):
            if given_up >> lane & 1:
                without = np.delete(np.arange(union.k), int(union.fact(HUB)[lane]))
                signless = (np.diag(matrix.sum(axis=1)) + matrix)[np.ix_(without, without)]
                assert np.linalg.eigvalsh(signless)[-1] >= limits[lane] * (1 - 1e-12)


def test_tied_hubs_are_hopeless() -> None:
    union = union_of_balls(tied_hubs(60, 3), [0], 6)
    stats = union.lanes.stats
    stats[LIMIT] = CLEAR * (stats[LARGEST] + 1.0)
    assert hopeless_lanes(union.rows, None, union.k, stats, 1) == 1


@every_graph
def test_the_bound_does_not_depend_on_the_company(name: str) -> None:
    graph = ALL[name]
    for nodes in groups(graph, 8, seed=4)[:3]:
        together = bounds(union_of_balls(graph, nodes, 2))
        alone = [bounds(union_of_balls(graph, [node], 2))[0] for node in nodes]
        assert together.tolist() == alone


@every_graph
@for_each("weighted", [False, True])
def test_start_vectors_reach_the_top_eigenvector(name: str, weighted: bool) -> None:
    for union in unions(ALL[name], weighted)[:8]:
        second = bounds(union)
        v = union.lanes.v
        v[: union.k * WIDTH] = 0.0
        for lane, matrix in enumerate(union.matrices):
            largest = union.fact(LARGEST)[lane]
            if not largest:
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
