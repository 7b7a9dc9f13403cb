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

from tests.cases import for_each
from vnestruct import GraphSet, as_graph, embed, read_graph, update
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph, without_directions
from vnestruct.graph.edit import edit

USERS, ITEMS = [1, 2, 2, 3], [10, 10, 11, 12]
TABLE = {"user": USERS, "item": ITEMS}
PAIRS = list(zip(USERS, ITEMS, strict=True))
TEXTS = [(f"u{user}", f"i{item}") for user, item in PAIRS]


def sides_of(graph: Graph) -> dict[Any, int] | None:
    """The side of each label."""
    return None if graph.sides is None else dict(zip(graph.nodes.tolist(), graph.sides.tolist(), strict=True))


EXPECTED = dict.fromkeys(USERS, 0) | dict.fromkeys(ITEMS, 1)


@for_each(
    ("edges", "names"),
    [
        (np.array(PAIRS), None),
        (np.array(PAIRS, dtype=float), None),
        (np.array(PAIRS, dtype=np.uint32), None),
        (PAIRS, None),
        ([(*pair, 2.5) for pair in PAIRS], None),
        (pandas.DataFrame(TABLE), ("user", "item")),
        (pandas.DataFrame(PAIRS), None),
        (polars.DataFrame(TABLE), ("user", "item")),
    ],
)
def test_columns_that_share_no_label_are_sides(edges: Any, names: tuple[str, str] | None) -> None:
    for directed in (False, True):
        graph = as_graph(edges, directed=directed)
        assert sides_of(graph) == EXPECTED
        assert graph.side_names == names
        assert graph.sides is not None
        assert graph.sides.dtype == np.uint8
        assert not graph.sides.flags.writeable


@for_each(
    ("suffix", "header", "names"),
    [
        (".csv", "user,item\n", ("user", "item")),
        (".tsv", "user\titem\n", ("user", "item")),
        (".txt", "", None),
        (".csv", "", None),
        (".txt", "user item\n", ("user", "item")),
    ],
)
def test_columns_of_files(suffix: str, header: str, names: tuple[str, str] | None, tmp_path: Path) -> None:
    path = tmp_path / f"edges{suffix}"
    mark = {".csv": ",", ".tsv": "\t", ".txt": " "}[suffix]
    for pairs in (PAIRS, TEXTS):
        path.write_text(header + "".join(f"{user}{mark}{item}\n" for user, item in pairs))
        # Words below words could be names or edges.
        ends: Any = {} if suffix == ".txt" and not header else {"source": 1, "target": 2}
        ends = ends if names is None else {"source": names[0], "target": names[1]}
        graph = read_graph(path, **ends)
        assert sides_of(graph) == dict.fromkeys(next(zip(*pairs, strict=True)), 0) | {item: 1 for _, item in pairs}
        assert graph.side_names == names
        assert read_graph(path, bipartite=False, **ends).sides is None
        words = names or ("source", "target")
        forced = read_graph(path, bipartite=True, **ends)
        assert set(forced.nodes) == {f"{words[side]}:{label}" for pair in pairs for side, label in enumerate(pair)}
        assert forced.side_names == names


