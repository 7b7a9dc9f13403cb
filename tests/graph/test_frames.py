"""Data frames of three libraries, and of anything that speaks a common protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest

from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import graph_from_object, graph_from_pairs
from vnestruct.graph.columns import ColumnChoice, ColumnRequest, choose_columns

EDGES: dict[str, list[Any]] = {"source": ["a", "b", "c"], "target": ["b", "c", "d"]}


class ArrowOnly:
    """A frame that offers nothing but the Arrow stream."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._table = pyarrow.table(columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def batch(columns: dict[str, Any]) -> Any:
    return pyarrow.table(columns).to_batches()[0]


def relation(columns: dict[str, Any]) -> Any:
    return duckdb.from_arrow(pyarrow.table(columns))


MAKERS: list[Callable[[dict[str, Any]], Any]] = [
    pandas.DataFrame,
    polars.DataFrame,
    pyarrow.table,
    batch,
    ArrowOnly,
    relation,
]


def test_labels_are_plain_text() -> None:
    for frame in MAKERS:
        graph = graph_from_object(frame(EDGES))
        assert graph == graph_from_pairs(EDGES["source"], EDGES["target"])
        assert [type(label) for label in graph.nodes] == [str] * 4


def test_integers_and_weights() -> None:
    for frame in MAKERS:
        graph = graph_from_object(frame({"u": [3, 5], "v": [5, 9], "weight": [0.5, 2.0]}))
        assert graph.nodes.dtype == np.int64
        assert graph == graph_from_pairs([3, 5], [5, 9], [0.5, 2.0])
        with pytest.raises(ParameterError, match=r"the weight of edge \(3, 5\) is 'x', which is not a number"):
            graph_from_object(frame({"u": [3], "v": [5], "weight": ["x"]}))
        assert graph_from_object(frame({"u": [3], "v": [5], "weight": [2]}), weight=False).weights is None


def test_named_columns() -> None:
    for frame in MAKERS:
        columns = {"day": [1, 2], "sender": ["a", "b"], "receiver": ["b", "c"], "calls": [4, 6]}
        graph = graph_from_object(frame(columns), source="sender", target="receiver", weight="calls", directed=True)
        assert graph == graph_from_pairs(["a", "b"], ["b", "c"], [4, 6], directed=True)
        with pytest.raises(ParameterError, match="no column 'nobody' among 'day', 'sender', 'receiver'"):
            graph_from_object(frame(columns), source="nobody")
        with pytest.raises(ParameterError, match="no column 'price'"):
            graph_from_object(frame(columns), source="sender", target="receiver", weight="price")


def test_missing_values_are_named() -> None:
    for frame in MAKERS:
        with pytest.raises(ParameterError, match="missing value"):
            graph_from_object(frame({"u": ["a", None], "v": ["b", "c"]}))
        with pytest.raises(ParameterError, match="missing value"):
            graph_from_object(frame({"u": [1, None], "v": [2, 3]}))
        with pytest.raises(ParameterError, match=r"column 'weight' has a missing value in row 2"):
            graph_from_object(frame({"u": ["a", "b"], "v": ["b", "c"], "weight": [1.0, None]}))
        with pytest.raises(ParameterError, match=r"the weight of edge \('b', 'c'\) is -1"):
            graph_from_object(frame({"u": ["a", "b"], "v": ["b", "c"], "w": [1, -1]}))
        with pytest.raises(ParameterError, match=r"the weight of edge \('a', 'b'\) is 'x'"):
            graph_from_object(frame({"u": ["a"], "v": ["b"], "w": ["x"]}), weight="w")


def test_one_column_is_not_a_graph() -> None:
    for frame in MAKERS:
        with pytest.raises(NotAGraphError, match="needs two columns, this one has 'u'"):
            graph_from_object(frame({"u": [1, 2]}))


def test_no_rows() -> None:
    for frame in MAKERS:
        empty = {"u": np.array([], dtype=int), "v": np.array([], dtype=int)}
        if frame is not batch:
            assert graph_from_object(frame(empty)).n_nodes == 0


def test_columns_are_recognised_by_their_names() -> None:
    for names, expected in (
        (["source", "target"], (0, 1, None)),
        (["target", "source", "value"], (1, 0, 2)),
        (["Weight", "To", "From"], (2, 1, 0)),
        (["id", "src", "dst"], (1, 2, None)),
        (["a", "tail", "head"], (1, 2, None)),
        (["x", "node1", "node2", "w"], (1, 2, 3)),
        (["id_1", "id_2"], (0, 1, None)),
        ([":START_ID", ":END_ID", ":TYPE"], (0, 1, None)),
        (["since", ":START_ID(Person)", ":END_ID(Film)"], (1, 2, None)),
        (["knows:START_ID(Person)", ":END_ID(Person)"], (0, 1, None)),
        (["u", "weight"], (0, 1, None)),
    ):
        assert choose_columns(names, ColumnRequest(), ParameterError)[:3] == expected, names
    for names, ends in (
        (["w", "x", "y"], ("x", "y")),
        (["from", "somewhere", "v"], ("from", "somewhere")),
        (["Unnamed: 0", "x", "y"], ("x", "y")),
    ):
        with pytest.raises(ParameterError, match="cannot tell which columns") as refusal:
            choose_columns(names, ColumnRequest(), ParameterError)
        assert str(refusal.value).endswith("; try: `source={!r}` `target={!r}`".format(*ends))


