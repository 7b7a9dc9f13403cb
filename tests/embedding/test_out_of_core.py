"""Plans built in slices, arcs kept in files: the same bits in less memory, or a clear error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cases import for_each
from tests.graphs import blown_up
from vnestruct import embed, read_graph
from vnestruct.cli import main
from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.backends.out_of_core import PROGRAM_BYTES, OutOfCoreBackend, ranked_from_file
from vnestruct.embedding.embed_graph import open_run
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import planned_passes, prepare, signature_matrix
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.errors import ParameterError, TooLargeError
from vnestruct.graph import graph_from_pairs, synthetic
from vnestruct.io import read_vng, write_graph

PLENTY = 4_000_000_000


def mapped(graph, folder: Path):
    write_graph(graph, folder / "graph.vng")
    return read_vng(folder / "graph.vng")


GRAPHS = {
    "hubs": synthetic.barabasi_albert(500, 3, seed=3),
    "grid": synthetic.grid(12, 9, shuffled=2),
    "star": synthetic.star(20),
    "twins": blown_up(synthetic.barabasi_albert(120, 2, seed=3), seed=1),
    "nothing": graph_from_pairs([], [], nodes=["a", "b"]),
    "two": graph_from_pairs([1, 5, 5, 9], [2, 6, 7, 10], nodes=[0, 1, 2]),
}


@for_each("slice_arcs", [1, 7, 64, 10**6])
@for_each("name", GRAPHS)
def test_slices_give_the_graph_in_ranks(name, slice_arcs, tmp_path):
    graph = mapped(GRAPHS[name], tmp_path)
    expected = rank_graph(graph)
    found = ranked_from_file(graph, tmp_path / "plans", slice_arcs)
    for one, other in zip((*found.graph[:3], *found[:2]), (*expected.graph[:3], *expected[:2]), strict=True):
        assert one.dtype == other.dtype
        assert not one.flags.writeable
        np.testing.assert_array_equal(one, other)
    assert read_vng(found.file, verify=True).n_edges == graph.n_edges


@for_each(
    "options",
    [{"radius": 1}, {"radius": 3}, {"radius": 2, "kind": ["quadratic", "exact"], "aggregate": "std"}],
)
@for_each("name", GRAPHS)
@for_each("n_jobs", [1, 2])
def test_the_same_bits_as_in_memory(name, options, n_jobs, tmp_path):
    graph = mapped(GRAPHS[name], tmp_path)
    settings = checked_settings(**options)
    with open_run(graph, settings, n_jobs=n_jobs, max_memory=PLENTY) as run:
        folder = run.backend.folder
        values = signature_matrix(graph, settings, None, run)
    assert np.array_equal(values, embed(GRAPHS[name], **options))
    assert not folder.exists()


def test_weights_and_directions_count_the_arcs(tmp_path):
    rng = np.random.default_rng(1)
    directed = graph_from_pairs(*rng.integers(0, 60, (2, 200)), rng.random(200) + 1, directed=True)
    graph = mapped(directed, tmp_path)
    for options in ({"weighted": True}, {"direction": "out"}, {}):
        values = embed(graph, 2, n_jobs=1, max_memory=PLENTY, **options)
        assert np.array_equal(values, embed(directed, 2, **options)), options


def test_counts_go_to_a_file_where_memory_is_short(tmp_path):
    backend = OutOfCoreBackend(ThreadsBackend(1), mapped(GRAPHS["two"], tmp_path), PLENTY)
    for room in (4_000, 3_999):
        counts = backend.zeros(1_000, room)
        assert isinstance(counts.base, np.memmap) == (room < 4_000)
        assert counts.flags.writeable
        assert not counts.any()
        counts[:] = 1
    assert not list(backend.folder.iterdir())
    backend.close()


@pytest.mark.parametrize("radius", [1, 2])
def test_too_little_memory_is_refused_before_the_work(radius, tmp_path):
    graph = mapped(GRAPHS["hubs"], tmp_path)
    with pytest.raises(TooLargeError, match=r"needs \d+ MB of memory, more than the limit of 262 MB; raise the limit"):
        embed(graph, radius, n_jobs=1, max_memory=PROGRAM_BYTES)


def test_a_ball_that_does_not_fit_is_named(tmp_path):
    ring = [f"leaf {i}" for i in range(40_000)]
    graph = mapped(graph_from_pairs(["hub"] * 40_000 + ring[:-1], ring + ring[1:]), tmp_path)
    with pytest.raises(TooLargeError, match=r"balls around node '.*' and the nodes computed with it have 40,001 nodes"):
        embed(graph, 2, n_jobs=1, max_memory=PROGRAM_BYTES + 20_000_000)


def test_only_mapped_graphs_can_stay_out_of_memory(tmp_path, capsys):
    with pytest.raises(ParameterError, match=r"`max_memory` needs a graph that is mapped from a \.vng file"):
        embed(GRAPHS["hubs"], 1, max_memory=PLENTY)
    edges = tmp_path / "edges.txt"
    edges.write_text("0 1\n1 2\n")
    assert main(["embed", str(edges), "--max-memory", "2G", "-q"]) == 2
    assert "convert it first" in capsys.readouterr().err
    with pytest.raises(ParameterError, match="`max_memory` must be a size such as 2G or 500M, not 'much'"):
        embed(edges, 1, max_memory="much")


LIMITED = """
import json, resource, sys
from pathlib import Path
from vnestruct import embed
from vnestruct.cli import main
file, rows, extra, out_of_core = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "out of core"

