"""Kinds "roles", "profile" and "noisy": their columns by definition, their symmetries, and what they refuse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import oracles
from tests.cases import for_each
from tests.embedding.expected import assert_close
from tests.graphs import (
    ZOO,
    disjoint_union,
    edges_of,
    graph_strategy,
    relabelled,
)
from vnestruct import Graph, GraphSet, ParameterError, UnknownNodeError, VNEstruct, as_graph, embed, embedding_frame
from vnestruct.embedding.named_kinds import NOISY_WEIGHTS, ROLE_COLUMNS
from vnestruct.embedding.parameters import NAMED_KINDS, checked_settings
from vnestruct.graph import graph_from_pairs
from vnestruct.graph.synthetic import barabasi_albert, path, star
from vnestruct.io import write_graph

ENTROPIES = ("size", "collision", "least", "quadratic", "h1")


def ball_entropies(matrix: np.ndarray) -> list[float]:
    """ln n, Renyi's entropies of order 2 and infinity, Q and H_hat, by the eigenvalues of L / Tr L."""
    size = np.log(len(matrix))
    if not matrix.any():
        return [size, 0.0, 0.0, 0.0, 0.0]
    values = np.linalg.eigvalsh(oracles.laplacian(matrix) / matrix.sum())
    purity = float((values**2).sum())
    least = -np.log(values[-1])
    return [size, -np.log(purity), least, 1.0 - purity, (1.0 - purity) * least]


def entropies_of(graph: Graph, weighted: bool = False, direction: str = "all") -> np.ndarray:
    matrix = oracles.adjacency(graph, weighted)
    balls = [sorted(oracles.ball(graph, node, 1, direction)) for node in range(graph.n_nodes)]
    return np.array([ball_entropies(matrix[np.ix_(ball, ball)]) for ball in balls]).reshape(-1, len(ENTROPIES))


def over_neighbours(graph: Graph, values: np.ndarray, step: str) -> np.ndarray:
    """A step over the neighbours, node by node; 0 without neighbours or where there is nothing to divide."""
    result = np.zeros_like(values)
    for node in range(graph.n_nodes):
        near = values[sorted(oracles.neighbours(graph, node))]
        if step == "part":
            both = values[node] + max(near, default=0.0)
            result[node] = values[node] / both if both else 0.0
        elif len(near):
            result[node] = {"mean": np.mean, "std": np.std, "max": np.max}[step](near, axis=0)
    return result


def dense_roles(graph: Graph, sixth: str = "") -> np.ndarray:
    """The columns of kind "roles", each by its definition."""
    network = nx.empty_graph(graph.n_nodes)
    network.add_edges_from(edges_of(graph))
    core = nx.core_number(network)
    size, _, least, _, _ = entropies_of(graph).T
    # A node by itself has no state, and all of its columns are 0.
    columns = [
        size, 2 * (size - least), least, np.log1p([core[node] for node in range(graph.n_nodes)]) / 2,
        over_neighbours(graph, size, "mean") / 3,
    ]  # fmt: skip
    if sixth == "repeats":
        matrix = oracles.adjacency(graph)
        paths = matrix @ matrix
        np.fill_diagonal(paths, 0)
        # Two different paths of two steps to the same node close a 4-cycle.
        cycles, walks = (paths * (paths - 1) / 2).sum(axis=1), paths.sum(axis=1)
        columns.append(2 * np.log1p(2 * cycles / np.where(walks > 0, walks, 1)))
    elif sixth == "balance":
        out, in_ = ([len(oracles.neighbours(graph, v, way)) for v in range(graph.n_nodes)] for way in ("out", "in"))
        columns.append(np.log((1 + np.array(out)) / (1 + np.array(in_))) / 2)
    return np.column_stack(columns)


def dense_profile(graph: Graph, weighted: bool = False, direction: str = "all") -> np.ndarray:
    ways = ("out", "in") if direction == "out+in" else (direction,)
    added = np.hstack([entropies_of(graph, weighted, way) for way in ways])
    groups = [added]
    for _ in range(2):
        added = np.hstack([over_neighbours(graph, added, step) for step in ("mean", "std")])
        groups.append(added)
    return np.hstack(groups)


