"""`vnestruct explore`: a page from a file, and errors before any work."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import vnestruct
from tests.cli.conftest import Invoke
from tests.explore.pages import content_of
from vnestruct import embed_stream
from vnestruct.explore import write_page
from vnestruct.live import change_scores, read_events
from vnestruct.roles import RoleClusterer

pytest.importorskip("igraph")


def test_a_page_of_a_file(barbell_file: Path, tmp_path: Path, invoke: Invoke) -> None:
    page, known = tmp_path / "page.html", tmp_path / "known.txt"
    known.write_text("node label\n0 left\n26 right\n")
    done = invoke("explore", barbell_file, "--labels", known, "-o", page, "--json")
    assert done.code == 0
    result = json.loads(done.out)
    assert result["bytes"] == page.stat().st_size
    model = RoleClusterer().fit(vnestruct.read_graph(barbell_file))
    assert result["n_roles"] == model.n_roles_
    assert result["drawing"] == "All 27 nodes and all 98 links"
    assert f"Wrote {page}" in done.err
    head, arrays = content_of(page)
    graph = vnestruct.read_graph(barbell_file)
    assert head["title"] == "barbell.csv"
    assert np.array_equal(arrays["role"], model.labels_)
    assert head["classes"] == ["left", "right"]
    named = [None if label < 0 else head["classes"][label] for label in arrays["class"]]
    assert named[graph.position(0)] == "left"
    assert named[graph.position(26)] == "right"
    assert named.count(None) == 25


def test_a_given_number_of_roles_and_title(barbell_file: Path, tmp_path: Path, invoke: Invoke) -> None:
    page = tmp_path / "page.html"
    words = ["--roles", 2, "--title", "<Two>", "--kind", "noisy"]
    assert invoke("explore", barbell_file, *words, "-q", "-o", page).code == 0
    head, _ = content_of(page)
    assert head["title"] == "<Two>"
    assert len(head["roles"]) == 2
    assert len(head["columns"]) == 10
    assert head["radii"] is None


def test_names_from_a_table(barbell_file: Path, tmp_path: Path, invoke: Invoke) -> None:
    page, table = tmp_path / "page.html", tmp_path / "names.csv"
    table.write_text("number,called,side\n0,Zero,left\n26,Last,right\n99,Other,none\n")
    done = invoke("explore", barbell_file, "--nodes-table", table, "--name", "called", "-o", page)
    assert done.code == 0
    assert "rows for 2 of 27 nodes" in done.err
    head, _ = content_of(page)
    assert head["attributes"] == ["side"]
    assert [head["names"][head["labels"].index(node)] for node in ("0", "26", "5")] == ["Zero", "Last", ""]


def test_a_page_over_time(tmp_path: Path, invoke: Invoke) -> None:
    generator = np.random.default_rng(3)
    times, ends = np.sort(generator.uniform(0, 60, 900)), generator.integers(0, 40, (900, 2))
    rows = [f"{time:.3f},p{u},p{v}" for time, (u, v) in zip(times, ends, strict=True)]
    events, page = tmp_path / "events.csv", tmp_path / "page.html"
    events.write_text("\n".join(["when,from,to", *rows[:500], "soon,p1,p2", *rows[500:]]))
    words = ["--time", "when", "--window", "4s", "--every", "2s", "--roles", 3, "--kind", "approx", "--radius", 2]
    done = invoke("explore", events, *words, "-o", page, "--json")
    assert done.code == 0, done.err
    assert "900 events, 40 nodes" in done.err
    assert "1 lines are not events, e.g. line 502: 'soon' is not a time" in done.err
    head, arrays = content_of(page)
    # The page that the library writes, with roles from the mean signature of each node.
    batches = list(read_events(str(events), time="when"))
    periods = list(embed_stream(batches, 2, window=4, every=2))
    graph = vnestruct.as_graph([edge for batch in batches for edge in zip(batch.source, batch.target, strict=True)])
    own = [[period.signatures[period.nodes == node] for period in periods] for node in graph.nodes]
    means = [np.concatenate(found).mean(axis=0) for found in own]
    model = RoleClusterer(3, kind="approx").fit_signatures(means, graph.nodes, ["h1", "h2"])
    assert head["labels"] == graph.nodes.tolist()
    assert np.array_equal(arrays["role"], model.labels_)
    scores = change_scores([period.entropies for period in periods], short=3, long=7)
    write_page(tmp_path / "other.html", graph, model, periods=periods, scores=scores, title="events.csv")
    other, others = content_of(tmp_path / "other.html")
    assert head["periods"] == other["periods"]
    assert len(head["periods"]["start"]) == 30
    assert np.array_equal(arrays["periodRoles"], others["periodRoles"])
    assert len(np.unique(arrays["periodRoles"])) == 4
