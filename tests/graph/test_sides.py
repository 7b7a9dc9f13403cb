"""Sides are known from columns that share no label or from what an object states, and never guessed."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import igraph
import networkx
import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import mmwrite

from tests.cases import for_each
from vnestruct import GraphSet, as_graph, embed, read_graph, update
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.graph.edit import edit

USERS, ITEMS = [1, 2, 2, 3], [10, 10, 11, 12]
TABLE = {"user": USERS, "item": ITEMS}
PAIRS = list(zip(USERS, ITEMS, strict=True))
EXPECTED = dict.fromkeys(USERS, 0) | dict.fromkeys(ITEMS, 1)


def sides_of(graph: Graph) -> dict[Any, int] | None:
    """The side of each label."""
    return None if graph.sides is None else dict(zip(graph.nodes.tolist(), graph.sides.tolist(), strict=True))


@for_each(
    ("edges", "names"),
    [
        (np.array(PAIRS), None),
        (PAIRS, None),
        (pandas.DataFrame(TABLE), ("user", "item")),
        (polars.DataFrame(TABLE), ("user", "item")),
    ],
)
def test_columns_that_share_no_label_are_sides(edges: Any, names: tuple[str, str] | None) -> None:
    for directed in (False, True):
        graph = as_graph(edges, directed=directed)
        assert (sides_of(graph), graph.side_names) == (EXPECTED, names)
        assert graph.sides is not None
        assert graph.sides.dtype == np.uint8
        assert not graph.sides.flags.writeable
    assert as_graph(edges, bipartite=False).sides is None


@for_each(
    ("suffix", "header"),
    [(".csv", "user,item\n"), (".txt", ""), (".parquet", "")],
)
def test_columns_of_files(suffix: str, header: str, tmp_path: Path) -> None:
    path = tmp_path / f"edges{suffix}"
    if suffix == ".parquet":
        pandas.DataFrame(TABLE).to_parquet(path)
    else:
        mark = "," if suffix == ".csv" else " "
        path.write_text(header + "".join(f"{user}{mark}{item}\n" for user, item in PAIRS))
    names = ("user", "item") if header or suffix == ".parquet" else None
    ends: Any = {"source": 1, "target": 2} if names is None else {"source": names[0], "target": names[1]}
    graph = read_graph(path, **ends)
    assert (sides_of(graph), graph.side_names) == (EXPECTED, names)
    assert read_graph(path, bipartite=False, **ends).sides is None
    words = names or ("source", "target")
    forced = read_graph(path, bipartite=True, **ends)
    assert set(forced.nodes) == {f"{words[side]}:{label}" for pair in PAIRS for side, label in enumerate(pair)}
    assert forced.side_names == names


@for_each(
    "edges",
    [
        [],
        [("a", "b"), ("c", "d"), ("d", "d")],
        [(1, 2, 0.0)],
        {"a": ["x"], "b": ["x"]},
    ],
)
def test_other_edges_have_no_sides(edges: Any) -> None:
    graph = as_graph(edges)
    assert (graph.sides, graph.side_names) == (None, None)


@for_each(
    ("edges", "words"),
    [
        ([(1, 2), (2, 1), (2, 2)], ("source", "target")),
        (polars.DataFrame({"user": ["1", "2", "2"], "item": ["2", "1", "2"]}), ("user", "item")),
    ],
)
def test_equal_labels_in_the_columns_are_different_nodes_on_request(edges: Any, words: tuple[str, str]) -> None:
    graph = as_graph(edges, bipartite=True)
    left, right = words
    assert sides_of(graph) == {f"{left}:1": 0, f"{right}:2": 1, f"{left}:2": 0, f"{right}:1": 1}
    assert (graph.n_edges, graph.report.self_loops_dropped) == (3, 0)


@for_each(
    ("graph", "told", "named"),
    [
        ([(1, "a"), ("1", "b")], True, "'source:1'"),
        ({"a": ["x"]}, True, "`bipartite`"),
        (as_graph([(1, 2), (2, 3)]), True, "`bipartite`"),
        (networkx.path_graph(3), True, "'bipartite'"),
        (PAIRS, "yes", "`bipartite` is 'yes'"),
        ("edges.txt", "yes", "`bipartite` is 'yes'"),
    ],
)
def test_sides_that_nothing_states_are_refused(graph: Any, told: Any, named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        as_graph(graph, bipartite=told)


LABELS = st.integers(0, 9) | st.text("ab", min_size=1, max_size=2)


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_sides_are_a_function_of_the_columns_as_sets(pairs: list[tuple[Any, Any]], random: Any) -> None:
    source, target = (set(column) for column in zip(*pairs, strict=True))
    expected = None if source & target else dict.fromkeys(source, 0) | dict.fromkeys(target, 1)
    assert sides_of(as_graph(pairs)) == expected
    assert sides_of(as_graph(random.sample(pairs, len(pairs)))) == expected


def networkx_graph(sides: dict[str, Any], kind: Any = networkx.Graph) -> Any:
    graph = kind([("a", "x"), ("x", "b"), ("b", "y")])
    networkx.set_node_attributes(graph, sides, "bipartite")
    return graph


STATED = {"a": 0, "b": 0, "x": 1, "y": 1}


@for_each("kind", [networkx.Graph, networkx.DiGraph, networkx.MultiGraph])
def test_networkx_states_sides(kind: Any) -> None:
    for sides in (STATED, {label: bool(side) for label, side in STATED.items()}):
        graph = networkx_graph(sides, kind)
        assert sides_of(as_graph(graph)) == sides_of(as_graph(graph, bipartite=True)) == STATED
        assert as_graph(graph, bipartite=False).sides is None


@for_each(
    "sides",
    [{}, {"a": 0, "b": 0, "x": 1}, STATED | {"y": 0}, STATED | {"y": 2}, STATED | {"y": "1"}, STATED | {"y": 1.0}],
)
def test_anything_but_a_whole_statement_of_networkx_is_none(sides: dict[str, Any]) -> None:
    assert as_graph(networkx_graph(sides)).sides is None


def test_igraph_states_sides() -> None:
    graph = igraph.Graph.Bipartite([0, 1, 1], [(0, 1), (0, 2)])
    assert sides_of(as_graph(graph)) == {0: 0, 1: 1, 2: 1}
    graph.vs["type"] = [0, 0, 1]
    assert as_graph(graph).sides is None
    assert as_graph(igraph.Graph([(0, 1)])).sides is None


def test_a_matrix_that_is_not_square_has_rows_on_one_side(tmp_path: Path) -> None:
    matrix, text = sparse.coo_array([[1.0, 0, 2, 0], [0, 0, 3, 0]]), tmp_path / "matrix.mtx"
    mmwrite(text, matrix)
    sparse.save_npz(tmp_path / "matrix.npz", matrix)
    for form in (matrix, sparse.csc_array(matrix), tmp_path / "matrix.npz", text):
        graph = as_graph(form)
        assert sides_of(graph) == dict(enumerate([0, 0, 1, 1, 1, 1], int(form is text)))
        assert graph.degrees.tolist() == [2, 1, 1, 0, 2, 0]
        assert np.array_equal(graph.weights, [1, 2, 3, 1, 2, 3])
    assert as_graph(matrix, bipartite=False).sides is None
    square = sparse.coo_array([[0, 1], [1, 1]])
    assert as_graph(square).n_nodes == 2
    assert sides_of(as_graph(square, bipartite=True)) == {0: 0, 1: 0, 2: 1, 3: 1}


def test_copies_keep_sides_and_unions_do_not() -> None:
    graph = as_graph(pandas.DataFrame(TABLE).assign(weight=2.0), source="user", target="item")
    plain = as_graph(graph, weight=False, directed=True)
    copies = [pickle.loads(pickle.dumps(graph)), copy.copy(graph), copy.deepcopy(graph), plain]
    for same in [*copies, as_graph(plain, directed=False)]:
        assert (sides_of(same), same.side_names) == (EXPECTED, ("user", "item"))
    union = GraphSet.from_graphs([graph, graph])
    assert union.graph.sides is union[0].sides is None


def test_the_hash_covers_sides_only_where_they_are_known() -> None:
    graph = as_graph(PAIRS)
    parts = (graph.indptr, graph.indices, None, graph.nodes)
    assert graph.sides is not None
    assert Graph(*parts, sides=graph.sides, side_names=("a", "b")) == graph
    assert Graph(*parts) == as_graph(PAIRS, bipartite=False) == as_graph(graph, bipartite=False)
    assert len({graph, Graph(*parts), Graph(*parts, sides=1 - graph.sides)}) == 3


def test_new_nodes_join_the_side_opposite_their_first_neighbour() -> None:
    graph = as_graph([("u1", "i1"), ("u2", "i1")])
    edited = edit(graph, [("u2", "i2"), ("i3", "u1"), ("u4", "i4"), ("u4", "i1")], [("u1", "i1")]).graph
    assert sides_of(edited) == {"u1": 0, "i1": 1, "u2": 0, "i2": 1, "i3": 1, "u4": 0, "i4": 1}


@for_each("added", [[("u1", "u2")], [("i2", "i1"), ("i2", "u1")], [("u3", "i3"), ("u3", "u1")], [("u3", "u3")]])
def test_an_added_edge_within_a_side_is_refused(added: list[tuple[str, str]]) -> None:
    graph = as_graph([("u1", "i1"), ("u2", "i1")])
    rows = embed(graph, radius=1)
    last = r"\('{}', '{}'\)".format(*added[-1])
    with pytest.raises(ParameterError, match=f"{last}.*`bipartite=False`"):
        update(graph, rows, added=added)
    assert update(as_graph(graph, bipartite=False), rows, added=added).graph.sides is None


@for_each("kind", ["approx", "exact"])
def test_sides_change_no_entropy(kind: str) -> None:
    edges = np.random.default_rng(5).integers([0, 100], [60, 140], (300, 2))
    with_sides, without = (embed(as_graph(edges, bipartite=told), radius=2, kind=kind) for told in (None, False))
    assert np.array_equal(with_sides, without)
