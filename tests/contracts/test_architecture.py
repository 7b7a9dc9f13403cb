"""What docs/architecture.md says is so: the way of an edge list, and what to touch to add a part."""

from __future__ import annotations

import json
import re
import sys
import threading
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from tests.browser.conftest import page_of
from tests.cli.conftest import Invoke, invoke  # noqa: F401
from tests.contracts.toys import column, command, engine
from vnestruct import GraphFormatError, RoleClusterer, embed, read_graph
from vnestruct.cli import main
from vnestruct.cli.commands import COMMANDS
from vnestruct.embedding.parameters import ENGINES, KINDS
from vnestruct.explore import page
from vnestruct.graph.synthetic import barabasi_albert, barbell
from vnestruct.io import write_graph
from vnestruct.io.registry import FORMATS, Format
from vnestruct.roles.names import NOUNS

PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
TOY = "tests.contracts.toys.format"
STEP = re.compile(r"^\d+\. \[`([\w.]+)`\]\(\.\./src/([\w/]+\.py)\)", re.MULTILINE)


def steps() -> list[tuple[str, str]]:
    """(file, function) of every step of the walk."""
    return [(file, function) for function, file in STEP.findall(PAGE.read_text())]


def test_the_walk_is_short_and_every_step_exists() -> None:
    walk = steps()
    assert 10 <= len(walk) <= 13
    for file, function in walk:
        place: Any = import_module(file.removesuffix(".py").replace("/", "."))
        for name in function.split("."):
            place = getattr(place, name)
        assert callable(place), f"{file}: {function}"


def test_a_real_run_passes_every_step_in_order(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    edges, rows = tmp_path / "edges.txt", tmp_path / "rows.parquet"
    write_graph(barabasi_albert(300, 3, seed=1), edges)
    source = Path(__file__).parents[2] / "src"
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(source)):
            calls.append((str(Path(code.co_filename).relative_to(source)), code.co_qualname))

    before = sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        assert main(["embed", str(edges), "-o", str(rows), "-q"]) == 0
    finally:
        sys.setprofile(before)
        threading.setprofile(None)
    assert rows.exists()
    positions = []
    for step in steps():
        assert step in calls, f"{step} is not on the path"
        positions.append(calls.index(step))
    assert positions == sorted(positions)


def test_adding_a_format(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    line = Format("dashes", f"{TOY}:read_dashes", f"{TOY}:write_dashes", (".dashes",))
    monkeypatch.setitem(sys.modules[Format.__module__].__dict__, "FORMATS", [*FORMATS, line])
    graph = barabasi_albert(50, 2, seed=1)
    write_graph(graph, tmp_path / "graph.dashes.gz")
    again = read_graph(tmp_path / "graph.dashes.gz")
    assert (again.n_nodes, again.n_edges) == (graph.n_nodes, graph.n_edges)
    by_name = dict(zip(again.nodes.tolist(), embed(again, 2).tolist(), strict=True))
    for label, row in zip(graph.nodes.tolist(), embed(graph, 2), strict=True):
        np.testing.assert_allclose(by_name[str(label)], row, atol=1e-12)
    (tmp_path / "bad.dashes").write_text("a--b\nc d\n")
    with pytest.raises(GraphFormatError, match=r"bad\.dashes, line 2: expected two labels"):
        read_graph(tmp_path / "bad.dashes")


def test_adding_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "size", "tests.contracts.toys.kind:SizeTask")
    path = [("a", "b"), ("b", "c"), ("c", "d")]
    expected = np.log([[2, 3], [3, 4], [3, 4], [2, 3]])
    np.testing.assert_allclose(embed(path, 2, kind="size"), expected)
    graph = barabasi_albert(200, 2, seed=2)
    both = embed(graph, 2, kind=["size", "approx"], n_jobs=2)
    assert np.array_equal(both[:, 2:], embed(graph, 2))
    assert np.array_equal(both[:, 0], np.log1p(graph.degrees))


def test_adding_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, options = barabasi_albert(200, 2, seed=3), {"kind": ["approx", "exact"]}
    expected = embed(graph, 2, **options)  # type: ignore[arg-type]
    monkeypatch.setitem(ENGINES, "serial", "tests.contracts.toys.engine:SerialBackend")
    engine.kinds_run.clear()
    assert np.array_equal(embed(graph, 2, engine="serial", **options), expected)
    assert engine.kinds_run == ["approx", "exact"]


def test_adding_a_command_and_an_option(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, invoke: Invoke) -> None:  # noqa: F811
    monkeypatch.setitem(sys.modules, "vnestruct.cli.commands.tally", command)
    monkeypatch.setitem(COMMANDS, "tally", "Print the number of nodes of a graph.")
    (tmp_path / "edges.csv").write_text("source,target\n1,2\n2,3\n")
    assert invoke("tally", tmp_path / "edges.csv", "--quiet").out == "3\n"
    assert invoke("tally", tmp_path / "edges.csv", "--quiet", "--least", 2).out == "1\n"
    assert "--least" in invoke("tally", tmp_path / "edges.csv", "--least", "few").error
    assert "tally     Print the number of nodes of a graph." in invoke("--help").out
    assert "--least LINKS" in invoke("tally", "--help").out


def test_adding_a_column_of_the_role_table(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    invoke: Invoke,  # noqa: F811
) -> None:
    monkeypatch.setattr("vnestruct.roles.clusterer.describe_roles", column.describe_with_links)
    model = RoleClusterer(2).fit(barbell(4, 1))
    assert model.summary()["links_inside"].tolist() == [6, 2]
    assert "links_inside" in model._repr_mimebundle_()["text/html"]
    write_graph(barbell(4, 1), tmp_path / "graph.csv")
    ended = invoke("roles", tmp_path / "graph.csv", "--roles", 2, "--json", "-o", tmp_path / "roles.csv")
    assert [role["links_inside"] for role in json.loads(ended.out)["roles"]] == [6, 2]
    assert "links_inside" in (tmp_path / "roles.summary.csv").read_text()


def test_adding_a_name_of_a_role(monkeypatch: pytest.MonkeyPatch) -> None:
    rule = ("members of triangles", lambda one: one.degree == 2 and one.clustering == 1)
    monkeypatch.setattr("vnestruct.roles.names.NOUNS", [rule, *NOUNS])
    roles = RoleClusterer().fit([("a", "b"), ("b", "c"), ("c", "a"), ("d", "e")]).describe()
    assert [role.name for role in roles] == ["members of triangles", "isolated pairs"]


def test_adding_a_view_of_the_page(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, browser: Any) -> None:
    script = Path(__file__).parent / "toys" / "view.js"
    monkeypatch.setattr(page, "_SCRIPTS", (*page._SCRIPTS[:-1], script, page._SCRIPTS[-1]))
    graph = barbell(4, 1)
    with page_of(browser, tmp_path, graph, RoleClusterer(2).fit(graph)) as shown:
        shown.tab.click("#roles .role[data-role='0']")
        assert shown.tab.text_content("#tally") == "6 nodes"
