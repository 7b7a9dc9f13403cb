"""Signatures from a cluster: the same bits as from threads, whatever dies while they are computed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from vnestruct import VNEstruct, embed, read_graph
from vnestruct.cli import main
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.errors import EngineError, TooLargeError
from vnestruct.graph import graph_from_pairs, synthetic
from vnestruct.io import write_graph

pytest.importorskip("ray", reason="Ray is not installed")


@pytest.fixture(scope="module")
def busy():
    """A graph that keeps three workers busy for some seconds at radius 3."""
    graph = synthetic.barabasi_albert(5_000, 3, seed=1)
    return graph, embed(graph, 3)


def random_arcs():
    """A directed and weighted graph."""
    rng = np.random.default_rng(3)
    source, target = rng.integers(0, 150, (2, 400))
    return graph_from_pairs(source, target, rng.random(400) + 0.5, directed=True)


@pytest.mark.usefixtures("whole_cluster")
@pytest.mark.parametrize(
    "options",
    [
        {"kind": ["exact", "approx"], "direction": "out+in", "aggregate": "mean"},
        {"weighted": True, "kind": "quadratic"},
        {"radius": 1},
        {"kind": "roles", "direction": "out+in"},
        {"kind": "profile", "weighted": True},
        {"kind": "noisy"},
    ],
    ids=str,
)
def test_all_settings(options, monkeypatch):
    monkeypatch.setattr("vnestruct.embedding.tasks._SHORT_COST", 0.0)
    graph = random_arcs()
    expected = embed(graph, **options)
    assert np.array_equal(embed(graph, engine="ray", **options), expected)
    assert np.array_equal(VNEstruct(engine="ray", **options).fit_transform(graph), expected)


def test_a_short_run_starts_no_cluster(monkeypatch):
    def start(*arguments):
        raise AssertionError("a cluster was started")

    monkeypatch.setattr("vnestruct.execute.ray.RayEngine.__init__", start)
    path = [(0, 1), (1, 2), (2, 3)]
    assert np.array_equal(embed(path, 2, engine="ray"), embed(path, 2))
    assert np.array_equal(embed(path, 1, engine="ray"), embed(path, 1))
    with pytest.raises(AssertionError, match="a cluster was started"):
        embed(path, 1, kind="exact", engine="ray")


@pytest.mark.usefixtures("whole_cluster")
def test_a_ball_that_is_too_large_is_named_by_its_label():
    rim = [f"node {i}" for i in range(41_000)]
    graph = graph_from_pairs(rim + rim, ["hub"] * len(rim) + rim[1:] + rim[:1])
    with pytest.raises(TooLargeError, match=r"`kind='exact'` needs all .*; one around node 'node 0' has 41,001 nodes"):
        embed(graph, 2, kind="exact", nodes=["node 0"], engine="ray")


def kill_one_node(nodes, share, graph):
    """Embed on the cluster; one of its nodes dies when a share of the work is done, while blocks run on it."""
    killers = []

    def watch(done, total):
        if not killers and done > share * total:
            killers.append(threading.Thread(target=nodes.kill, args=(nodes.others[0],)))
            killers[0].start()

    try:
        return embed(graph, 3, engine="ray", progress=watch)
    finally:
        assert len(killers) == 1
        killers[0].join()


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.full) for seed in range(1, 11))])
def test_a_node_dies(seed, whole_cluster, busy):
    graph, expected = busy
    found = kill_one_node(whole_cluster, random.Random(seed).uniform(0.0, 0.8), graph)
    assert np.array_equal(found, expected)


DRIVER = """
import sys
from vnestruct.cli import main
sys.exit(main(sys.argv[1:]))
"""


def wait_for_shards(run: Path, process: subprocess.Popen[str], number: int) -> None:
    deadline = time.monotonic() + 60
    while len(list(run.glob("shard-*.npz"))) < number and process.poll() is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def start(words: list[object]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", DRIVER, *map(str, words)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def test_the_driver_is_killed_and_started_again(whole_cluster, busy, tmp_path):
    """First killed, then interrupted, then finished; the plan of a .vng is shared through the checkpoint."""
    graph, expected = busy
    file, run, rows = tmp_path / "busy.vng", tmp_path / "run", tmp_path / "rows.npy"
    write_graph(graph, file)
    words = ["embed", file, "-r", 3, "--engine", "ray", "--address", whole_cluster.address, "--checkpoint", run]
    words += ["-o", rows, "-q"]
    with start(words) as process:
        wait_for_shards(run, process, 5)
        process.kill()
    assert process.returncode == -signal.SIGKILL
    n_kept = len(list(run.glob("shard-*.npz")))
    assert n_kept >= 5
    with start(words) as process:
        wait_for_shards(run, process, n_kept + 5)
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, message = process.communicate(timeout=30)
    assert process.returncode == 130, message
    assert "finished rows are kept in" in message
    assert time.monotonic() - begin < 3 * max(1.0, os.getloadavg()[0] / 2)
    assert not rows.exists()
    assert main([str(word) for word in words]) == 0
    assert np.array_equal(np.load(rows), expected)
    [plan] = (run / "plans").iterdir()
    assert read_graph(plan).n_edges == graph.n_edges


@pytest.mark.usefixtures("whole_cluster")
def test_a_file_in_ranks_is_opened_where_it_lies(busy, tmp_path):
    graph, expected = busy
    plan = plan_ranked(rank_graph(graph), reduce_leaves=True)
    file = tmp_path / "ranked.vng"
    write_graph(type(graph)(plan.graph.indptr, plan.graph.indices), file)
    found = embed(file, 3, engine="ray", checkpoint=tmp_path / "run")
    assert np.array_equal(found, expected[plan.node])
    assert not (tmp_path / "run" / "plans").exists()


@pytest.mark.usefixtures("whole_cluster")
def test_a_file_that_workers_cannot_open(busy, tmp_path, monkeypatch):
    from vnestruct.embedding import plan as plans

    graph, _ = busy
    file = tmp_path / "busy.vng"
    write_graph(graph, file)
    reduce = plans.Plan.__reduce__

    def elsewhere(plan):
        function, arguments = reduce(plan)
        return function, tuple("/nowhere/ranked.vng" if argument is plan.file else argument for argument in arguments)

    monkeypatch.setattr(plans.Plan, "__reduce__", elsewhere)
    with pytest.raises(EngineError, match=r"/nowhere/ranked\.vng.*storage that all machines share"):
        embed(file, 3, engine="ray", checkpoint=tmp_path / "run")


@pytest.mark.usefixtures("whole_cluster")
def test_an_interrupt_leaves_the_cluster_usable(busy):
    graph, expected = busy

    def press(done, total):
        if done > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        embed(graph, 3, engine="ray", progress=press)
    assert np.array_equal(embed(graph, 3, engine="ray"), expected)
