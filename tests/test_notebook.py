"""What notebooks show of graphs, roles and running work: text from the user is text and nothing else."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import numpy as np
import pytest

from vnestruct import RoleClusterer, as_graph, embed
from vnestruct.explore import write_page
from vnestruct.graph.synthetic import barabasi_albert, barbell


def test_graphs() -> None:
    shown = as_graph([("<b>a</b>", "x & y"), ("x & y", "z")])._repr_html_()
    assert "3: &lt;b&gt;a&lt;/b&gt;, x &amp; y, z</td>" in shown
    assert "<td>2, undirected</td>" in shown
    assert "<td>1.3 on average, 2 at most</td>" in shown
    assert "1, directed, 1 arcs, bipartite, weighted" in as_graph([(0, 1, 2.0)], directed=True)._repr_html_()
    assert "<td>0, undirected</td>" in as_graph([])._repr_html_()


def test_roles() -> None:
    star = [("<i>hub</i>", leaf) for leaf in "abc"]
    roles = RoleClusterer(2, bipartite=False)
    assert "sk-" in roles._repr_mimebundle_()["text/html"]
    shown = roles.fit(star)._repr_mimebundle_()["text/html"]
    header, *rows = [re.findall("<t[hd]>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", shown)]
    assert header == list(roles.summary().columns)
    assert [row[header.index("name")] for row in rows] == roles.names_
    assert [row[header.index("examples")] for row in rows] == ["a, b, c", "&lt;i&gt;hub&lt;/i&gt;"]
    from_signatures = RoleClusterer(2).fit(embed(star, 1))._repr_mimebundle_()["text/html"]
    assert re.findall("<th>(.*?)</th>", from_signatures) == ["role", "nodes", "share", "examples", "x1"]


def test_pages(tmp_path: Path) -> None:
    pytest.importorskip("igraph", reason="the explore extra is not installed")
    graph = barbell(5, 2)
    roles = RoleClusterer(3).fit(graph)
    write_page(tmp_path / "page.html", graph, roles, title="Two groups")
    page = roles.show(title="Two groups")
    assert page.html == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')


@pytest.mark.parametrize("is_notebook", [True, False])
def test_progress(is_notebook: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A bar in a notebook; elsewhere nothing, since work this short is not worth a line."""
    shown: list[str] = []

    class ZMQInteractiveShell:
        """What runs the cells of a notebook."""

    def display(content: str, display_id: bool) -> types.SimpleNamespace:
        shown.append(content)
        return types.SimpleNamespace(update=shown.append)

    ipython, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    ipython.get_ipython = lambda: ZMQInteractiveShell() if is_notebook else None  # type: ignore[attr-defined]
    module.HTML, module.display = str, display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    graph = barabasi_albert(200, 2, 0)
    np.testing.assert_array_equal(embed(graph, progress=True), embed(graph))
    assert [text for text in shown[-1:] if '<progress value="1.0000"></progress> 100%' in text] == shown[-1:]
    assert bool(shown) == is_notebook
    assert capsys.readouterr().err == ""
