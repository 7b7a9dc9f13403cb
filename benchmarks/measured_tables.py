"""Tables of time and memory for the documents, each rendered from the JSON files of the benchmarks."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.harness import RESULTS


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a Markdown table whose first `words` columns are text and the others numbers."""
    lines = [header, ["---"] * words + ["---:"] * (len(header) - words), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def speed() -> str:
    """Return the README's speed table and the sentences below it."""
    results, variants = _results("core"), _results("variants")
    machine, memory = results["machine"], results["memory"]
    header = ["graph", "nodes", "edges", "radius 1", "triangles in igraph", "radius 2", "plain networkx, radius 2"]
    rows = []
    for graph in _real_graphs(results):
        radius_two, peers = _run(graph, 2), graph["igraph"]
        naive = radius_two["naive"]
        rows.append(
            [
                graph["name"],
                f"{graph['nodes']:,}",
                f"{graph['edges']:,}",
                seconds(peers["ours"]["best_s"]),
                seconds(peers["igraph"]["best_s"]),
                seconds(radius_two["times"]["2"]["best_s"]),
                f"{seconds(naive['seconds_extrapolated'])} ({naive['ratio']:,.0f}x)",
            ]
        )
    share = variants["stream"]["share_of_whole_runs"]
    return f"{table(header, rows)}\n" + _paragraph(
        f"{_measured_on(machine)} Radius 1 and igraph use one thread and were timed in alternation: both count "
        "triangles, igraph in C. Radius 2 uses two threads; the networkx time is extrapolated from a sample of nodes. "
        f"Peak memory on top of the graph, {memory['name']} at radius {memory['radius']}: {memory['peak_mb']:.0f} MB. "
        f"After one edge changes, `update` takes {share:.1%} of the time of a full run at radius 1."
    )


def targets() -> str:
    """Return the speed and memory targets, and whether each is met."""
    rows = [
        [
            f"one GPU: {row['what']}" if name == "cuda" else row["what"],
            row["target"],
            row["measured"],
            "yes" if row["verdict"] == "yes" else f"**{row['verdict'].lower()}**",
        ]
        for name in ("core", "variants", "reading", "scale", "cuda")
        for row in _results(name)["targets"]
    ]
    return table(["what", "target", "measured", "met"], rows)


def cuda() -> str:
    """Return times on a GPU."""
    results = _results("cuda")
    rows = [
        [one["name"], str(one["radius"]), seconds(one["device"]["median_s"]), seconds(one["whole"]["median_s"])]
        for one in results["graphs"]
    ]
    facts = results["machine"]
    note = _paragraph(
        f"Medians, measured {facts['date'].split()[0]} on one {results['device']} with CuPy {results['cupy']}. *On the "
        "device* starts with the plan and the graph on the GPU and ends with the rows in host memory; *whole call* is "
        "`embed` from `Graph` to matrix."
    )
    return table(["graph", "radius", "on the device", "whole call"], rows) + "\n" + note


def live() -> str:
    """Return changes per second of a live graph."""
    results = _results("live")
    rows = [
        [
            one["name"],
            *(f"{1000 * round(one[labels]['per_second'] / 1000):,}" for labels in ("integers", "strings")),
            f"{one['against_update']:.0f}",
            f"{one['memory']['peak']:.0f}",
            f"{one['radius_2']['share']:.0%}",
        ]
        for one in results["graphs"]
    ]
    settings = results["settings"]
    note = _paragraph(
        f"{_measured_on(results['machine'])} One thread, per second of processor time, half of the changes removals; "
        f"signatures are read after every {settings['batch']:,} changes. *Beside update* compares with `update`, one "
        "edge at a time, in the same run. *Bytes per arc* is the peak while the graph grows. *Recomputed* is the share "
        f"of nodes that radius 2 computes after {settings['changes_at_radius_2']:,} changes."
    )
    header = ["graph", "changes/s, integers", "strings", "beside update", "bytes per arc", "recomputed"]
    return table(header, rows) + "\n" + note


def ray() -> str:
    """Return the time of a small Ray cluster compared with threads."""
    results = _results("scale")
    found = results["overhead"]
    names = {
        "2 threads": "threads_s",
        "Ray, 2 workers, including cluster start": "ray_s",
        "Ray, 2 workers, cluster running": "ray_running_s",
    }
    times = [[name, seconds(found[key]), f"{found[key] / found['threads_s']:.2f}x"] for name, key in names.items()]
    same = "identical to the last bit" if found["identical"] else "**not identical**"
    note = _paragraph(
        f"{_measured_on(results['machine'])} A generated scale-free graph of {found['nodes']:,} nodes and "
        f"{found['edges']:,} edges, radius {found['radius']}. The rows are {same}."
    )
    return table(["engine", "time", "relative to threads"], times) + "\n" + note


def workers() -> str:
    """Return the private memory of Ray workers that share a graph."""
    found = _results("scale")["worker_memory"]
    idle, busy, hubs = (max(found[key]) for key in ("baseline_mb", "above_mb", "above_at_hubs_mb"))
    return _paragraph(
        f"Measured with two workers that share a graph of {found['nodes']:,} nodes ({found['graph_mb']:.0f} MB): an "
        f"idle worker uses {idle:.0f} MB of private memory, a working one at most {busy:.0f} MB more, or {hubs:.0f} MB "
        "more for the balls of the largest hubs."
    )


def mapped() -> str:
    """Return time and memory of a graph that is mapped from disk."""
    results = _results("scale")
    found = results["mapped"]
    rows = [
        ["private memory", f"{found['own_mb']:,.0f} MB"],
        ["pages of mapped files", f"{found['mapped_mb']:,.0f} MB"],
        ["both together", f"{found['together_mb']:,.0f} MB"],
    ]
    note = _paragraph(
        f"{_measured_on(results['machine'])} A generated graph of {found['nodes']:,} nodes and {found['edges']:,} "
        f"edges ({found['file_mb']:,.0f} MB as `.vng`), radius 1, `--max-memory` of {found['limit_mb']:,.0f} MB, which "
        f"the operating system enforced for private memory: {seconds(found['seconds'])}, or {found['ns_per_edge']:.0f} "
        "ns of processor time per edge. The three peaks need not occur at the same moment."
    )
    return table(["peak of", "memory"], rows) + "\n" + note


def unit_costs() -> str:
    """Return how large 2-balls are, and what one of their arcs costs."""
    results = _results("core")
    rows = []
    for graph in sorted(_real_graphs(results), key=lambda one: -_arcs_per_ball(one)):
        cost = _run(graph, 2)["per_arc"]["processor_ns_per_arc"]
        counts = [graph["nodes"], graph["largest_degree"], _run(graph, 2)["arcs"]["all_nodes"], _arcs_per_ball(graph)]
        rows.append([graph["name"], *(f"{count:,.0f}" for count in counts), f"{_two_digits(cost)} ns"])
    header = ["graph", "nodes", "largest degree", "arcs in all 2-balls", "arcs per computed ball", "time per arc"]
    note = f"Processor time. {_measured_on(results['machine'])} An edge counts as two arcs."
    return table(header, rows) + "\n" + _paragraph(note)


def billion() -> str:
    """Return the worked plan for a billion edges, from measured unit costs."""
    per_edge = _results("scale")["mapped"]["ns_per_edge"] * 1e-9
    [musae] = [graph for graph in _real_graphs(_results("core")) if graph["name"] == "musae_github"]
    per_arc = _run(musae, 2)["per_arc"]["processor_ns_per_arc"] * 1e-9
    balls, arcs, edges, cpus = 3.3e7, 3e5, 1e9, 64
    large, unit = 2 * edges * per_arc, f"{_two_digits(per_arc * 1e9)} ns"
    plans = {
        "radius 2": (f"33 million balls x 300,000 arcs x {unit}", balls * arcs * per_arc),
        "radius 2, large hubs": ("ten times as much", 10 * balls * arcs * per_arc),
        "radius 3, all nodes": (f"33 million balls x 2 billion arcs x {unit}", balls * large),
        "radius 3, 1,000 nodes (`--nodes`)": (f"1,000 balls x 2 billion arcs x {unit}", 1000 * large),
    }
    first = ["radius 1, one machine", f"1 billion edges x {per_edge * 1e9:.0f} ns", seconds(edges * per_edge), "-"]
    rows = [[what, how, seconds(total), seconds(total / cpus)] for what, (how, total) in plans.items()]
    return table(["run", "arithmetic", "CPU time", "4 machines with 16 CPUs each"], [first, *rows], words=2)


def seconds(value: float) -> str:
    """Return a time in two significant digits, in the unit that suits it."""
    for unit, size, most in (
        ("ms", 1e-3, 100),
        ("s", 1, 100),
        ("min", 60, 100),
        ("h", 3600, 48),
        ("days", 86_400, 700),
    ):
        if value < size * most:
            return f"{_two_digits(value / size)} {unit}"
    return f"{_two_digits(value / (365.25 * 86_400))} years"


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def _processor(machine: dict[str, Any]) -> str:
    return re.sub(r"\(R\)|\(TM\)|Processor |CPU ", "", machine["processor"]).replace(" @ ", ", ").strip()


def _results(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return results


def _real_graphs(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the real graphs that were measured at radius 2."""
    return [
        graph
        for graph in results["graphs"]
        if not graph["generated"] and any(run["radius"] == 2 and "times" in run for run in graph["runs"])
    ]


def _run(graph: dict[str, Any], radius: int) -> dict[str, Any]:
    runs: dict[int, dict[str, Any]] = {run["radius"]: run for run in graph["runs"]}
    return runs[radius]


def _arcs_per_ball(graph: dict[str, Any]) -> float:
    arcs = _run(graph, 2)["arcs"]
    return float(arcs["built"] / arcs["n_built"])


def _measured_on(machine: dict[str, Any]) -> str:
    return f"Measured {machine['date'].split()[0]} on {machine['cpus']} cores of an {_processor(machine)}."


def _paragraph(text: str) -> str:
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False) + "\n"
