"""The lines that people write first, each with its exact outcome."""

from __future__ import annotations

import copy
import re
import sys
import types
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import vnestruct
from vnestruct import RoleClusterer, VNEstruct, as_graph, embed, read_embedding, similar_nodes, write_embedding
from vnestruct.errors import NotAGraphError, ParameterError, UnknownNodeError
from vnestruct.explore import write_page
from vnestruct.graph import GraphSet, synthetic

FLIGHTS = pd.DataFrame({"origin": list("aabcd"), "dest": list("bccde"), "seats": [5, 1, 1, 2, 9]})
EDGES = list(zip(FLIGHTS["origin"], FLIGHTS["dest"], strict=True))


@pytest.fixture(scope="module")
def club() -> nx.Graph:
    return nx.karate_club_graph()


def test_columns_of_a_data_frame() -> None:
    columns = {"source": "origin", "target": "dest"}
    expected = embed(EDGES)
    for frame in (FLIGHTS, FLIGHTS.reset_index(), FLIGHTS.rename(columns={"origin": "start here"})):
        named = columns if "origin" in frame else columns | {"source": "start here"}
        np.testing.assert_array_equal(embed(frame, **named), expected)
        np.testing.assert_array_equal(VNEstruct(**named).fit_transform(frame), expected)
        roles = RoleClusterer(2, **named).fit(frame)
        assert roles.nodes_.tolist() == list("abcde")
        np.testing.assert_array_equal(roles.signatures_, embed(EDGES, kind="roles"))
        np.testing.assert_array_equal(roles.labels_, RoleClusterer(2).fit_predict(EDGES))
    # Both words are known, so nothing needs to be said.
    np.testing.assert_array_equal(embed(FLIGHTS), expected)


def test_a_weight_that_does_not_count_is_mentioned() -> None:
    weighted = embed(FLIGHTS, weight="seats", weighted=True)
    unweighted = embed(FLIGHTS)
    assert not np.array_equal(weighted, unweighted)
    for call in (
        lambda: embed(FLIGHTS, weight="seats"),
        lambda: VNEstruct(weight="seats").fit_transform(FLIGHTS),
        lambda: RoleClusterer(2, kind="approx", weight="seats").fit(FLIGHTS).signatures_,
    ):
        with pytest.warns(UserWarning, match="weight='seats' is read, but .* pass weighted=True to use weights"):
            np.testing.assert_array_equal(call(), unweighted)
    np.testing.assert_array_equal(embed(FLIGHTS, weight=False), unweighted)


def test_several_graphs_at_once() -> None:
    ring, star = nx.cycle_graph(5), nx.star_graph(4)
    expected = embed(GraphSet.from_graphs([ring, star]))
    np.testing.assert_allclose(expected, np.vstack([embed(ring), embed(star)]), rtol=0, atol=1e-12)
    for graphs in ([ring, star], (as_graph(ring), nx.to_scipy_sparse_array(star)), GraphSet.from_graphs([ring, star])):
        np.testing.assert_array_equal(VNEstruct().fit_transform(graphs), expected)
        np.testing.assert_array_equal(embed(graphs), expected)
        assert VNEstruct().fit(graphs).nodes_.tolist() == list(range(10))
        # All nodes of the ring, the leaves of the star, its centre.
        assert RoleClusterer(3).fit_predict(graphs).tolist() == [0] * 5 + [2] + [1] * 4
    with pytest.raises(NotAGraphError, match="a list of 2 graphs is not one graph; pass one of them"):
        as_graph([ring, star])


def test_similar_nodes_of_a_graph() -> None:
    path = as_graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    expected = [("e", 0.0), ("b", 0.23196158)]
    values = embed(path)
    for found in (
        similar_nodes(path, "a", k=2, kind="approx"),
        similar_nodes(path, node="a", k=2, kind="approx", radius=2),
        similar_nodes(values, "a", 2, nodes=path.nodes),
        similar_nodes(values.tolist(), "a", 2, nodes=tuple("abcde")),
    ):
        assert found == expected
    assert similar_nodes(path, "a", 1) == [("e", 0.0)]
    assert similar_nodes(values, 0, k=1) == [(4, 0.0)]
    grid = nx.grid_2d_graph(2, 3)
    assert similar_nodes(grid, (0, 0), k=3) == [((0, 2), 0.0), ((1, 0), 0.0), ((1, 2), 0.0)]
    with pytest.raises(UnknownNodeError, match="'z' is not in the graph"):
        similar_nodes(path, "z")


