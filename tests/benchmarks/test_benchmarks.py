"""The arithmetic of the benchmarks, and that they run. No test asserts seconds: machines differ."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from benchmarks.arcs import ball_arcs
from benchmarks.harness import (
    PeakMemory,
    Timing,
    compare,
    growth_exponent,
    in_fresh_process,
    nanoseconds_per_cycle,
    thread_ceiling,
)
from benchmarks.render import render_core, render_reading, table

from benchmarks import __main__ as command
from benchmarks import core, inputs, naive, reading, speed, targets
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO
from vnestruct import embed
from vnestruct.graph import Graph, synthetic


def arcs_of_ball(graph: Graph, node: int, radius: int) -> int:
    inside = oracles.ball(graph, node, radius)
    return sum(len(oracles.neighbours(graph, other) & inside) for other in inside)


@pytest.mark.parametrize("exponent", [0.5, 1.0, 1.7])
def test_growth_exponent_recovers_a_power(exponent):
    sizes = np.array([1e4, 3e4, 1e5, 1e6])
    assert growth_exponent(sizes, 3e-7 * sizes**exponent) == pytest.approx(exponent, abs=1e-9)


def test_growth_exponent_ignores_a_constant_factor_of_noise_at_both_ends():
    sizes = [1e4, 1e5, 1e6]
    assert growth_exponent(sizes, [1.1, 10.0, 110.0]) == pytest.approx(1.0)


@for_each("radius", [1, 2, 3, 4])
def test_ball_arcs_are_those_of_brute_force(radius):
    for name, graph in ZOO.items():
        arcs = ball_arcs(graph, radius, n_threads=1)
        assert arcs.all_nodes == sum(arcs_of_ball(graph, node, radius) for node in range(graph.n_nodes)), name
        assert 0 <= arcs.built <= arcs.all_nodes, name
        assert arcs.n_built <= graph.n_nodes, name


def test_ball_arcs_do_not_depend_on_threads():
    graph = synthetic.barabasi_albert(2_000, 5, seed=2)
    assert ball_arcs(graph, 2, n_threads=1) == ball_arcs(graph, 2, n_threads=2)


def test_the_counters_of_a_run_count_the_arcs_built():
    graph = synthetic.barabasi_albert(2_000, 5, seed=2)
    breakdown = speed.instrumented(graph, 2, 2)
    arcs = ball_arcs(graph, 2)
    assert breakdown.counters["ARCS"] == arcs.built
    assert breakdown.counters["BALLS"] == arcs.n_built
    np.testing.assert_array_equal(breakdown.values, embed(graph, 2))


def test_the_naive_version_computes_signatures():
    for name, graph in ZOO.items():
        slow = naive.to_networkx(graph)
        generator = np.random.default_rng(0)
        rows = [naive.naive_row(slow, v, 2, generator, steps=20_000, change=1e-15)[0] for v in range(graph.n_nodes)]
        expected = oracles.signature(graph, 2)
        np.testing.assert_allclose(np.array(rows).reshape(-1, 2), expected, atol=1e-6, err_msg=name)


@for_each("name", ["barbell", "grid", "barabasi albert", "cycle with chords"])
def test_a_hundred_steps_err_upwards_and_little(name):
    graph = ZOO[name]
    slow = naive.to_networkx(graph)
    sample = naive.naive_sample(slow, 2, budget=math.inf)
    assert sorted(sample.nodes.tolist()) == list(range(graph.n_nodes))
    # Power iteration approaches the largest eigenvalue from below, and the entropy falls with it.
    error = sample.rows - oracles.signature(graph, 2)[sample.nodes]
    assert error.min() >= -1e-9
    assert error.max() <= 0.05
    assert sample.arcs.tolist() == [arcs_of_ball(graph, node, 2) for node in sample.nodes.tolist()]


def test_the_sample_is_the_same_every_time_and_stops_at_its_budget():
    slow = naive.to_networkx(synthetic.barabasi_albert(200, 3, seed=1))
    first, second = (naive.naive_sample(slow, 2, budget=0.0) for _ in range(2))
    assert first.nodes.tolist() == second.nodes.tolist()
    assert first.nodes.size == naive.LEAST_NODES


def test_extrapolation_is_seconds_per_arc_times_all_arcs():
    sample = naive.Sample(np.arange(3), np.array([1.0, 2.0, 3.0]), np.array([10, 20, 30]), np.zeros((3, 1)))
    assert sample.total_seconds(600) == pytest.approx(60.0)
    # Seconds in exact proportion to arcs leave no doubt.
    assert sample.relative_error() == pytest.approx(0.0, abs=1e-12)
    uneven = replace(sample, seconds=np.array([2.0, 2.0, 2.0]))
    assert uneven.relative_error() == pytest.approx(math.sqrt(1.5 * 2.0) / 6.0)
    assert replace(sample, nodes=np.arange(1)).relative_error() == math.inf


def test_comparing_takes_turns_and_does_not_repeat_what_is_slow():
    calls = []
    timings = compare({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, repeats=3)
    assert calls == ["a", "b"] * 3
    assert len(timings["a"].seconds) == 3
    assert len(compare({"a": list}, repeats=3, once_above=-1.0)["a"].seconds) == 1


def test_timings_know_best_and_median():
    timing = Timing((3.0, 1.0, 2.0), (0.3, 0.1, 0.2))
    assert (timing.best, timing.median) == (1.0, 2.0)
    assert timing.as_dict() == {"best_s": 1.0, "median_s": 2.0, "repeats": 3, "processor_s": 0.1}


def test_clocks_give_sensible_numbers():
    assert 0.05 < nanoseconds_per_cycle(0.02) < 100
    assert thread_ceiling(1, seconds=0.01) > 0


def test_peak_memory_sees_what_was_freed():
    peak = PeakMemory()
    np.ones(8_000_000).sum()
    assert peak.above_start() >= 0.9 * 64e6


def test_per_arc_adds_up():
    graph = synthetic.barabasi_albert(2_000, 5, seed=2)
    breakdown = speed.instrumented(graph, 2, 1)
    timing = Timing((breakdown.whole_s,), (breakdown.whole_s,))
    facts = speed.per_arc(breakdown, ball_arcs(graph, 2), timing, 1, nanoseconds_per_cycle(0.02))
    assert sum(facts["parts_ns"].values()) == pytest.approx(facts["ns_per_arc_and_thread"])
    assert 0 < facts["lane_use"] <= 1
    assert 1 <= facts["union_over_mean"] <= 8.01


def test_data_come_from_the_folder_named_or_are_generated(tmp_path, monkeypatch):
    monkeypatch.setenv("VNESTRUCT_DATA", str(tmp_path))
    assert inputs.load("tiny").generated
    assert "generated" in inputs.load("tiny").title
    (tmp_path / "graphs").mkdir()
    (tmp_path / "graphs" / "tiny.txt.gz").write_text("1 2\n2 3\n")
    loaded = inputs.load("tiny")
    assert not loaded.generated
    assert loaded.graph.n_edges == 2


TINY = replace(core.QUICK, graphs=("tiny",), naive_s=0.1, naive_elsewhere_s=0.1, igraph_repeats=1, growth_sides=(8, 16))


def test_core_runs_on_a_tiny_graph(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("VNESTRUCT_DATA", str(tmp_path))
    monkeypatch.setattr(core, "QUICK", replace(TINY, memory_case=("tiny", 2)))
    monkeypatch.setattr(core.harness, "thread_ceiling", lambda n_threads: float(n_threads))
    assert command.main(["core", "--quick", "--output", str(tmp_path)]) == 0
    results = json.loads((tmp_path / "core-quick.json").read_text())
    report = (tmp_path / "core-quick.md").read_text()
    assert report in capsys.readouterr().out
    assert report == render_core(results)
    assert "tiny (generated stand-in)" in report
    assert "extrapolation" in report
    (graph,) = results["graphs"]
    assert [run["radius"] for run in graph["runs"]] == [1, 2]
    assert all(run["naive"]["largest_difference"] < 1e-2 for run in graph["runs"])
    assert results["memory"]["peak_mb"] > 0
    # A stand-in meets no promise about a real graph.
    named = [row for row in results["targets"] if "growth" not in row["what"]]
    assert {row["verdict"] for row in named} == {"not run"}


def test_long_radii_are_left_out(monkeypatch):
    monkeypatch.setattr(speed, "warm_up", lambda: None)
    monkeypatch.setattr(core.harness, "thread_ceiling", lambda n_threads: float(n_threads))
    results = core.run_core(replace(TINY, radii=(1, 3), longest_s=0.0, memory_case=None))
    assert "left out" in results["graphs"][0]["runs"][1]["skipped"]
    assert "left out" in render_core(results)


def test_reading_runs_on_a_small_file(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "QUICK", reading.Settings(edges=2_000, nodes=300, repeats=1))
    assert command.main(["reading", "--quick", "--output", str(tmp_path)]) == 0
    results = json.loads((tmp_path / "reading-quick.json").read_text())
    assert set(results["readers"]) == {"vnestruct", "networkx", "pyarrow"}
    report = render_reading(results)
    assert "extrapolated linearly from 1/20" in report
    assert [row["verdict"] in ("yes", "NO") for row in results["targets"]] == [True] * 3


def test_targets_say_met_or_not():
    graph = {
        "name": "email-Enron",
        "generated": False,
        "igraph": {"ratio": 1.6},
        "runs": [
            {
                "radius": 2,
                "times": {"1": {"best_s": 4.0}, "2": {"best_s": 2.0}},
                "speedup": 2.0,
                "per_arc": {"ns_per_arc_and_thread": 7.0},
                "naive": {"ratio": 999.0, "relative_error": 0.1},
            }
        ],
    }
    growth = [{"nodes": [1, 2], "radius": 3, "order": "shuffled", "threads": 1, "exponent": 1.05}]
    rows = targets.core_rows({"graphs": [graph], "growth": growth, "memory": None})
    verdicts = {row["what"]: row["verdict"] for row in rows if "email-Enron" in row["what"] or "growth" in row["what"]}
    assert sorted(verdicts.values()) == ["NO", "NO", "yes", "yes", "yes"]
    assert rows[-1]["verdict"] == "not run"


def test_tables_are_aligned():
    lines = table(["a", "long"], [["value", 1]]).splitlines()
    assert len({len(line) for line in lines}) == 1


def test_a_failed_child_process_is_an_error():
    with pytest.raises(Exception, match="non-zero"):
        in_fresh_process("benchmarks.no_such_module")


def test_audits_are_compared_with_exact_runs(tmp_path):
    assert command.main(["audits", "--quick", "--output", str(tmp_path)]) == 0
    results = json.loads((tmp_path / "audits-quick.json").read_text())
    [run] = results["runs"]
    assert run["mean"][0] == 0.0
    assert max(run["mean"]) < 0.01
    assert min(run["sets_held"]) >= 9
    assert results["generated"]["edges"] > 10_000
    assert len(results["targets"]) == 5
