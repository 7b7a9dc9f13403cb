"""Edge lists and tables as people write them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import Graph, graph_from_pairs
from vnestruct.io import as_graph, read_graph


def read(tmp_path: Path, text: str | bytes, name: str = "graph.txt", **options: object) -> Graph:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_graph(path, **options)  # type: ignore[arg-type]


TRIANGLE = graph_from_pairs([1, 2, 1], [2, 3, 3])


TRIANGLES = [
    "1 2\n2 3\n1 3\n",
    "1 2\n2 3\n1 3",
    "1\t2\n2\t3\n1\t3\n",
    "1,2\n2,3\n1,3\n",
    "1, 2\n2, 3\n1, 3\n",
    "1;2\n2;3\n1;3\n",
    "  1   2 \n2\t 3\n 1 3\n",
    "1 2\r\n2 3\r\n1 3\r\n",
    "1 2\r\r\n2 3\r\r\n1 3\r\r\n",
    "1 2\r2 3\r1 3\r",
    "\n\n1 2\n\n\n2 3\n1 3\n\n",
    "# Nodes: 3 Edges: 3\n% sym unweighted\n// FromNodeId ToNodeId\n1 2\n2 3\n1 3\n",
    "1 2\n# between\n2 3\n  % indented\n1 3\n// after\n",
    "1 2 # inline\n2 3\n1 3\n",
    "source target\n1 2\n2 3\n1 3\n",
    "left right\n1 2\n2 3\n1 3\n",
    "# directed\nFromNodeId\tToNodeId\n1\t2\n2\t3\n1\t3\n",
    '"1" "2"\n"2" "3"\n"1" "3"\n',
    "1 2 {}\n2 3 {}\n1 3 {}\n",
    "1 2 {'colour': 'a b'}\n2 3 {}\n1 3 {'x': [1, 2]}\n",
    "1 2 follows\n2 3 likes\n1 3 likes\n",
    "+1 2\n2 +3\n1 3\n",
]


def test_writings_of_a_triangle(tmp_path: Path) -> None:
    for text in TRIANGLES:
        expected = TRIANGLE
        if text.startswith("+"):
            # A sign is not how integers are written, so these labels are text.
            expected = graph_from_pairs(["+1", "2", "1"], ["2", "+3", "3"])
        assert read(tmp_path, text) == expected, text


def test_weights(tmp_path: Path) -> None:
    expected = graph_from_pairs([1, 2], [2, 3], [0.5, 1e-3])
    assert read(tmp_path, "1 2 0.5\n2 3 1e-3\n") == expected
    assert read(tmp_path, "1 2 .5 1999\n2 3 0.001 2004\n") == expected
    assert read(tmp_path, "1 2 0.5\t1999\n2 3 0.001\t2004\n") == expected
    assert read(tmp_path, "1 2 1999 0.5\n2 3 2004 0.001\n", weight=4) == expected
    assert read(tmp_path, "1 2 1999 0.5\n2 3 2004 0.001\n", weight="4") == expected
    for ignored in (False, 0, "0"):
        assert read(tmp_path, "1 2 -1\n2 3 nan\n", weight=ignored) == graph_from_pairs([1, 2], [2, 3])
    with pytest.raises(GraphFormatError, match="no weight column"):
        read(tmp_path, "1 2\n2 3\n", weight=True)


LABELS: list[tuple[str, Any]] = [
    ("007 7\n7 08\n", ["007", "7", "08"]),
    ("1.0 2.0\n2.0 3.5\n", ["1.0", "2.0", "3.5"]),
    ("99999999999999999999 1\n1 2\n", ["99999999999999999999", "1", "2"]),
    ("1 a\n2 b\n", ["1", "a", "2", "b"]),
    ("-5 9223372036854775807\n-9223372036854775808 -5\n", [-5, 2**63 - 1, -(2**63)]),
    ("New York\tLos Angeles\nLos Angeles\tOslo\n", ["New York", "Los Angeles", "Oslo"]),
    ('"New York" "Los ""LA"" Angeles"\n', ["New York", 'Los "LA" Angeles']),
    ("5' a\nb 6'\n", ["5'", "a", "b", "6'"]),
    ("NA null\nnan None\n", ["NA", "null", "nan", "None"]),
    ("été naïve\nnaïve 漢字\n", ["été", "naïve", "漢字"]),
    ("a\u00a0b c\u2028d\n", ["a\u00a0b", "c\u2028d"]),
    ("a  b\nb\tc\n", ["a", "b", "c"]),
]


def test_labels(tmp_path: Path) -> None:
    for text, nodes in LABELS:
        assert read(tmp_path, text).nodes.tolist() == nodes, text


def test_labels_stay_text_on_request(tmp_path: Path) -> None:
    assert read(tmp_path, "1 2\n2 3\n", format="edgelist+text").nodes.tolist() == ["1", "2", "3"]
    assert read(tmp_path, "1,2\n2,3\n", "g.csv", format="csv+text").nodes.tolist() == ["1", "2", "3"]


TABLES: list[tuple[str, Any]] = [
    ("SRC;DST\n1;2\n2;3\n1;3\n", {}),
    ("9,1,2\n9,2,3\n9,1,3\n", {"source": 2, "target": "3"}),
    ("# exported\n# today\nu,v\n1,2\n2,3\n1,3\n", {}),
    ("\ufeffu,v\n1,2\n2,3\n1,3\n", {}),
]


def test_tables(tmp_path: Path) -> None:
    for text, options in TABLES:
        assert read(tmp_path, text, "graph.csv", **options) == TRIANGLE, text


def test_a_table_may_hold_marks_that_start_comments_elsewhere(tmp_path: Path) -> None:
    graph = read(tmp_path, "source,target\n#tag,%b\n//c,#tag\n", "graph.csv")
    assert graph.nodes.tolist() == ["#tag", "%b", "//c"]


def in_small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vnestruct.io.source.BLOCK_BYTES", 500)
    monkeypatch.setattr("vnestruct.io.source._HEAD_BYTES", 300)


def test_tidy_and_untidy_blocks_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(8).integers(0, 300, (2000, 2))
    # Some blocks are tidy and others are not, in a way that the fast parsers must not take for labels.
    marks = ["\t", " ", "  ", " \t "]
    untidy = "".join(f"{u}{marks[row // 100 % 4]}{v}\n" for row, (u, v) in enumerate(numbers))
    words = "".join(f"n{u}{marks[(row // 150 + 1) % 4]}n{v}\n# {row}\n" for row, (u, v) in enumerate(numbers))
    weights = "".join(f"{u} {v} {u / 7}\n" for u, v in numbers)
    expected = [
        graph_from_pairs(*numbers.T),
        graph_from_pairs(*([f"n{end}" for end in ends] for ends in numbers.T)),
        graph_from_pairs(*numbers.T, numbers[:, 0] / 7),
    ]
    in_small_blocks(monkeypatch)
    assert [read(tmp_path, text) for text in (untidy, words, weights)] == expected
    packed = gzip.compress(weights.encode())
    assert read(tmp_path, packed, "graph.txt.gz") == expected[2]


def test_the_first_wrong_line_is_named_whatever_was_read_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"%d %d" % (row, row + 1) for row in range(1000)]
    wrong = {500: b"x y", 600: b"1 2 3", 700: b"1 \0"}
    in_small_blocks(monkeypatch)
    for first in wrong:
        broken = [wrong[row] if row in wrong and row >= first else line for row, line in enumerate(lines)]
        with pytest.raises(GraphFormatError) as error:
            read(tmp_path, b"\n".join(broken))
        assert error.value.line == first + 1


@for_each("packed", [False, True])
def test_progress_counts_bytes_of_the_file(packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{row} {row + 1}\n" for row in range(5000)).encode()
    content = gzip.compress(text) if packed else text
    in_small_blocks(monkeypatch)
    heard: list[tuple[float, float]] = []
    read(tmp_path, content, progress=lambda *pair: heard.append(pair))
    assert heard == sorted(heard)
    assert len(heard) > 50
    assert {total for _, total in heard} == {len(content)} == {heard[-1][0]}


def test_a_comment_behind_blanks_is_no_edge(tmp_path: Path) -> None:
    assert read(tmp_path, "a  b\nb c\n\x0b# c\n").nodes.tolist() == ["a", "b", "c"]


@for_each("quote", ["", '"'])
def test_empty_columns_between_tabs(quote: str, tmp_path: Path) -> None:
    text = f"source\ttarget\tnote\n{quote}a{quote}\tb\t\nb\tc\tx\n"
    assert read(tmp_path, text, "graph.tsv").nodes.tolist() == ["a", "b", "c"]
    text = f"note\tsource\ttarget\n\t{quote}a{quote}\tb\nx\tb\tc\n"
    assert read(tmp_path, text, "graph.tsv").nodes.tolist() == ["a", "b", "c"]


def test_bytes_beyond_ascii_are_not_blanks(tmp_path: Path) -> None:
    with pytest.raises(GraphFormatError, match=r"line 3: .* is not an integer"):
        read(tmp_path, b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n\x852 1\n3 1\n", "graph.mtx")


def test_what_follows_the_last_edge_is_not_an_edge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # In blocks so small that some hold nothing but the end.
    monkeypatch.setattr("vnestruct.io.source.BLOCK_BYTES", 30)
    monkeypatch.setattr("vnestruct.io.source._HEAD_BYTES", 16)
    for labels in ("1 2\n2 3", "a b\nb c", "source target\na b\nb c"):
        for end in ("\n", "\n\n", "\n\r", "\n \n", "\n# end\n", "\n" * 3000):
            assert read(tmp_path, labels + end).n_edges == 2, (labels, end[:5])


def test_the_order_of_nodes_is_that_of_first_appearance(tmp_path: Path) -> None:
    assert read(tmp_path, "9 3\n3 7\n1 9\n").nodes.tolist() == [9, 3, 7, 1]
    assert read(tmp_path, "z m\nm b\na z\n").nodes.tolist() == ["z", "m", "b", "a"]


def test_options_are_checked(tmp_path: Path) -> None:
    for options in ({"source": 1.5}, {"target": True}, {"weight": 2.5}, {"directed": "yes"}, {"format": "pdf"}):
        with pytest.raises(ParameterError, match=r"must be|choose one of"):
            read(tmp_path, "1 2\n", **options)


def test_as_graph_takes_paths_graphs_and_objects(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("1 2\n2 3\n1 3\n")
    assert as_graph(path) == as_graph(str(path)) == TRIANGLE
    assert as_graph(TRIANGLE) is TRIANGLE
    assert as_graph([(1, 2), (2, 3), (1, 3)]) == TRIANGLE
    assert as_graph(TRIANGLE, directed=True).n_arcs == 6
