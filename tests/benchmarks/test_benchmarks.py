"""The arithmetic of the benchmarks, and that they run. No test asserts seconds: machines differ."""

import json

import networkx as nx
import numpy as np
import pytest
from benchmarks.computing import naive, naive_row
from benchmarks.harness import PeakMemory, compare, edges_of, load, render, shown, target
from benchmarks.large_graph import GROUP, write_large_graph

from benchmarks import __main__ as command
from tests.cases import for_each
from vnestruct import embed, read_graph
from vnestruct.graph import synthetic


@for_each("graph", [synthetic.barbell(6, 3), synthetic.grid(5, 6), synthetic.barabasi_albert(60, 3, 1)])
def test_the_naive_version_errs_upwards_and_little(graph):
    # Power iteration approaches the largest eigenvalue from below, and the entropy falls with it.
    network = nx.from_edgelist(edges_of(graph).tolist())
    error = np.array([naive_row(network, node, 2) for node in range(graph.n_nodes)]) - embed(graph, 2)
    assert error.min() >= -1e-9
    assert error.max() <= 0.05
    found = naive(graph, 2, budget=60.0)
    assert found["naive_nodes"] == graph.n_nodes
    arcs = sum(2 * nx.ego_graph(network, node, radius=2).number_of_edges() for node in network)
    assert found["arcs"] == arcs


def test_comparing_takes_turns_and_does_not_repeat_what_is_slow():
    calls = []
    timings = compare({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, repeats=3)
    assert calls == ["a", "b"] * 3
    assert len(timings["a"].seconds) == 3
    assert len(compare({"a": list}, repeats=3, once_above=-1.0)["a"].seconds) == 1


def test_peak_memory_sees_what_was_freed():
    peak = PeakMemory()
    np.ones(8_000_000).sum()
    assert peak.megabytes() >= 0.9 * 64


def test_targets_and_units():
    assert target("a", 1.2, "x", at_most=1.1) == {"what": "a", "target": "<= 1.1x", "measured": "1.2x", "met": False}
    assert target("b", 20.0, at_least=10)["met"] is True
    values = {"a_s": 0.0021, "b_mb": 12.3, "c_share": 0.5, "d_ratio": 2.0, "nodes": 1234, "same": False}
    texts = ["2.1 ms", "12 MB", "50.00%", "2.00x", "1,234", "NO"]
    assert [shown(key, value) for key, value in values.items()] == texts


def test_a_large_graph_is_symmetric_and_has_hubs(tmp_path):
    n_edges = write_large_graph(tmp_path / "graph.vng", 25_000)
    graph = read_graph(tmp_path / "graph.vng")
    keys = {tuple(edge) for edge in edges_of(graph).tolist()}
    assert len(keys) == n_edges == graph.n_edges
    assert graph.degrees[::GROUP].min() > 4_900
    backwards = np.repeat(np.arange(graph.n_nodes), graph.degrees) > graph.indices
    assert backwards.sum() == n_edges


LONG = ("core", "variants", "audits", "threads", "turns")


@pytest.mark.parametrize("name", ["live", "reading", *(pytest.param(name, marks=pytest.mark.full) for name in LONG)])
def test_benchmarks_run_and_have_one_form(name, tmp_path):
    command.main([name, "--quick", "--rounds", "1", "--output", str(tmp_path)])
    results = json.loads((tmp_path / f"{name}-quick.json").read_text())
    assert results.keys() == {"benchmark", "commit", "date", "machine", "settings", "targets", "tables"}
    assert all(row.keys() == {"what", "target", "measured", "met"} for row in results["targets"])
    assert (tmp_path / f"{name}-quick.md").read_text() == render(results)
    assert load("tiny").n_nodes == 2_000