def test_roles_of_signatures(club: nx.Graph) -> None:
    graph = as_graph(club)
    for options in ({"kind": "approx", "radius": 1}, {"kind": "approx"}, {"kind": "noisy"}, {"kind": "profile"}):
        values = embed(graph, **options)
        direct = RoleClusterer(4, **options).fit(graph)
        frame = vnestruct.embedding_frame(graph, **options)
        for given in (values, values.tolist(), frame, frame.set_index("node"), np.asfortranarray(values)):
            roles = RoleClusterer(4).fit(given)
            assert roles.labels_.tolist() == direct.labels_.tolist()
            assert roles.nodes_.tolist() == graph.nodes.tolist()
            assert roles.predict(given).tolist() == direct.labels_.tolist()
    # Only names of columns say that signatures are those of kind roles, which need no unit.
    frame = vnestruct.embedding_frame(graph, kind="roles")
    assert RoleClusterer(4).fit(frame).labels_.tolist() == RoleClusterer(4).fit_predict(graph).tolist()


def test_signatures_in_a_pipeline_are_not_an_edge_list(club: nx.Graph) -> None:
    expected = RoleClusterer(4, kind="approx").fit_predict(club)
    labels = make_pipeline(VNEstruct(), RoleClusterer(4)).fit_predict(club)
    assert labels.tolist() == expected.tolist()
    frames = make_pipeline(VNEstruct(), RoleClusterer(4)).set_output(transform="pandas").fit(club)
    assert frames[-1].labels_.tolist() == expected.tolist()
    assert frames[-1].columns_ == ["h1", "h2"]
    scaled = make_pipeline(VNEstruct(), StandardScaler(), RoleClusterer(4)).fit_predict(club)
    assert scaled.shape == (34,)


def test_what_may_be_something_else_is_refused() -> None:
    with pytest.raises(ParameterError, match="may be an adjacency matrix"):
        RoleClusterer(2).fit(np.array([[0.0, 0.5, 0.1], [0.5, 0.0, 0.2], [0.1, 0.2, 0.0]]))
    with pytest.raises(NotAGraphError, match="holds fractions, so these are no edges"):
        embed(embed(synthetic.barbell(5, 3)))
    with pytest.raises(ParameterError, match="column 'a' holds floating-point numbers, which are no node labels"):
        RoleClusterer(2).fit(pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 3.0]}))
    # A signature of zeros is no self-loop.
    assert RoleClusterer(1).fit(embed([(0, 1), (2, 3)])).labels_.tolist() == [0] * 4


def test_cross_validation_over_nodes(club: nx.Graph) -> None:
    ids = np.array(list(club))
    degree = np.array([club.degree(node) > 3 for node in ids])
    model = make_pipeline(VNEstruct(radius=2, graph=club), LogisticRegression(C=100.0))
    folds = KFold(5, shuffle=True, random_state=0)
    scores = cross_val_score(model, ids, degree, cv=folds)
    values = embed(club)
    expected = cross_val_score(LogisticRegression(C=100.0), values, degree, cv=folds)
    np.testing.assert_array_equal(scores, expected)
    search = GridSearchCV(model, {"vnestruct__radius": [1, 2, 3]}, cv=folds).fit(ids, degree)
    for place, radius in enumerate((1, 2, 3)):
        alone = cross_val_score(LogisticRegression(C=100.0), embed(club, radius), degree, cv=folds)
        assert search.cv_results_["mean_test_score"][place] == alone.mean()


def test_node_ids_of_a_set_graph(club: nx.Graph) -> None:
    values = embed(club)
    for ids in ([33, 0, 0], np.array([[33], [0], [0]]), pd.Series([33, 0, 0])):
        np.testing.assert_array_equal(VNEstruct(graph=club).fit(list(club)).transform(ids), values[[33, 0, 0]])
    frame = VNEstruct(graph=club).set_output(transform="pandas").fit_transform([5, 3])
    assert frame.index.tolist() == [5, 3]
    with pytest.raises(UnknownNodeError, match="node 99 is not in the graph"):
        VNEstruct(graph=club).fit([1, 99])
    with pytest.raises(ParameterError, match="node ids in one column, not in 2"):
        VNEstruct(graph=club).fit(np.zeros((3, 2), int))
    graph = as_graph(club)
    assert copy.deepcopy(graph) is graph


def test_a_saved_embedding_gives_roles(club: nx.Graph, tmp_path: Path) -> None:
    graph = as_graph(club)
    write_embedding(tmp_path / "rows.csv", graph.nodes, embed(graph), ["h1", "h2"])
    roles = RoleClusterer(4).fit(read_embedding(tmp_path / "rows.csv"))
    assert roles.labels_.tolist() == RoleClusterer(4, kind="approx").fit_predict(graph).tolist()
    assert roles.nodes_.tolist() == graph.nodes.tolist()
    assert roles.columns_ == ["h1", "h2"]