def dense_noisy(graph: Graph) -> np.ndarray:
    known = dict(zip(ENTROPIES, entropies_of(graph).T, strict=True))
    near = [oracles.neighbours(graph, node) for node in range(graph.n_nodes)]
    known["arrivals"] = np.array(
        [np.log(1 + sum(1 / len(near[other]) for other in near[node])) for node in range(len(near))]
    )
    columns = []
    for name, weight in NOISY_WEIGHTS.items():
        quantity, *steps = name.split("_")
        values = known[quantity]
        for step in steps:
            values = over_neighbours(graph, values, step)
        columns.append(weight * values)
    return np.column_stack(columns)


DENSE = {"roles": dense_roles, "profile": dense_profile, "noisy": dense_noisy}


@for_each("kind", DENSE)
def test_the_zoo_by_definition(kind: str) -> None:
    for name, graph in ZOO.items():
        if graph.n_nodes:
            assert_close(embed(graph, kind=kind, n_jobs=1), DENSE[kind](graph), f"{kind} of {name}")
    assert embed(path(0), kind=kind).shape == (0, len(checked_settings(kind=kind).columns))
    assert (embed(ZOO["isolated nodes"], kind=kind) == 0.0).all()


@settings(max_examples=150)
@given(
    graph_strategy(min_nodes=1, weighted=None, directed=None),
    st.sampled_from(sorted(DENSE)),
    st.sampled_from(["all", "out", "in", "out+in"]),
)
def test_random_graphs_by_definition(graph: Graph, kind: str, direction: str) -> None:
    how: dict[str, Any] = {}
    if kind == "profile":
        how = {"weighted": graph.weights is not None, "direction": direction}
    assert_close(embed(graph, kind=kind, n_jobs=1, **how), DENSE[kind](graph, **how), kind)


@settings(max_examples=80)
@given(st.sets(st.tuples(st.integers(0, 7), st.integers(10, 17)), min_size=1, max_size=30))
def test_repeats_are_those_of_four_cycles_and_walks(pairs: set[tuple[int, int]]) -> None:
    graph = as_graph(sorted(pairs))
    assert_close(embed(graph, kind="roles"), dense_roles(graph, "repeats"), "repeats")
    # Without sides there is no such column.
    plain = as_graph(sorted(pairs), bipartite=False)
    assert np.array_equal(embed(plain, kind="roles"), embed(graph, kind="roles")[:, :-1])


@settings(max_examples=60)
@given(graph_strategy(min_nodes=1, directed=True))
def test_balance_is_that_of_arcs(graph: Graph) -> None:
    found = embed(graph, kind="roles", direction="out+in")
    np.testing.assert_allclose(found, dense_roles(graph, "balance"), rtol=0, atol=1e-9)
    arcs = [(u, v) for u in range(graph.n_nodes) for v in oracles.neighbours(graph, u, "in")]
    turned = graph_from_pairs(*zip(*arcs, strict=True), nodes=range(graph.n_nodes), directed=True) if arcs else graph
    np.testing.assert_allclose(embed(turned, kind="roles", direction="out+in"), found * [1, 1, 1, 1, 1, -1], atol=1e-12)


def test_columns_have_names() -> None:
    def columns(kind: str, **options: Any) -> list[str]:
        return VNEstruct(kind=kind, **options).get_feature_names_out().tolist()

    assert columns("roles") == ["log_size", "gap", "log_links", "log_core", "neighbours"] == list(ROLE_COLUMNS)
    assert columns("roles", direction="out+in") == [*ROLE_COLUMNS, "balance"]
    sides = [("a", 1), ("b", 1)]
    assert VNEstruct(kind="roles").fit(sides).get_feature_names_out().tolist() == [*ROLE_COLUMNS, "repeats"]
    assert list(embedding_frame(sides, kind="roles").columns) == ["node", *ROLE_COLUMNS, "repeats"]
    assert columns("noisy") == list(NOISY_WEIGHTS)
    both = columns("profile", direction="out+in")
    assert len(both) == len(set(both)) == 70
    assert (both[0], both[9], both[-1]) == ("size_out", "h1_in", "h1_in_std_std")
    graph = ZOO["power law"]
    values = dict(zip(columns("profile"), embed(graph, kind="profile").T, strict=True))
    assert np.array_equal(values["h1"], embed(graph, 1)[:, 0])
    moments = embed(graph, 1, kind="quadratic", aggregate=("mean", "std"))
    assert np.array_equal(np.column_stack([values[f"quadratic{end}"] for end in ("", "_mean", "_std")]), moments)


