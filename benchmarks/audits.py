"""Are estimates fast and their audits right? Compared with exact runs, and with fresh sets of nodes."""

from __future__ import annotations

import json
import resource
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from tests import generators as synthetic

from benchmarks import harness
from benchmarks.harness import say
from benchmarks.inputs import load
from benchmarks.render import machine_line, table, targets_table
from benchmarks.targets import Row
from vnestruct import Graph, embed

FASTER, SETS_HELD = 20.0, 95
MINUTES, GIGABYTES = 5.0, 4.0


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    cases: tuple[tuple[str, int], ...] = (
        ("email-Enron", 3), ("email-Enron", 4), ("musae_github", 3), ("musae_github", 4),
    )  # fmt: skip
    """Graph, radius."""
    target: float = 0.01
    sets: int = 100
    nodes_per_set: int = 200
    generated_nodes: int = 900_000
    """Nodes of a power-law graph, with 5.6 times as many edges, that is too large to compute exactly."""
    generated_radius: int = 3
    threads: int = 2


QUICK = Settings(cases=(("tiny", 3),), sets=10, generated_nodes=3_000, threads=1)


def run_audits(settings: Settings) -> dict[str, Any]:
    """Measure every case, and the generated graph in a process of its own."""
    machine = harness.machine()
    runs = []
    for name, radius in settings.cases:
        runs.append({"graph": name, **_compared(load(name).graph, radius, settings)})
        say(f"{name}, radius {radius}: {runs[-1]['faster']:.0f} times faster")
    arguments = (settings.generated_nodes, settings.generated_radius, settings.target, settings.threads)
    generated = harness.in_fresh_process("benchmarks.audits", *map(str, arguments))
    results: dict[str, Any] = {"settings": asdict(settings), "machine": machine, "runs": runs, "generated": generated}
    return {**results, "targets": audit_rows(results)}


def _compared(graph: Graph, radius: int, settings: Settings) -> dict[str, Any]:
    embed(synthetic.barabasi_albert(2_000, 5, seed=0), radius, approximate=settings.target, n_jobs=settings.threads)
    exact, whole = _timed(graph, radius, n_jobs=settings.threads)
    values, short = _timed(graph, radius, n_jobs=settings.threads, approximate=settings.target)
    errors = np.abs(np.asarray(values) - exact)
    generator = np.random.default_rng(1)
    held = np.zeros(radius, int)
    for _ in range(settings.sets):
        nodes = generator.choice(graph.n_nodes, min(settings.nodes_per_set, graph.n_nodes), replace=False)
        held += np.quantile(errors[nodes], 0.95, axis=0) <= np.array(values.audit.within_95)
    return {
        "radius": radius, "exact": whole, "estimated": short, "faster": whole["cpu"] / short["cpu"],
        "mean": (errors.mean(axis=0) / exact.std(axis=0)).tolist(), "sets_held": held.tolist(),
        "audit": asdict(values.audit),
    }  # fmt: skip


def _timed(graph: Graph, radius: int, **options: Any) -> tuple[Any, dict[str, float]]:
    """Return an embedding and its time, also on processors, which other programs may use meanwhile."""
    begin, busy = time.perf_counter(), time.process_time()
    values = embed(graph, radius, **options)
    return values, {"wall": time.perf_counter() - begin, "cpu": time.process_time() - busy}


def _measure_generated(n_nodes: int, radius: int, target: float, threads: int) -> dict[str, Any]:
    graph = synthetic.power_law(n_nodes, 2.3, seed=1, least_degree=3, largest_degree=min(5_000, n_nodes // 10))
    values, seconds = _timed(graph, radius, approximate=target, n_jobs=threads)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return {"nodes": graph.n_nodes, "edges": graph.n_edges, **seconds, "peak": peak, "audit": asdict(values.audit)}


def audit_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Compare what was measured with the targets."""
    settings, rows = results["settings"], []
    for run in results["runs"]:
        what, target = f"{run['graph']}, radius {run['radius']}", settings["target"]
        rows.append(
            Row(f"{what}: exact / estimated", f">= {FASTER}x", f"{run['faster']:.0f}x", run["faster"] >= FASTER)
        )
        mean, held = max(run["mean"]), min(run["sets_held"])
        rows.append(Row(f"{what}: mean error of all nodes", f"< {target:.0%}", f"{mean:.2%}", mean < target))
        enough = SETS_HELD * settings["sets"] / 100
        sets = f"{what}: sets of {settings['nodes_per_set']} nodes within the stated 95%"
        rows.append(Row(sets, f">= {enough:.0f}", f"{held} of {settings['sets']}", held >= enough))
    one = results["generated"]
    what, minutes = f"power law, {one['edges']:,} edges", one["cpu"] / settings["threads"] / 60
    rows.append(Row(f"{what}: CPU time per thread", f"< {MINUTES} min", f"{minutes:.1f} min", minutes < MINUTES))
    memory = one["peak"] / 1e9
    rows.append(Row(f"{what}: peak memory", f"< {GIGABYTES} GB", f"{memory:.1f} GB", memory < GIGABYTES))
    return [{**asdict(row), "verdict": row.verdict} for row in rows]


def render_audits(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks audits`."""
    rows = [
        [
            run["graph"], run["radius"], f"{run['exact']['cpu']:.1f} s", f"{run['estimated']['cpu']:.1f} s",
            f"{run['faster']:.0f}x", _percentages(run["mean"]), _percentages(_shares(run["audit"])),
            f"{run['audit']['n_edges']:,}",
        ]
        for run in results["runs"]
    ]  # fmt: skip
    one = results["generated"]
    generated = (
        f"The generated graph has {one['nodes']:,} nodes and {one['edges']:,} edges. Its run took {one['wall']:.0f} s, "
        f"{one['cpu']:.0f} s of processor time and {one['peak'] / 1e9:.1f} GB; mean errors in the audit: "
        f"{_percentages(_shares(one['audit']))}."
    )
    header = ["graph", "radius", "exact", "estimated", "faster", "mean errors", "in the audit", "edges sampled"]
    return "\n".join(
        [
            "# Benchmarks: estimates and their audits\n",
            machine_line(results["machine"]),
            "## Targets\n",
            targets_table(results["targets"]),
            "## Runs\n",
            f"On {results['settings']['threads']} threads; times are processor time, errors are shares of the standard "
            "deviation of h1, h2, ...\n",
            table(header, rows),
            f"\n{generated}\n",
        ]
    )


def _shares(audit: dict[str, Any]) -> list[float]:
    return [mean / spread for mean, spread in zip(audit["mean"], audit["spread"], strict=True)]


def _percentages(shares: list[float]) -> str:
    return ", ".join(f"{share:.2%}" for share in shares)


if __name__ == "__main__":
    print(json.dumps(_measure_generated(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4]))))
