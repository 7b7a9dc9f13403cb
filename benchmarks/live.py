"""How many changes per second a live graph takes, beside `update` in the same run; memory; radius 2 on demand."""

from __future__ import annotations

import time
import tracemalloc
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from benchmarks import harness
from benchmarks.harness import say
from benchmarks.inputs import load
from benchmarks.render import machine_line, table, targets_table
from benchmarks.targets import Row
from vnestruct import LiveGraph, embed, update
from vnestruct.graph import Graph, graph_from_ids

SEED = 17
INTEGERS_PER_SECOND = 300_000
STRINGS_PER_SECOND = 100_000
AGAINST_UPDATE = 100
BYTES_PER_ARC = 120


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    graphs: tuple[str, ...] = ("email-Enron", "dblp-2010")
    batch: int = 10_000
    updates: int = 300
    changes_at_radius_2: int = 1_000


QUICK = Settings(graphs=("tiny",), batch=50, updates=10, changes_at_radius_2=5)


def run_live(settings: Settings) -> dict[str, Any]:
    """Measure all graphs on one thread."""
    rows = []
    for name in settings.graphs:
        loaded = load(name)
        say(f"{loaded.title}: a stream of changes")
        rows.append({"name": loaded.title, "generated": loaded.generated, **_measure(loaded.graph, settings)})
    results = {"settings": asdict(settings), "machine": harness.machine(), "graphs": rows}
    return {**results, "targets": [asdict(row) | {"verdict": row.verdict} for one in rows for row in _targets(one)]}


def _measure(graph: Graph, settings: Settings) -> dict[str, Any]:
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    edges = np.stack([rows, graph.indices], axis=1)[rows < graph.indices]
    edges = edges[np.random.default_rng(SEED).permutation(len(edges))]
    half = len(edges) // 2
    # In turns: an edge that is not there is added, and the oldest one removed.
    changes = np.empty((2 * half, 2), np.int64)
    changes[0::2], changes[1::2] = edges[half : 2 * half], edges[:half]
    signs = np.tile([1, -1], half)
    begins = range(0, len(changes), settings.batch)
    batches = [(changes[i : i + settings.batch], signs[i : i + settings.batch]) for i in begins]
    names = [(list(map(tuple, edges.astype(str).tolist())), signs) for edges, signs in batches]
    first = edges[:half]
    _stream(first[:10], [(first[:10], -np.ones(10, int))])
    integers = _stream(first, batches)
    strings = _stream(list(map(tuple, first.astype(str).tolist())), names)
    before = graph_from_ids(first[:, 0], first[:, 1], n_nodes=graph.n_nodes)
    one_by_one = _updates(before, changes[: settings.updates], signs)
    return {
        "changes": len(changes),
        "integers": integers,
        "strings": strings,
        "update": one_by_one,
        "against_update": integers["per_second"] / one_by_one["per_second"],
        "memory": _memory(edges),
        "radius_2": _radius_2(graph_from_ids(*edges.T, n_nodes=graph.n_nodes), edges, settings.changes_at_radius_2),
    }


def _stream(first: Any, batches: list[tuple[Any, Any]]) -> dict[str, float]:
    """Apply batches, and read the changed signatures after each."""
    live = LiveGraph()
    live.apply(first)
    live.changed()
    n_read = n_changes = 0
    begin, busy = time.perf_counter(), time.process_time()
    for edges, signs in batches:
        live.apply(edges, sign=signs)
        n_read += len(live.signatures(live.changed()))
        n_changes += len(signs)
    seconds, processor = time.perf_counter() - begin, time.process_time() - busy
    assert np.array_equal(live.signatures(), embed(live.snapshot(), 1, n_jobs=1))
    return {
        "per_second": n_changes / processor,
        "per_second_of_wall_clock": n_changes / seconds,
        "rows_read_per_change": n_read / n_changes,
    }