@settings(max_examples=60)
@given(graph_strategy(directed=None), graph_strategy(), st.integers(0, 2**32 - 1))
def test_order_and_company_do_not_matter(graph: Graph, other: Graph, seed: int) -> None:
    for kind in NAMED_KINDS:
        alone, beside = embed(graph, kind=kind, n_jobs=1), embed(other, kind=kind, n_jobs=1)
        together = embed(disjoint_union(graph, other), kind=kind, n_jobs=1)
        moved, place = relabelled(graph, seed)
        again = embed(moved, kind=kind, n_jobs=1)[place]
        if kind == "roles":
            assert together.tobytes() == np.vstack([alone, beside]).tobytes()
            assert again.tobytes() == alone.tobytes()
        else:
            # Means over neighbours depend on their order in the last bit.
            np.testing.assert_allclose(together, np.vstack([alone, beside]), rtol=0, atol=1e-9)
            np.testing.assert_allclose(again, alone, rtol=0, atol=1e-9)


@for_each("kind", NAMED_KINDS)
def test_runs_agree_to_the_last_bit(kind: str, tmp_path: Path) -> None:
    graph = barabasi_albert(3_000, 3, seed=1)
    write_graph(graph, tmp_path / "graph.vng")
    wanted = embed(graph, kind=kind, n_jobs=1)
    for options in ({"n_jobs": 2}, {"checkpoint": tmp_path / "run"}, {"checkpoint": tmp_path / "run"}):
        assert embed(graph, kind=kind, **options).tobytes() == wanted.tobytes(), options
    assert embed(tmp_path / "graph.vng", kind=kind, max_memory="500M").tobytes() == wanted.tobytes()


@for_each("kind", NAMED_KINDS)
def test_some_nodes_and_sets_of_graphs(kind: str) -> None:
    edges = [("a", "b"), ("b", "c"), ("c", "d"), ("b", "d")]
    everything = embed(edges, kind=kind)
    assert np.array_equal(embed(edges, kind=kind, nodes=["d", "a"]), everything[[3, 0]])
    with pytest.raises(UnknownNodeError):
        embed(edges, kind=kind, nodes=["x"])
    graphs = [star(4), path(5)]
    together = embed(GraphSet.from_graphs(graphs), kind=kind)
    assert np.array_equal(together, np.vstack([embed(graph, kind=kind) for graph in graphs]))


@for_each(
    ("kinds", "options", "words"),
    [
        ("roles profile noisy", {"radius": 2}, "describes 1-balls and what is around them; leave out radius"),
        ("roles profile noisy", {"aggregate": "mean"}, "has columns of its own; leave out aggregate"),
        ("roles profile noisy", {"approximate": 0.01}, "has columns of its own; leave out approximate"),
        ("roles profile noisy", {"part": "1/2", "checkpoint": "run"}, "takes all rows at once; leave out part"),
        ("roles", {"weighted": True}, "weights have units; leave out weighted, or use kind='profile'"),
        ("roles", {"direction": "out"}, "use direction='out+in' or direction='all'"),
        ("roles", {"direction": "in"}, "use direction='out+in' or direction='all'"),
        ("noisy", {"weighted": True}, "leave out weighted"),
        ("noisy", {"direction": "out+in"}, "leave out direction"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_remedy(kinds: str, options: dict[str, Any], words: str) -> None:
    for kind in kinds.split():
        with pytest.raises(ParameterError) as caught:
            embed([("a", "b"), ("b", "c")], kind=kind, **options)
        assert f"kind={kind!r}" in str(caught.value)
        assert words in str(caught.value).replace("`", "")


def test_kinds_that_stand_alone_and_sides_that_say_it_already() -> None:
    for kinds in (["roles", "approx"], ["exact", "profile"], ["roles", "noisy"]):
        with pytest.raises(ParameterError, match="cannot be combined with other kinds; compute it apart"):
            embed(star(3), kind=kinds)
    with pytest.raises(ParameterError, match=r"`direction` is what the sides .* say already; .* `bipartite=False`"):
        embed([("a", 1), ("b", 1)], kind="roles", direction="out+in")
