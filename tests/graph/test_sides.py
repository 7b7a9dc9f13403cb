"""Sides are known from columns that share no label or from what an object states, and never guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import for_each
from vnestruct import as_graph, read_graph
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph

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


def test_sides_are_switched_off() -> None:
    assert as_graph(PAIRS, bipartite=False).sides is None
    assert as_graph(as_graph(PAIRS), bipartite=False) == as_graph(PAIRS, bipartite=False)
    assert as_graph(as_graph(PAIRS), bipartite=True) == as_graph(PAIRS)


@for_each("graph", [{"a": ["x"]}, as_graph([(1, 2), (2, 3)])])
def test_sides_that_nothing_states_are_refused(graph: Any) -> None:
    with pytest.raises(ParameterError, match=r"give the edges as two columns.* or leave out bipartite"):
        as_graph(graph, bipartite=True)


def test_a_wrong_value_is_refused(tmp_path: Path) -> None:
    (tmp_path / "edges.txt").write_text("1 2\n")
    for given_graph in (PAIRS, tmp_path / "edges.txt"):
        with pytest.raises(ParameterError, match="bipartite is 'yes'; it must be True, False or None"):
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
