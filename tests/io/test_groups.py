"""Groups and their members: one node per line and one per member, an edge per membership."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import for_each
from vnestruct.errors import GraphFormatError
from vnestruct.io import read_graph

# Thirty lines of one to five members; some come first on several lines, and ids are beyond the number of lines.
LISTS = [[7 * (row % 4) + 100 * member for member in range(1 + row % 5)] for row in range(30)]


@for_each("suffix", [".dat", ".unknown"])
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
    assert (graph.report.parallel_merged, graph.n_arcs) == (1, 5)
    path.write_text("1 2\n2 3 4\n")
    assert read_graph(path, format="groups+text").nodes.tolist()[2:] == ["1", "2", "3", "4"]
    path.write_text("ann bob\nline1 bob\n")
    with pytest.raises(GraphFormatError, match="'line1'"):
        read_graph(path, format="groups")