@for_each("suffix", [".parquet", ".feather"])
def test_columns_of_arrow_files(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"edges{suffix}"
    frame = pandas.DataFrame(TABLE)
    frame.to_parquet(path) if suffix == ".parquet" else frame.to_feather(path)
    graph = read_graph(path)
    assert (sides_of(graph), graph.side_names) == (EXPECTED, ("user", "item"))
    assert set(read_graph(path, bipartite=True).nodes) == {*(f"user:{u}" for u in USERS), *(f"item:{i}" for i in ITEMS)}


@for_each(
    "edges",
    [
        [],
        [("a", "a")],
        [("a", "b"), ("b", "c")],
        [("a", "b"), ("c", "d"), ("d", "d")],
        np.array([[1, 2], [3, 1]]),
        [(1, 2, 0.0)],
        {"a": ["x"], "b": ["x"]},
    ],
)
def test_other_edges_have_no_sides(edges: Any) -> None:
    graph = as_graph(edges)
    assert graph.sides is None
    assert graph.side_names is None


@for_each("edges", [[("a", "b")], [("hub", "a"), ("hub", "b")], [("a", "x", 0.0), ("b", "x", 1.0)]])
def test_an_edge_a_star_and_edges_of_weight_zero_have_sides(edges: Any) -> None:
    graph = as_graph(edges)
    assert sides_of(graph) == {label: side for edge in edges for side, label in enumerate(edge[:2])}


@for_each(
    ("edges", "words"),
    [
        (np.array([[1, 2], [2, 1], [2, 2]]), ("source", "target")),
        ([(1, 2), (2, 1), (2, 2)], ("source", "target")),
        (pandas.DataFrame({"user": [1, 2, 2], "item": [2, 1, 2]}), ("user", "item")),
        (polars.DataFrame({"user": ["1", "2", "2"], "item": ["2", "1", "2"]}), ("user", "item")),
    ],
)
def test_equal_labels_in_the_columns_are_different_nodes_on_request(edges: Any, words: tuple[str, str]) -> None:
    graph = as_graph(edges, bipartite=True)
    left, right = words
    assert graph.nodes.tolist() == [f"{left}:1", f"{right}:2", f"{left}:2", f"{right}:1"]
    assert graph.sides is not None
    assert graph.sides.tolist() == [0, 1, 0, 1]
    assert (graph.n_edges, graph.report.self_loops_dropped) == (3, 0)


def test_labels_that_would_be_written_alike_are_refused() -> None:
    with pytest.raises(ParameterError, match="'source:1' occurs twice"):
        as_graph([(1, "a"), ("1", "b")], bipartite=True)


def test_an_empty_label_of_a_frame_is_refused() -> None:
    for bipartite in (None, True):
        with pytest.raises(ParameterError, match="empty text"):
            as_graph(pandas.DataFrame({"source": ["a", ""], "target": ["x", "x"]}), bipartite=bipartite)


def test_sides_are_switched_off() -> None:
    assert as_graph(PAIRS, bipartite=False).sides is None
    assert as_graph(as_graph(PAIRS), bipartite=False) == as_graph(PAIRS, bipartite=False)
    assert as_graph(as_graph(PAIRS), bipartite=True) == as_graph(PAIRS)


@for_each("graph", [{"a": ["x"]}, as_graph([(1, 2), (2, 3)])])
def test_sides_that_nothing_states_are_refused(graph: Any) -> None:
    with pytest.raises(ParameterError, match=r"give the edges as two columns.* or leave out `bipartite`"):
        as_graph(graph, bipartite=True)


def test_a_wrong_value_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("1 2\n")
    for given_graph in (PAIRS, tmp_path / "edges.txt"):
        with pytest.raises(ParameterError, match="`bipartite` is 'yes'; it must be True, False or None"):
            as_graph(given_graph, bipartite="yes")  # type: ignore[arg-type]


LABELS = st.integers(0, 9) | st.text("ab", min_size=1, max_size=2)


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_sides_are_a_function_of_the_columns_as_sets(pairs: list[tuple[Any, Any]], random: Any) -> None:
    source, target = (set(column) for column in zip(*pairs, strict=True))
    expected = None if source & target else dict.fromkeys(source, 0) | dict.fromkeys(target, 1)
    assert sides_of(as_graph(pairs)) == expected
    shuffled = random.sample(pairs, len(pairs))
    assert sides_of(as_graph(shuffled)) == expected
    swapped = [pair[:: random.choice([1, -1])] for pair in pairs]
    columns = [set(column) for column in zip(*swapped, strict=True)]
    assert (as_graph(swapped).sides is None) == bool(columns[0] & columns[1])


def test_many_edges_are_looked_at_to_the_end() -> None:
    source = np.arange(300_000)
    edges = np.column_stack([source, source + source.size])
    assert as_graph(edges).sides is not None
    edges[-1] = edges[0, ::-1]
    assert as_graph(edges).sides is None


def networkx_graph(sides: dict[str, Any], kind: Any = networkx.Graph) -> Any:
    graph = kind([("a", "x"), ("x", "b"), ("b", "y")])
    networkx.set_node_attributes(graph, sides, "bipartite")
    return graph


STATED = {"a": 0, "b": 0, "x": 1, "y": 1}


@for_each("kind", [networkx.Graph, networkx.DiGraph, networkx.MultiGraph])
def test_networkx_states_sides(kind: Any) -> None:
    for sides in (STATED, {label: bool(side) for label, side in STATED.items()}):
        assert sides_of(as_graph(networkx_graph(sides, kind))) == STATED
        assert sides_of(as_graph(networkx_graph(sides, kind), bipartite=True)) == STATED
        assert as_graph(networkx_graph(sides, kind), bipartite=False).sides is None


@for_each(
    "sides",
    [{}, {"a": 0, "b": 0, "x": 1}, STATED | {"y": 0}, STATED | {"y": 2}, STATED | {"y": "1"}, STATED | {"y": 1.0}],
)
def test_anything_but_a_whole_statement_of_networkx_is_none(sides: dict[str, Any]) -> None:
    graph = networkx_graph(sides)
    assert as_graph(graph).sides is None
    with pytest.raises(ParameterError, match="attribute 'bipartite'"):
        as_graph(graph, bipartite=True)


def test_igraph_states_sides() -> None:
    graph = igraph.Graph.Bipartite([0, 1, 1], [(0, 1), (0, 2)])
    assert sides_of(as_graph(graph)) == {0: 0, 1: 1, 2: 1}
    graph.vs["type"] = [0, 0, 1]
    assert as_graph(graph).sides is None
    assert as_graph(igraph.Graph([(0, 1)])).sides is None


def test_a_matrix_that_is_not_square_has_rows_on_one_side(tmp_path: Path) -> None:
    matrix = sparse.coo_array(([1.0, 2.0, 3.0], ([0, 0, 1], [0, 2, 2])), shape=(2, 4))
    expected = as_graph([(0, 2, 1.0), (0, 4, 2.0), (1, 4, 3.0)])
    for form in (matrix, sparse.csr_array(matrix), sparse.csc_array(matrix)):
        sparse.save_npz(tmp_path / "matrix.npz", form)
        for graph in (as_graph(form), read_graph(tmp_path / "matrix.npz")):
            assert sides_of(graph) == {0: 0, 1: 0, 2: 1, 3: 1, 4: 1, 5: 1}
            places = graph.positions(expected.nodes)
            assert graph.degrees[places].tolist() == expected.degrees.tolist()
            assert sorted(graph.weights.tolist()) == [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
    assert as_graph(matrix, bipartite=False).sides is None
    square = sparse.coo_array([[0, 1], [1, 1]])
    assert as_graph(square).n_nodes == 2
    assert sides_of(as_graph(square, bipartite=True)) == {0: 0, 1: 0, 2: 1, 3: 1}


def test_a_matrix_market_file_that_is_not_square(tmp_path: Path) -> None:
    path = tmp_path / "matrix.mtx"
    path.write_text("%%MatrixMarket matrix coordinate pattern general\n2 3 2\n1 1\n2 3\n")
    graph = read_graph(path)
    assert sides_of(graph) == {1: 0, 2: 0, 3: 1, 4: 1, 5: 1}
    assert graph.degrees.tolist() == [1, 1, 1, 0, 1]


def test_groups_are_one_side_and_members_the_other(tmp_path: Path) -> None:
    path = tmp_path / "films.txt"
    path.write_text("ann bob\nbob\n")
    graph = read_graph(path, format="groups")
    assert sides_of(graph) == {"line1": 0, "line2": 0, "ann": 1, "bob": 1}
    assert graph.side_names == ("group", "member")


def test_copies_keep_sides_and_unions_do_not() -> None:
    graph = as_graph(pandas.DataFrame(TABLE).assign(weight=2.0), source="user", target="item")
    plain = as_graph(graph, weight=False, directed=True)
    changed = [
        pickle.loads(pickle.dumps(graph)),
        copy.copy(graph),
        copy.deepcopy(graph),
        plain,
        without_directions(plain),
    ]
    for same in changed:
        assert (sides_of(same), same.side_names) == (EXPECTED, ("user", "item"))
    union = GraphSet.from_graphs([graph, graph])
    assert union.graph.sides is None
    assert union[0].sides is None


def test_the_hash_covers_sides_only_where_they_are_known() -> None:
    graph = as_graph(PAIRS)
    parts = (graph.indptr, graph.indices, None, graph.nodes)
    assert graph.sides is not None
    assert Graph(*parts, sides=graph.sides, side_names=("a", "b")) == graph
    assert Graph(*parts) == as_graph(PAIRS, bipartite=False)
    # As it was before graphs had sides.
    assert Graph([0, 1, 2], [1, 0]).hash == "e7f4778db36b6e4bb6c99a5675adc6e0"
    assert len({graph, Graph(*parts), Graph(*parts, sides=1 - graph.sides)}) == 3


@for_each(
    ("sides", "names", "message"),
    [
        ([0, 1], None, "0 or 1 for each of 3 nodes"),
        ([0, 1, 2], None, "0 or 1 for each of 3 nodes"),
        ([0, 0, 1], None, "nodes 0 and 1 are adjacent and both on side 0"),
        ([0, 1, 0], ("a", "a"), "two different words"),
        (None, ("a", "b"), "side_names are given but sides are not"),
    ],
)
def test_wrong_sides_are_refused(sides: Any, names: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Graph([0, 1, 3, 4], [1, 0, 2, 1], sides=sides, side_names=names)


def test_edits_keep_sides() -> None:
    frame = pandas.DataFrame({"user": ["u1", "u2"], "item": ["i1", "i1"]})
    graph = as_graph(frame, source="user", target="item")
    added = [("u2", "i2"), ("i3", "u1"), ("u4", "i4"), ("u4", "i1")]
    edited = edit(graph, added, [("u1", "i1")]).graph
    assert sides_of(edited) == {"u1": 0, "i1": 1, "u2": 0, "i2": 1, "i3": 1, "u4": 0, "i4": 1}
    assert edited.side_names == ("user", "item")
    assert sides_of(edit(graph, [], [("u1", "i1"), ("u2", "i1")]).graph) == sides_of(graph)
    assert edit(as_graph(graph, bipartite=False), [("u1", "u2")]).graph.sides is None


@for_each("added", [[("u1", "u2")], [("i2", "i1"), ("i2", "u1")], [("u3", "i3"), ("u3", "u1")], [("u3", "u3")]])
def test_an_added_edge_within_a_side_is_refused(added: list[tuple[str, str]]) -> None:
    graph = as_graph([("u1", "i1"), ("u2", "i1")])
    rows = embed(graph, radius=1)
    last = r"\('{}', '{}'\)".format(*added[-1])
    with pytest.raises(ParameterError, match=f"cannot add edge {last}: it must join both sides.*`bipartite=False`"):
        update(graph, rows, added=added)
    assert update(as_graph(graph, bipartite=False), rows, added=added).graph.sides is None


@for_each("kind", ["approx", "exact"])
def test_sides_change_no_entropy(kind: str) -> None:
    rng = np.random.default_rng(5)
    edges = np.column_stack([rng.integers(0, 60, 300), rng.integers(100, 140, 300)])
    with_sides, without = (embed(as_graph(edges, bipartite=told), radius=2, kind=kind) for told in (None, False))
    assert np.array_equal(with_sides, without)
