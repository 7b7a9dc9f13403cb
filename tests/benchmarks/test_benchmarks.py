"""The arithmetic of the benchmarks, and that they run. No test asserts seconds: machines differ."""

import json

import networkx as nx
import numpy as np
import pytest
from benchmarks.computing import naive, naive_row
from benchmarks.harness import compare, edges_of, render, shown, target

from benchmarks import __main__ as command
from vnestruct import embed
from vnestruct.graph.synthetic import barabasi_albert


def test_the_naive_version_errs_upwards_and_little():
    # Power iteration approaches the largest eigenvalue from below, and the entropy falls with it.
    graph = barabasi_albert(60, 3, 1)
    network = nx.from_edgelist(edges_of(graph).tolist())
    error = np.array([naive_row(network, node, 2) for node in range(graph.n_nodes)]) - embed(graph, 2)
    assert error.min() >= -1e-9
    assert error.max() <= 0.05
    assert naive(graph, 2, budget=60.0)["naive_nodes"] == graph.n_nodes


def test_comparing_takes_turns():
    calls = []
    compare({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, repeats=3)
    assert calls == ["a", "b"] * 3


def test_targets_and_units():
    assert target("a", 1.2, "x", at_most=1.1) == {"what": "a", "target": "<= 1.1x", "measured": "1.2x", "met": False}
    values = {"a_s": 0.0021, "b_mb": 12.3, "c_share": 0.5, "d_ratio": 2.0, "nodes": 1234, "same": False}
    texts = ["2.1 ms", "12 MB", "50.00%", "2.00x", "1,234", "NO"]
    assert [shown(key, value) for key, value in values.items()] == texts


@pytest.mark.parametrize("name", ["live", *(pytest.param(name, marks=pytest.mark.full) for name in ("core", "turns"))])
def test_benchmarks_run_and_have_one_form(name, tmp_path):
    command.main([name, "--quick", "--rounds", "1", "--output", str(tmp_path)])
    results = json.loads((tmp_path / f"{name}-quick.json").read_text())
    assert results.keys() == {"benchmark", "commit", "date", "machine", "settings", "targets", "tables"}
    assert (tmp_path / f"{name}-quick.md").read_text() == render(results)
