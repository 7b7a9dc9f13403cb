"""Groups and their members: a node a line, a node a member, an edge a membership."""

from __future__ import annotations

from pathlib import Path

import pytest

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import Graph
from vnestruct.io import read_graph, write_graph

# Thirty lines of one to five members; some come first on several lines, and ids are beyond the number of lines.
LISTS = [[7 * (row % 4) + 100 * member for member in range(1 + row % 5)] for row in range(30)]


@pytest.mark.parametrize("suffix", [".dat", ".txt", ".unknown"])
def test_lists_of_all_lengths_are_groups_on_request(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"films{suffix}"
    path.write_text("# films\n" + "".join(f" {' '.join(map(str, row))}\n" for row in LISTS))
    with pytest.raises(GraphFormatError, match=r"columns? where .*`format='adjlist'`.*`format='groups'`"):
        read_graph(path)
    graph = read_graph(path, format="groups")
    tails, heads = (graph.nodes[ends].tolist() for ends in graph.edges()[:2])
    memberships = {(f"line{number}", member) for number, row in enumerate(LISTS, 2) for member in row}
    assert set(zip(tails, heads, strict=True)) == memberships
    members = list(dict.fromkeys(member for row in LISTS for member in row))
    assert graph.nodes.tolist() == [f"line{number}" for number in range(2, 32)] + members


def test_members_with_names(tmp_path: Path) -> None:
    path = tmp_path / "clubs"
    path.write_text("ann, bob\n\nbob, zoë, bob\nlone\n")
    graph = read_graph(path, format="groups", directed=True)
    assert graph.nodes.tolist() == ["line1", "line3", "line4", "ann", "bob", "zoë", "lone"]
    assert graph.report.parallel_merged == 1
    assert graph.n_arcs == 5
    numbers = tmp_path / "numbers"
    numbers.write_text("1 2\n2 3 4\n")
    assert read_graph(numbers, format="groups+text").nodes.tolist()[2:] == ["1", "2", "3", "4"]


def test_a_member_called_like_a_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "clubs"
    path.write_text("ann bob\nline1 bob\n")
    with pytest.raises(GraphFormatError, match=r"'line1' is a member, but also .*; rename the member"):
        read_graph(path, format="groups")


def test_groups_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="'groups' can be read, not written; choose one of vng, parquet"):
        write_graph(Graph([0, 1, 2], [1, 0]), tmp_path / "graph.txt", format="groups")
    assert not list(tmp_path.iterdir())
