"""`vnestruct explore`: a page from a file, and errors before any work."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import vnestruct
from tests.cli.conftest import Invoke
from tests.explore.pages import content_of
from vnestruct.explore import write_page
from vnestruct.live import change_scores, read_events
from vnestruct.live.periods import mean_signatures
from vnestruct.roles import RoleClusterer

pytest.importorskip("igraph")


def test_a_page_of_a_file(barbell_file: Path, tmp_path: Path, invoke: Invoke) -> None:
    page, known, names = (tmp_path / name for name in ("page.html", "known.txt", "names.csv"))
    known.write_text("node label\n0 left\n26 right\n")
    names.write_text("number,called,side\n0,Zero,left\n26,Last,right\n99,Other,none\n")
    words = ["explore", barbell_file, "-o", page]
    done = invoke(*words, "--labels", known, "--nodes-table", names, "--name", "called", "--json")
    result, (head, arrays) = json.loads(done.out), content_of(page)
    graph = vnestruct.read_graph(barbell_file)
    model = RoleClusterer().fit(graph)
    assert (result["bytes"], result["n_roles"]) == (page.stat().st_size, model.n_roles_)
    assert result["drawing"] == "All 27 nodes and all 98 links"
    assert "rows for 2 of 27 nodes" in done.err
    assert head["title"] == "barbell.csv"
    assert np.array_equal(arrays["role"], model.labels_)
    named = {node: (head["names"][place], arrays["class"][place]) for place, node in enumerate(head["labels"])}
    assert (head["classes"], head["attributes"]) == (["left", "right"], ["side"])
    assert [named[node] for node in ("0", "26", "5")] == [("Zero", 0), ("Last", 1), ("", -1)]
    assert invoke(*words, "--roles", 2, "--title", "<Two>", "--kind", "noisy", "-q").code == 0
    head, _ = content_of(page)
    assert (head["title"], len(head["roles"]), len(head["columns"]), head["radii"]) == ("<Two>", 2, 10, None)


def test_a_page_over_time(tmp_path: Path, invoke: Invoke) -> None:
    generator = np.random.default_rng(3)
    times, ends = np.sort(generator.uniform(0, 60, 900)), generator.integers(0, 40, (900, 2))
    rows = [f"{time:.3f},p{u},p{v}" for time, (u, v) in zip(times, ends, strict=True)]
    events, page, other = (tmp_path / name for name in ("events.csv", "page.html", "other.html"))
    events.write_text("\n".join(["when,from,to", *rows[:500], "soon,p1,p2", *rows[500:]]))
    words = f"--time when --window 4s --every 2s --roles 3 --kind approx --radius 2 -o {page} --json"
    done = invoke("explore", events, *words.split())
    assert "900 events, 40 nodes" in done.err
    assert "1 lines are not events, e.g. line 502: 'soon' is not a time" in done.err
    # The page that the library writes, with roles from the mean signature of each node.
    batches = list(read_events(str(events), time="when"))
    graph, means, columns, periods = mean_signatures(batches, 2, window=4, every=2)
    own = [period.signatures[period.nodes == graph.nodes[7]] for period in periods]
    np.testing.assert_allclose(means[7], np.concatenate(own).mean(axis=0))
    model = RoleClusterer(3, kind="approx").fit_signatures(means, graph.nodes, columns)
    scores = change_scores([period.entropies for period in periods], short=3, long=7)
    write_page(other, graph, model, periods=periods, scores=scores, title="events.csv")
    assert page.read_bytes() == other.read_bytes()
    assert len(periods) == 30