def _updates(graph: Graph, changes: Any, signs: Any) -> dict[str, float]:
    H = embed(graph, 1, n_jobs=1)
    # The first two changes set up what later ones reuse.
    for i, (u, v) in enumerate(changes.tolist()):
        if i == 2:
            begin, busy = time.perf_counter(), time.process_time()
        result = update(graph, H, **{"added" if signs[i] > 0 else "removed": [(u, v)]}, n_jobs=1)
        graph, H = result.graph, result.H
    seconds, processor = time.perf_counter() - begin, time.process_time() - busy
    done = len(changes) - 2
    return {"per_second": done / processor, "per_second_of_wall_clock": done / seconds}


def _memory(edges: Any) -> dict[str, float]:
    """Return bytes per arc of a graph that has grown edge by edge: its arrays, and the most that was allocated."""
    tracemalloc.start()
    live = LiveGraph()
    for batch in np.array_split(edges, 64):
        live.apply(batch)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    arcs = 2 * live.n_edges
    return {"arrays": live.nbytes / arcs, "peak": peak / arcs}


def _radius_2(graph: Graph, edges: Any, n_changes: int) -> dict[str, float]:
    generator = np.random.default_rng(SEED)
    live = LiveGraph(graph, 2, n_jobs=1)
    live.signatures()
    live.apply(edges[: n_changes // 2], sign=-1)
    live.apply(generator.integers(0, graph.n_nodes, (n_changes - n_changes // 2, 2)))
    pending = live.pending()
    begin = time.process_time()
    values = live.signatures()
    seconds = time.process_time() - begin
    begin = time.process_time()
    expected = embed(live.snapshot(), 2, n_jobs=1)
    whole = time.process_time() - begin
    return {
        "nodes": pending.nodes,
        "share": pending.share,
        "expected_s": pending.seconds or 0.0,
        "seconds": seconds,
        "whole_s": whole,
        "largest_difference": float(np.abs(values - expected).max()),
    }


def _targets(one: dict[str, Any]) -> list[Row]:
    figures = [
        ("changes per second, integer labels", INTEGERS_PER_SECOND, one["integers"]["per_second"]),
        ("changes per second, string labels", STRINGS_PER_SECOND, one["strings"]["per_second"]),
        ("times as many as with `update`", AGAINST_UPDATE, one["against_update"]),
    ]
    rows = [
        Row(f"{one['name']}: {what}", f"at least {target:,}", f"{measured:,.0f}", measured >= target)
        for what, target, measured in figures
    ]
    peak = one["memory"]["peak"]
    return [*rows, Row(f"{one['name']}: bytes per arc, peak", f"at most {BYTES_PER_ARC}", f"{peak:.0f}", peak <= 120)]


def render_live(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks live`."""
    rows = [
        [
            one["name"], f"{one['changes']:,}", f"{one['integers']['per_second']:,.0f}",
            f"{one['strings']['per_second']:,.0f}", f"{one['update']['per_second']:,.0f}",
            f"{one['against_update']:,.0f}", f"{one['integers']['rows_read_per_change']:.1f}",
            f"{one['memory']['arrays']:.0f} ({one['memory']['peak']:.0f})",
        ]
        for one in results["graphs"]
    ]  # fmt: skip
    demand = [
        [
            one["name"], f"{one['radius_2']['nodes']:,}", f"{one['radius_2']['share']:.1%}",
            f"{one['radius_2']['expected_s']:.2f} s", f"{one['radius_2']['seconds']:.2f} s",
            f"{one['radius_2']['whole_s']:.2f} s", f"{one['radius_2']['largest_difference']:.0e}",
        ]
        for one in results["graphs"]
    ]  # fmt: skip
    header = ["graph", "changes", "per second, integers", "strings", "`update`", "ratio", "rows read per change",
              "bytes per arc (peak)"]  # fmt: skip
    return "\n".join(
        [
            "# Benchmarks: a graph that changes\n",
            machine_line(results["machine"]),
            "\nPer second of processor time, on one thread, which a busy machine affects little.\n",
            "## Targets\n",
            targets_table(results["targets"]),
            "\n## Radius 1, exact after every change\n",
            table(header, rows),
            f"\n## Radius 2 on demand, after {results['settings']['changes_at_radius_2']:,} changes\n",
            table(["graph", "nodes computed", "share", "expected", "time", "`embed`", "difference"], demand),
            "",
        ]
    )