def test_progress_in_a_notebook(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    shown: list[str] = []

    class ZMQInteractiveShell:
        """What runs the cells of a notebook."""

    def display(content: str, display_id: bool) -> types.SimpleNamespace:
        assert display_id
        shown.append(content)
        return types.SimpleNamespace(update=shown.append)

    ipython, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    module.HTML, module.display = str, display  # type: ignore[attr-defined]
    graph = synthetic.barabasi_albert(200, 2, 0)
    expected = embed(graph)
    for shell in (ZMQInteractiveShell(), None):
        ipython.get_ipython = lambda shell=shell: shell  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "IPython", ipython)
        monkeypatch.setitem(sys.modules, "IPython.display", module)
        np.testing.assert_array_equal(embed(graph, progress=True), expected)
        if shell is not None:
            assert '<progress value="1.0000"></progress> 100%' in shown[-1]
            shown.clear()
    # Elsewhere nothing is drawn, and work this short is not worth a line.
    assert shown == []
    assert capsys.readouterr().err == ""


def test_a_graph_in_a_notebook() -> None:
    graph = as_graph([("<b>a</b>", "x & y"), ("x & y", "z")])
    shown = graph._repr_html_()
    assert "3: &lt;b&gt;a&lt;/b&gt;, x &amp; y, z</td>" in shown
    assert "<td>2, undirected</td>" in shown
    assert "<td>1.3 on average, 2 at most</td>" in shown
    directed = as_graph([(0, 1, 2.0)], directed=True)._repr_html_()
    assert "<td>1, directed, 1 arcs, bipartite, weighted</td>" in directed
    assert "<td>0</td></tr><tr><td>edges</td><td>0, undirected</td>" in as_graph([])._repr_html_()


def test_roles_in_a_notebook() -> None:
    star = [("<i>hub</i>", leaf) for leaf in "abc"]
    roles = RoleClusterer(2, bipartite=False)
    assert "sk-" in roles._repr_mimebundle_()["text/html"]
    shown = roles.fit(star)._repr_mimebundle_()["text/html"]
    cells = [re.findall("<t[hd]>(.*?)</t[hd]>", row) for row in re.findall("<tr>(.*?)</tr>", shown)]
    assert cells[0] == list(roles.summary().columns)
    table = [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]
    assert [row["name"] for row in table] == roles.names_
    assert [row["nodes"] for row in table] == ["3", "1"]
    assert [row["examples"] for row in table] == ["a, b, c", "&lt;i&gt;hub&lt;/i&gt;"]
    from_signatures = RoleClusterer(2).fit(embed(star, 1))._repr_mimebundle_()["text/html"]
    assert re.findall("<th>(.*?)</th>", from_signatures) == ["role", "nodes", "share", "examples", "x1"]


def test_summary_is_a_data_frame(club: nx.Graph) -> None:
    roles = RoleClusterer().fit(club)
    frame = roles.summary()
    assert isinstance(frame, pd.DataFrame)
    assert frame["nodes"].tolist() == np.bincount(roles.labels_).tolist()
    assert frame["share"].sum() == pytest.approx(1.0)
    for name in frame.columns:
        assert frame[name].tolist() == [getattr(role, name) for role in roles.describe()]
    alone = RoleClusterer(3).fit(roles.signatures_)
    assert alone.summary().columns.tolist() == ["role", "nodes", "share", "examples", "x1", "x2", "x3", "x4", "x5"]
    np.testing.assert_array_equal(alone.summary()[["x1", "x2", "x3", "x4", "x5"]].to_numpy(), alone.centres_)
    assert alone.summary(club)["description"].tolist() == [role.description for role in alone.describe(club)]


def test_pictures_and_pages_of_roles(club: nx.Graph, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the plot extra is not installed")
    pytest.importorskip("igraph", reason="the plot extra is not installed")
    roles = RoleClusterer(3).fit(club)
    figure = roles.plot(title="A club")
    assert figure.get_suptitle() == "A club"
    assert [axes.get_title() for axes in figure.axes] == ["The graph: 34 nodes, 78 edges", "Signatures of all 34 nodes"]
    assert figure._repr_png_().startswith(b"\x89PNG")
    pytest.importorskip("igraph", reason="the explore extra is not installed")
    write_page(tmp_path / "page.html", club, roles, title="A club")
    page = roles.show(title="A club")
    assert page.html == (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page._repr_html_().startswith('<iframe srcdoc="&lt;!DOCTYPE html&gt;')
    alone = RoleClusterer(3).fit(roles.signatures_)
    assert alone.show(club, title="A club").html != ""
    for view in ("plot", "show"):
        with pytest.raises(ParameterError, match=rf"signatures alone; pass the graph as well: {view}\(graph\)"):
            getattr(alone, view)()
