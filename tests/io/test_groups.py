"""Groups and their members: a node a line, a node a member, an edge a membership."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.graph import Graph
from vnestruct.io import read_graph, write_graph

# Thirty lines of one to five members; some come first on several lines, and ids are beyond the number of lines.
LISTS = [[7 * (row % 4) + 100 * member for member in range(1 + row % 5)] for row in range(30)]


def lines_of(lists: list[list[int]]) -> str:
    return "".join(f" {' '.join(map(str, row))}\n" for row in lists)


def edges_of(graph: Graph) -> set[tuple[object, object]]:
    labels = graph.nodes.tolist()
    return {
        (labels[u], labels[v])
        for u in range(graph.n_nodes)
        for v in graph.indices[graph.indptr[u] : graph.indptr[u + 1]].tolist()
        if u < v
    }


@pytest.mark.parametrize("suffix", [".dat", ".txt", ".unknown"])
def test_lists_of_all_lengths_are_taken_for_groups(
    suffix: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / f"films{suffix}"
    path.write_text("# films\n" + lines_of(LISTS))
    with caplog.at_level(logging.INFO, "vnestruct.io"):
        graph = read_graph(path)
    assert edges_of(graph) == {(f"line{number}", member) for number, row in enumerate(LISTS, 2) for member in row}
    members = list(dict.fromkeys(member for row in LISTS for member in row))
    assert graph.nodes.tolist() == [f"line{number}" for number in range(2, 32)] + members
    [message] = caplog.messages
    assert message.startswith(f"{path}: each line is read as a group")
    assert read_graph(path, format="groups") == graph


def test_an_edge_list_with_slips_is_not_a_list_of_groups(tmp_path: Path) -> None:
    path = tmp_path / "edges.txt"
    path.write_text("".join(f"{number % 9} {number + 900}{' 1' * (number % 3 == 2)}\n" for number in range(90)))
    with pytest.raises(GraphFormatError, match=r"line 3: 3 columns where 2 are expected; .*'adjlist'.*'groups'"):
        read_graph(path)


def test_adjacency_lists_are_not_groups(tmp_path: Path) -> None:
    path = tmp_path / "lists.txt"
    path.write_text(lines_of([[900 + number, *row] for number, row in enumerate(LISTS)]))
    with pytest.raises(GraphFormatError, match=r"columns? where"):
        read_graph(path)


def test_neighbours_of_numbered_nodes_are_not_groups(tmp_path: Path) -> None:
    # A METIS file without its suffix, whose every number is that of a line.
    cycle = [[(node - 1) % 30 + 1, (node + 1) % 30 + 1, *[1, 2, 3][: node % 4]] for node in range(30)]
    path = tmp_path / "metis.txt"
    path.write_text(lines_of([[30, 30], *cycle]))
    with pytest.raises(GraphFormatError, match=r"line 1: lines of different lengths; set format='groups'.*'metis'"):
        read_graph(path)
    assert read_graph(path, format="groups").nodes[0] == "line1"


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
    with pytest.raises(ParameterError, match="'groups' can be read, not written; choose another"):
        write_graph(Graph([0, 1, 2], [1, 0]), tmp_path / "graph.txt", format="groups")
    assert not list(tmp_path.iterdir())
