"""A table is the same graph, or refused, whether it is read from a file or comes as a data frame."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cases import for_each
from vnestruct.errors import NotAGraphError, ParameterError, VNEstructError
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.graph.columns import PAIRS, WEIGHTS
from vnestruct.io import as_graph, read_graph

# What each table must give: edges as (source, target[, weight]), or None if it must be refused.
TABLES: dict[str, tuple[str, dict[str, Any], list[tuple[Any, ...]] | None]] = {
    "an index column written by pandas": (",source,target\n0,a,b\n1,b,c\n", {}, [("a", "b"), ("b", "c")]),
    "an index column over unknown names": (",who,whom\n0,1,2\n1,2,3\n", {}, None),
    "an index column over text": (",who,whom\n0,a,b\n1,b,c\n", {}, None),
    "one unknown pair over integers": ("who,whom\n1,2\n2,3\n", {}, [(1, 2), (2, 3)]),
    "one unknown pair over text": ("who,whom\nann,bob\nbob,eve\n", {}, None),
    "an unknown pair over text, given": (
        "who,whom\nann,bob\n", {"source": "who", "target": "whom"}, [("ann", "bob")],
    ),
    "an unknown pair by number": ("when,who,whom\n9,1,2\n9,2,3\n", {"source": 2, "target": "3"}, [(1, 2), (2, 3)]),
    "Neo4j": (
        ":START_ID(A),since,:END_ID(B),:TYPE,weight:float\n1,9,2,KNOWS,0.5\n", {}, [(1, 2, 0.5)],
    ),
    "two known pairs": ("u,v,source,target\n1,2,3,4\n", {}, [(3, 4)]),
    "two weights": ("source,target,value,w\n1,2,3,4\n", {}, [(1, 2, 4.0)]),
    "an unknown weight": ("source,target,calls\n1,2,3\n", {}, [(1, 2)]),
    "a weight given by number": ("source,target,calls\n1,2,3\n", {"weight": 3}, [(1, 2, 3.0)]),
    "weights not wanted": ("source,target,weight\n1,2,x\n", {"weight": 0}, [(1, 2)]),
    "a weight that is a word": ("source,target,weight\n1,2,high\n", {}, None),
    "a weight that is true or false": ("source,target,value\n1,2,True\n", {}, None),
    "a missing weight": ("source,target,weight\n1,2,3\n2,3,\n", {}, None),
    "a missing label": ("source,target\na,b\nb,\n", {}, None),
    "a missing integer": ("source,target\n1,2\n2,\n", {}, None),
    "a missing value elsewhere": ("source,target,note\n1,2,\n2,3,x\n", {}, [(1, 2), (2, 3)]),
    "integers and text": ("source,target\n1,a\n2,1\n", {}, [("1", "a"), ("2", "1")]),
    "a text among integers": ("source,target\n1,2\n2,x\n", {}, [("1", "2"), ("2", "x")]),
    "integers beyond 64 bits": (
        "source,target\n18446744073709551615,1\n", {}, [("18446744073709551615", "1")],
    ),
    "one column only": ("source\n1\n2\n", {}, None),
    "quoted labels": ('source,target\n"New York","a, b"\n', {}, [("New York", "a, b")]),
    "parallel edges, loops and zeros": (
        "source,target,weight\n1,2,1\n2,1,2\n2,2,5\n2,3,0\n", {}, [(1, 2, 1.0), (2, 1, 2.0), (2, 2, 5.0), (2, 3, 0.0)],
    ),
}  # fmt: skip
for _first, _second in PAIRS:
    TABLES[f"{_first} and {_second}"] = (f"note,{_second},{_first}\nx,1,2\nx,2,3\n", {}, [(2, 1), (3, 2)])
for _name in WEIGHTS:
    TABLES[f"weights named {_name}"] = (
        f"{_name},source,target\n0.5,a,b\n2,b,c\n",
        {},
        [("a", "b", 0.5), ("b", "c", 2.0)],
    )


def outcome(given: Any, options: dict[str, Any]) -> Graph | None:
    """The graph, or None if it is refused with an error of ours."""
    try:
        return as_graph(given, **options)
    except VNEstructError:
        return None


def outcomes(text: str, path: Path, options: dict[str, Any]) -> list[Graph | None]:
    """What the file, the pandas frame and the polars frame give."""
    path.write_text(text, encoding="utf-8")
    sources = path, pandas.read_csv(path), polars.read_csv(path, infer_schema_length=None)
    return [outcome(source, options) for source in sources]


@for_each("name", TABLES)
def test_tricky_tables(name: str, tmp_path: Path) -> None:
    text, options, edges = TABLES[name]
    expected = None if edges is None else graph_from_pairs(*zip(*edges, strict=True))
    assert outcomes(text, tmp_path / "x.csv", options) == [expected] * 3


def test_a_first_line_that_may_be_an_edge_is_never_lost(tmp_path: Path) -> None:
    """Where the file has no names, pandas turns the first edge into names: such a frame is refused."""
    path = tmp_path / "x.csv"
    for text, n_edges in (("1,2\n2,3\n", 2), ("0,1,5\n1,2,6\n", 2)):
        path.write_text(text)
        assert read_graph(path).n_edges == n_edges
        for frame in (pandas.read_csv(path), polars.read_csv(path)):
            with pytest.raises(ParameterError, match="are column names or the first edge; set `source`"):
                as_graph(frame)
        assert as_graph(pandas.read_csv(path, header=None)) == read_graph(path)
    path.write_text("ann,bob\nbob,eve\n")
    assert outcomes(path.read_text(), path, {}) == [None, None, None]
    # By number, the file has no names; the frame has, and only the names can tell which ones are meant.
    assert read_graph(path, source=1, target=2).n_edges == 2
    assert outcome(pandas.read_csv(path), {"source": 1, "target": 2}) is None
    twice = pandas.DataFrame([[1, 2, 3]], columns=["source", "target", "source"])
    with pytest.raises(NotAGraphError, match="'source' 2 times"):
        as_graph(twice)


NAMES = st.sampled_from(
    [name for pair in PAIRS for name in pair]
    + [*WEIGHTS, "a", "x", "year", "Unnamed: 0", "Source", " To", "note:string"]
)


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    names = draw(st.lists(NAMES, min_size=2, max_size=5, unique=True))
    text_labels = draw(st.booleans())
    cells = st.sampled_from(["ann", "bob", "eve"]) if text_labels else st.integers(0, 5).map(str)
    rows = draw(st.lists(st.lists(cells, min_size=len(names), max_size=len(names)), min_size=1, max_size=5))
    options = {}
    for role in ("source", "target", "weight"):
        if draw(st.integers(0, 5)) == 0:
            options[role] = draw(st.one_of(st.sampled_from(names), st.integers(1, len(names))))
    return "\n".join(",".join(row) for row in [names, *rows]) + "\n", options


@given(tables())
@settings(max_examples=300, deadline=None)
def test_any_names_in_any_order(table: tuple[str, dict[str, Any]]) -> None:
    text, options = table
    with tempfile.TemporaryDirectory() as folder:
        file, *frames = outcomes(text, Path(folder, "x.csv"), options)
    for graph in frames:
        # With both ends given by number, a file may have no names, so its first line is an edge; a frame has names.
        if graph is not None or not all(isinstance(options.get(role), int) for role in ("source", "target")):
            assert graph == file, text