def status(field):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field + ":"))

# Everything is imported and compiled; what comes on top of that is counted.
embed([(0, 1), (1, 2)], radius=1)
embed([(0, 1), (1, 2)], radius=2)
limit = status("VmData") + extra
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
words = ["embed", file, "-r", "1", "-j", "1", "-q", "-o", rows]
# What is asked for is less than what is given, by the stack of a thread and what allocation wastes.
code = main([*words, "--max-memory", str(extra - 20_000_000 + 262_144_000)] if out_of_core else words)
print(json.dumps({"code": code}))
"""


def test_memory_stays_within_its_limit(tmp_path):
    """The system gives no more than the limit; in memory the same work does not get through."""
    from benchmarks.large_graph import write_large_graph

    n_nodes, extra = 300_000, 80_000_000
    file, rows = tmp_path / "graph.vng", tmp_path / "rows.npy"
    n_edges = write_large_graph(file, n_nodes, n_distances=40)
    # Arcs in ranks and the triangles on each, and for each node its rank, sums and value: too much for memory.
    assert 8 * n_edges + 60 * n_nodes > extra

    def run(how):
        command = [sys.executable, "-c", LIMITED, str(file), str(rows), str(extra), how]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return json.loads(done.stdout.splitlines()[-1])["code"], done.stderr

    code, errors = run("out of core")
    assert code == 0, errors
    found = np.load(rows)
    assert np.array_equal(found, embed(read_graph(file), 1))
    code, errors = run("in memory")
    assert code == 1
    assert "not enough memory" in errors


def test_a_plan_of_a_file_travels_by_name(tmp_path):
    import pickle

    graph = mapped(GRAPHS["hubs"], tmp_path)
    settings = checked_settings(2)
    with open_run(graph, settings, n_jobs=1, max_memory=PLENTY) as run:
        [signatures] = planned_passes(settings)
        here = prepare(graph, settings, signatures, np.ones(graph.n_nodes, bool), run)
        there = pickle.loads(pickle.dumps(here))
    assert there.graph is None
    np.testing.assert_array_equal(there.plan.graph.indices, here.plan.graph.indices)
    memory = pickle.dumps(plan_ranked(rank_graph(graph), reduce_leaves=True))
    assert len(memory) - len(pickle.dumps(here.plan)) > 0.9 * graph.indices.nbytes


@pytest.mark.full
def test_a_hundred_million_edges_within_two_gigabytes():
    from benchmarks.scale import mapped_graph

    facts = mapped_graph(6_000_000, 2_000_000_000)
    assert facts["edges"] >= 100_000_000
    # Mapped pages included, which the system would take back if it had to.
    assert facts["together_mb"] <= 2_000


@pytest.mark.full
def test_workers_share_a_graph_of_400_megabytes():
    pytest.importorskip("ray", reason="Ray is not installed")
    from benchmarks.ray_memory import worker_memory

    facts = worker_memory()
    assert facts["graph_mb"] >= 400
    assert max(facts["above_mb"]) <= 100
