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

from tests.cases import for_each
from vnestruct.errors import NotAGraphError, ParameterError
from vnestruct.graph import Graph, graph_from_object, graph_from_pairs

EDGES: dict[str, list[Any]] = {"source": ["a", "b", "c"], "target": ["b", "c", "d"]}


class ArrowOnly:
    """A frame that offers nothing but the Arrow stream."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._table = pyarrow.table(columns)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self._table.__arrow_c_stream__(requested_schema)


def batch(columns: dict[str, Any]) -> Any:
    return pyarrow.RecordBatch.from_pydict(columns)


def relation(columns: dict[str, Any]) -> Any:
    return duckdb.from_arrow(pyarrow.table(columns))


MAKERS: list[Callable[[dict[str, Any]], Any]] = [
    pandas.DataFrame, polars.DataFrame, pyarrow.table, batch, ArrowOnly, relation,
]  # fmt: skip
EMPTY = np.array([], dtype=int)
CALLS = {"day": [1, 2], "sender": ["a", "b"], "receiver": ["b", "c"], "calls": [4, 6]}
ENDS = {"source": "sender", "target": "receiver"}


@for_each(
    ("columns", "options", "expected"),
    [
        (EDGES, {}, graph_from_pairs(EDGES["source"], EDGES["target"])),
        ({"u": [3, 5], "v": [5, 9], "weight": [0.5, 2.0]}, {}, graph_from_pairs([3, 5], [5, 9], [0.5, 2.0])),
        ({"u": [3], "v": [5], "weight": [2]}, {"weight": False}, graph_from_pairs([3], [5])),
        (
            CALLS,
            {**ENDS, "weight": "calls", "directed": True},
            graph_from_pairs(["a", "b"], ["b", "c"], [4, 6], directed=True),
        ),
        ({"u": EMPTY, "v": EMPTY}, {}, graph_from_pairs([], [])),
    ],
)
@for_each("frame", MAKERS)
def test_every_library_gives_the_same_graph(frame: Any, columns: Any, options: Any, expected: Graph) -> None:
    graph = graph_from_object(frame(columns), **options)
    assert graph == expected
    assert list(map(type, graph.nodes)) == list(map(type, expected.nodes))


@for_each(
    ("columns", "options", "named"),
    [
        (CALLS, {"source": "nobody"}, "'nobody'"),
        ({"u": ["a"], "v": ["b"], "w": ["x"]}, {"weight": "w"}, r"\('a', 'b'\) is 'x'"),
        ({"u": ["a", "b"], "v": ["b", "c"], "weight": [1.0, None]}, {}, "'weight' .* row 2"),
        ({"u": [[1]], "v": [2]}, {}, "'u'"),
    ],
)
@for_each("frame", [pandas.DataFrame, polars.DataFrame, ArrowOnly])
def test_bad_values_are_named(frame: Any, columns: Any, options: Any, named: str) -> None:
    if frame is not pandas.DataFrame or columns.get("u") != [[1]]:
        with pytest.raises(ParameterError, match=named):
            graph_from_object(frame(columns), **options)


NULLABLE = pandas.DataFrame({"u": [1, 2], "v": [2, 3]}, dtype="Int64")
NUMBERED = pandas.DataFrame([[1, 2], [2, 3]])
MIXED = pandas.DataFrame({"u": ["a", (1, 2)], "v": [5, 2.5]}, dtype=object)
STRUCTURED = np.array([("a", "b", 0.5), ("b", "c", 2)], dtype=[("from", "U1"), ("to", "U1"), ("w", "f8")])


@for_each(
    ("frame", "options", "nodes", "weights"),
    [
        (NULLABLE, {}, [1, 2, 3], None),
        (pandas.DataFrame(EDGES, dtype="category"), {}, ["a", "b", "c", "d"], None),
        (MIXED, {}, ["a", 5, (1, 2), 2.5], None),
        (NUMBERED, {"source": 1, "target": 0}, [2, 1, 3], None),
        (STRUCTURED, {}, ["a", "b", "c"], [0.5, 0.5, 2, 2]),
    ],
)
def test_other_frames(frame: Any, options: Any, nodes: list[Any], weights: list[float] | None) -> None:
    graph = graph_from_object(frame, **options)
    assert graph.nodes.tolist() == nodes
    assert (None if graph.weights is None else graph.weights.tolist()) == weights


class Spark:
    """Stands for a frame whose rows are on other machines: its type has columns, and they cannot be read here."""

    columns = ("source", "target")

    def __getitem__(self, name: str) -> Any:
        raise AssertionError("nothing is computed")


@for_each(
    ("thing", "named"),
    [
        (pandas.DataFrame({"u": [1, 2]}), "'u'"),
        (polars.DataFrame(EDGES).lazy(), "collect"),
        (polars.Series([1, 2]), "Arrow table"),
        (Spark(), "Spark .* Arrow table"),
        (pandas.DataFrame(np.eye(3), index=list("abc"), columns=list("abc")), "scipy.sparse.coo_array"),
    ],
)
def test_what_is_no_frame_of_edges_is_refused(thing: Any, named: str) -> None:
    with pytest.raises(NotAGraphError, match=named):
        graph_from_object(thing)