def test_other_words_for_the_two_ends_are_recognised() -> None:
    for source, target in (("origin", "dest"), ("Sender", "Receiver"), ("caller", "callee"), ("citing", "cited")):
        choice = choose_columns(["when", target, source, "n"], ColumnRequest(), ParameterError)
        assert choice == ColumnChoice(2, 1, None, (source, target))


def test_an_index_column_is_never_an_end_by_itself() -> None:
    for name in ("", "index", "Unnamed: 0", "__index_level_0__"):
        with pytest.raises(ParameterError, match=r"two ends of an edge among .*; set `source` and `target`"):
            choose_columns([name, "friend"], ColumnRequest(), ParameterError)
        choice = choose_columns([name, "friend"], ColumnRequest(1, 2), ParameterError)
        assert choice == ColumnChoice(0, 1, None, (name, "friend"))
    with pytest.raises(ParameterError, match="two ends of an edge among 'index', 'friend'"):
        graph_from_object(pandas.DataFrame({"friend": [5, 6]}).reset_index())


def test_a_wrong_name_gets_the_right_arguments() -> None:
    names = ["origin", "dest", "flights"]
    for given, advice in (
        (
            {"source": "orign"},
            "no column 'orign' among 'origin', 'dest', 'flights'; try: `source='origin'` `target='dest'`",
        ),
        ({"source": "x", "target": "y"}, "; try: `source='origin'` `target='dest'`"),
        ({"target": "Origin "}, "source and target are the same column 'origin'; set both `source` and `target`"),
        ({"source": "dest", "target": "orig"}, "; try: `source='dest'` `target='origin'`"),
        ({"weight": "flight"}, "no column 'flight' among 'origin', 'dest', 'flights'; try: `weight='flights'`"),
        ({"weight": "cost"}, "among 'origin', 'dest', 'flights'; set `weight`"),
    ):
        with pytest.raises(ParameterError) as refusal:
            choose_columns(names, ColumnRequest(**given), ParameterError)
        assert str(refusal.value).endswith(advice)


def test_named_columns_are_respected() -> None:
    def chosen(names: list[str], **given: str) -> tuple[int, int]:
        choice = choose_columns(names, ColumnRequest(**given), ParameterError)
        return choice.source, choice.target

    names = ["a", "from", "to"]
    assert chosen(names, source="from") == (1, 2)
    assert chosen(names, target="to") == (1, 2)
    assert chosen(names, source="to", target="a") == (2, 0)
    with pytest.raises(ParameterError, match="source and target are the same column 'to'"):
        chosen(names, source="to")
    with pytest.raises(ParameterError, match="the same column 'a'"):
        chosen(["a", "b"], target="a")


def test_pandas_types() -> None:
    nullable = pandas.DataFrame({"u": [1, 2], "v": [2, 3]}, dtype="Int64")
    assert graph_from_object(nullable).nodes.dtype == np.int64
    nullable.loc[0, "u"] = pandas.NA
    with pytest.raises(ParameterError, match="missing value"):
        graph_from_object(nullable)
    categories = pandas.DataFrame(EDGES, dtype="category")
    assert graph_from_object(categories).nodes.tolist() == ["a", "b", "c", "d"]
    mixed = pandas.DataFrame({"u": ["a", (1, 2)], "v": [5, 2.5]}, dtype=object)
    assert graph_from_object(mixed).nodes.tolist() == ["a", 5, (1, 2), 2.5]
    numbered = pandas.DataFrame([[1, 2], [2, 3]])
    assert graph_from_object(numbered, source=1, target=0).nodes.tolist() == [2, 1, 3]
    triples = pandas.DataFrame([["a", "b", 2.0], ["b", "c", 3.0]])
    assert graph_from_object(triples) == graph_from_pairs(["a", "b"], ["b", "c"], [2.0, 3.0])
    matrix = pandas.DataFrame(np.eye(3), index=list("abc"), columns=list("abc"))
    with pytest.raises(NotAGraphError, match="looks like an adjacency matrix"):
        graph_from_object(matrix)


def test_structured_array() -> None:
    rows = np.array([("a", "b", 0.5), ("b", "c", 2)], dtype=[("from", "U1"), ("to", "U1"), ("w", "f8")])
    assert graph_from_object(rows) == graph_from_pairs(["a", "b"], ["b", "c"], [0.5, 2])


def test_objects_that_are_not_frames() -> None:
    with pytest.raises(NotAGraphError, match="collect it"):
        graph_from_object(polars.DataFrame(EDGES).lazy())
    with pytest.raises(NotAGraphError, match=r"Series is not a data frame of edges.*Arrow table"):
        graph_from_object(polars.Series([1, 2]))
    with pytest.raises(NotAGraphError, match=r"Series is not a data frame of edges.*Arrow table"):
        graph_from_object(pandas.Series([1, 2]))


class Spark:
    """Stands for a frame whose rows are on other machines: its type has columns, and they cannot be read here."""

    columns = ("source", "target")

    def __getitem__(self, name: str) -> Any:
        raise AssertionError("nothing is computed")


def test_frames_without_rows_at_hand_are_refused_with_the_way_to_arrow() -> None:
    with pytest.raises(NotAGraphError, match=r"Spark is not a data frame.*convert it to an Arrow table"):
        graph_from_object(Spark())
