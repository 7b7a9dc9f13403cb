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


def read(tmp_path: Path, text: str | bytes, name: str = "graph.txt", **options: Any) -> Graph:
    path = tmp_path / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_graph(path, **options)


TRIANGLE = graph_from_pairs([1, 2, 1], [2, 3, 3])
WEIGHTED = graph_from_pairs([1, 2, 1], [2, 3, 3], [0.5, 1e-3, 4])

# Text, expected graph, options of reading, among them the name of the file.
WRITINGS: list[tuple[str, Graph, dict[str, Any]]] = [
    *((text, TRIANGLE, {}) for text in (
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
    )),
    *((text, TRIANGLE, {"name": "graph.csv", **options}) for text, options in (
        ("SRC;DST\n1;2\n2;3\n1;3\n", {}),
        ("9,1,2\n9,2,3\n9,1,3\n", {"source": 2, "target": "3"}),
        ("# exported\n# today\nu,v\n1,2\n2,3\n1,3\n", {}),
        ("\ufeffu,v\n1,2\n2,3\n1,3\n", {}),
    )),
    *((text, WEIGHTED, options) for text, options in (
        ("1 2 0.5\n2 3 1e-3\n1 3 4\n", {}),
        ("1 2 .5 1999\n2 3 0.001 2004\n1 3 4 0\n", {}),
        ("1 2 0.5\t1999\n2 3 0.001\t2004\n1 3 4\t0\n", {}),
        ("1 2 1999 0.5\n2 3 2004 0.001\n1 3 0 4\n", {"weight": 4}),
        ("1 2 1999 0.5\n2 3 2004 0.001\n1 3 0 4\n", {"weight": "4"}),
    )),
    *(("1 2 -1\n2 3 nan\n1 3 x\n", TRIANGLE, {"weight": ignored}) for ignored in (False, 0, "0")),
]  # fmt: skip


@for_each(("text", "expected", "options"), WRITINGS)
def test_writings_of_a_triangle(text: str, expected: Graph, options: dict[str, Any], tmp_path: Path) -> None:
    assert read(tmp_path, text, **options) == expected


LABELS: list[tuple[str, Any, dict[str, Any]]] = [
    *((text, labels, {}) for text, labels in (
        # A sign or a zero before the digits is not how integers are written, so these labels are text.
        ("+1 2\n2 +3\n", ["+1", "2", "+3"]),
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
        ("a  b\nb\tc\n\x0b# c\n", ["a", "b", "c"]),
        # Nodes are in the order of first appearance.
        ("9 3\n3 7\n1 9\n", [9, 3, 7, 1]),
        ("z m\nm b\na z\n", ["z", "m", "b", "a"]),
    )),
    ("1 2\n2 3\n", ["1", "2", "3"], {"format": "edgelist+text"}),
    ("1,2\n2,3\n", ["1", "2", "3"], {"format": "csv+text"}),
    # In a table, marks that start comments elsewhere may start labels.
    ("source,target\n#tag,%b\n//c,#tag\n", ["#tag", "%b", "//c"], {"name": "graph.csv"}),
    *((text, ["a", "b", "c"], {"name": "graph.tsv"}) for text in (
        "source\ttarget\tnote\na\tb\t\nb\tc\tx\n",
        'source\ttarget\tnote\n"a"\tb\t\nb\tc\tx\n',
        "note\tsource\ttarget\n\ta\tb\nx\tb\tc\n",
        'note\tsource\ttarget\n\t"a"\tb\nx\tb\tc\n',
    )),
]  # fmt: skip


@for_each(("text", "nodes", "options"), LABELS)
def test_labels(text: str, nodes: list[Any], options: dict[str, Any], tmp_path: Path) -> None:
    assert read(tmp_path, text, **options).nodes.tolist() == nodes


def in_blocks(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr("vnestruct.io.source.BLOCK_BYTES", size)
    monkeypatch.setattr("vnestruct.io.source._HEAD_BYTES", size // 2 + 1)


def test_tidy_and_untidy_blocks_read_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(8).integers(0, 300, (2000, 2))
    # Some blocks are tidy and others are not, in a way that the fast parser must not take for labels.
    marks = ["\t", " ", "  ", " \t "]
    untidy = "".join(f"{u}{marks[row // 100 % 4]}{v}\n" for row, (u, v) in enumerate(numbers))
    words = "".join(f"n{u}{marks[(row // 150 + 1) % 4]}n{v}\n# {row}\n" for row, (u, v) in enumerate(numbers))
    weights = "".join(f"{u} {v} {u / 7}\n" for u, v in numbers)
    in_blocks(monkeypatch, 500)
    assert read(tmp_path, untidy) == graph_from_pairs(*numbers.T)
    assert read(tmp_path, words) == graph_from_pairs(*([f"n{end}" for end in ends] for ends in numbers.T))
    for content in (weights.encode(), gzip.compress(weights.encode())):
        assert read(tmp_path, content) == graph_from_pairs(*numbers.T, numbers[:, 0] / 7)


def test_the_first_wrong_line_is_named_whatever_was_read_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"%d %d" % (row, row + 1) for row in range(1000)]
    wrong = {500: b"x y", 600: b"1 2 3", 700: b"1 \0"}
    in_blocks(monkeypatch, 500)
    for first in wrong:
        broken = [wrong[row] if row in wrong and row >= first else line for row, line in enumerate(lines)]
        with pytest.raises(GraphFormatError) as error:
            read(tmp_path, b"\n".join(broken))
        assert error.value.line == first + 1


@for_each("compress", [bytes, gzip.compress])
def test_progress_counts_bytes_of_the_file(compress: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = compress("".join(f"{row} {row + 1}\n" for row in range(5000)).encode())
    in_blocks(monkeypatch, 500)
    heard: list[tuple[float, float]] = []
    read(tmp_path, content, progress=lambda *pair: heard.append(pair))
    assert heard == sorted(heard)
    assert len(heard) > 50
    assert {total for _, total in heard} == {len(content)} == {heard[-1][0]}


def test_what_follows_the_last_edge_is_not_an_edge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # In blocks so small that some hold nothing but the end.
    in_blocks(monkeypatch, 30)
    for labels in ("1 2\n2 3", "a b\nb c", "source target\na b\nb c"):
        for end in ("\n", "\n\n", "\n\r", "\n \n", "\n# end\n", "\n" * 3000):
            assert read(tmp_path, labels + end).n_edges == 2, (labels, end[:5])


def test_what_is_refused(tmp_path: Path) -> None:
    for options in ({"source": 1.5}, {"target": True}, {"weight": 2.5}, {"directed": "yes"}, {"format": "pdf"}):
        with pytest.raises(ParameterError, match=str(next(iter(options.values())))):
            read(tmp_path, "1 2\n", **options)
    with pytest.raises(GraphFormatError, match="`weight`"):
        read(tmp_path, "1 2\n2 3\n", weight=True)
    # Bytes beyond ASCII are not blanks.
    with pytest.raises(GraphFormatError, match="line 3:"):
        read(tmp_path, b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n\x852 1\n3 1\n", "graph.mtx")


def test_as_graph_takes_paths_graphs_and_objects(tmp_path: Path) -> None:
    path = tmp_path / "graph.txt"
    path.write_text("1 2\n2 3\n1 3\n")
    assert as_graph(path) == as_graph(str(path)) == as_graph([(1, 2), (2, 3), (1, 3)]) == TRIANGLE
    assert as_graph(TRIANGLE) is TRIANGLE
    assert as_graph(TRIANGLE, directed=True).n_arcs == 6
