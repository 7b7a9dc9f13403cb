"""Results as Markdown tables, rendered from the JSON only."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_SPEED = """\
Best of the repeats, median in brackets. *Processor* is the share of two cores that the best run on two threads used: on
an idle machine it shows how evenly the work is divided, on a busy one how much was taken by other programs.

*Naive* is an extrapolation from a sample of nodes: seconds of the sample / arcs of its R-balls x arcs of all R-balls;
both sides compute columns 1..R. ± is the standard error of the sample's seconds per arc. *Difference* is the largest
difference between the two results on the sample: the error that remains after a hundred steps of power iteration.
"""
_PER_ARC = """\
*Whole* is twice the two-thread time above, divided by the arcs of the R-balls that are computed. *Processor* is the
processor time of the same runs, which excludes waiting and most of the effect of a busy machine. The parts come from
another run, with counters; *other* is the plan, radius 1, clean-up and waiting. Arcs are those of the balls, even if
one row of a local graph represents several twins and so has fewer. *Union / mean* compares the arcs of the local graph
that eight balls share with the mean of the eight: 1 if they are the same, 8 if they have nothing in common, less with
twins.
"""


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table with padded columns, which is also readable as plain text."""
    lines = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    texts = []
    for line in lines:
        cells = [cell.ljust(width) for cell, width in zip(line, widths, strict=True)]
        texts.append("| " + " | ".join(cells) + " |")
    texts.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(texts) + "\n"


def render_scale(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks scale`."""
    overhead, workers, mapped = results["overhead"], results["worker_memory"], results["mapped"]
    times = [
        ["2 threads", f"{overhead['threads_s']:.1f} s", "1.00x"],
        ["Ray, 2 workers, cluster started and stopped", f"{overhead['ray_s']:.1f} s", f"{overhead['ratio']:.2f}x"],
        ["Ray, 2 workers, cluster running", f"{overhead['ray_running_s']:.1f} s", f"{overhead['ratio_running']:.2f}x"],
    ]
    memory = [
        [f"{base:.0f} MB", f"{above:.0f} MB", f"{hubs:.0f} MB"]
        for base, above, hubs in zip(
            workers["baseline_mb"], workers["above_mb"], workers["above_at_hubs_mb"], strict=True
        )
    ]
    peaks = [
        ["private memory", f"{mapped['own_mb']:.0f} MB"],
        ["pages of mapped files", f"{mapped['mapped_mb']:.0f} MB"],
        ["both together (high-water mark)", f"{mapped['together_mb']:.0f} MB"],
    ]
    same = "identical" if overhead["identical"] else "DIFFERENT"
    sections = [
        "# Benchmarks: clusters, and graphs larger than memory\n",
        machine_line(results["machine"]),
        "## Targets\n",
        targets_table(results["targets"]),
        f"## A cluster compared with threads: {overhead['nodes']:,} nodes, {overhead['edges']:,} edges, "
        f"R = {overhead['radius']}\n",
        table(["engine", "time", "relative to threads"], times),
        f"The rows are {same} to the last bit. {overhead['ball_arcs']:.2e} ball arcs (estimated), "
        f"{overhead['processor_ns_per_arc']:.1f} ns of processor time each.\n",
        f"## Private memory of workers that share a graph of {workers['graph_mb']:.0f} MB\n",
        table(["idle", "added by work", "added by the balls of hubs"], memory),
        f"## A mapped graph: {mapped['nodes']:,} nodes, {mapped['edges']:,} edges, {mapped['file_mb']:.0f} MB, R = 1\n",
        f"`vnestruct embed --max-memory`, {mapped['seconds']:.0f} s, "
        f"{mapped['ns_per_edge']:.0f} ns of processor time per edge; the operating system limits private memory to "
        f"{mapped['limit_mb']:.0f} MB (RLIMIT_DATA).\n",
        table(["peak of", "MB"], peaks),
    ]
    return "\n".join(sections)


def render_core(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks core`."""
    graphs = results["graphs"]
    ceiling = ", ".join(f"{value:.2f}x" for value in results["thread_ceiling"])
    sections = [
        "# Benchmarks: computing\n",
        machine_line(results["machine"]),
        f"Pure arithmetic on two threads, before and after the other measurements: {ceiling} the speed of one.\n",
        "## Targets\n",
        targets_table(results["targets"]),
        "## Whole embeddings, from Graph to matrix\n",
        _SPEED,
        _speed_table(graphs),
        "## Nanoseconds per arc built and thread\n",
        _PER_ARC,
        _arc_table(graphs),
        "## Radius 1 compared with igraph, one thread, in alternation\n",
        _igraph_table(graphs),
        "## Growth on grids\n",
        _growth_table(results["growth"]),
        "## Memory\n",
        _memory(results["memory"]),
    ]
    return "\n".join(sections)


def render_reading(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks reading`."""
    rows = []
    for name, one in results["readers"].items():
        note = f"extrapolated linearly from 1/{one['share']} of the edges" if one["share"] > 1 else ""
        rows.append([name, f"{one['whole_s']:.2f} s", f"{one['peak_mb']:.0f} MB", note])
    sections = [
        "# Benchmarks: reading\n",
        machine_line(results["machine"]),
        f"An edge list of {results['edges']:,} random pairs of {results['nodes']:,} integer ids, "
        f"{results['file_mb']:.0f} MB; as CSR {results['csr_mb']:.0f} MB.\n",
        "## Targets\n",
        targets_table(results["targets"]),
        "## Readers\n",
        "Each in a fresh process; best of the repeats; peak memory on top of the imports.\n",
        table(["reader", "time", "peak memory", ""], rows),
    ]
    return "\n".join(sections)


def targets_table(rows: list[dict[str, Any]]) -> str:
    """Return the table of targets."""
    return table(
        ["what", "target", "measured", "met"],
        [[row["what"], row["target"], row["measured"], row["verdict"]] for row in rows],
    )


def machine_line(facts: dict[str, Any]) -> str:
    """Return what a reader needs to know about the machine."""
    libraries = ", ".join(f"{name} {found}" for name, found in facts["libraries"].items())
    return (
        f"{facts['date']}, {facts['processor']}, {facts['cpus']} CPUs, load before the run {facts['load_before']};\n"
        f"{facts['system']}, Python {facts['python']}, {libraries}.\n"
    )


def _title(one: dict[str, Any]) -> str:
    return str(one["name"]) + (" (generated stand-in)" if one["generated"] else "")


def _speed_table(graphs: list[dict[str, Any]]) -> str:
    header = ["graph", "R", "1 thread", "2 threads", "2 over 1", "processor", "naive", "sample", "naive / ours"]
    rows: list[list[object]] = []
    for one in graphs:
        for run in one["runs"]:
            cells: list[object] = [_title(one), run["radius"]]
            if "times" not in run:
                rows.append([*cells, run["skipped"], *["-"] * 7])
                continue
            single, double, naive = run["times"]["1"], run["times"]["2"], run["naive"]
            error = "" if naive["relative_error"] is None else f" ± {naive['relative_error']:.0%}"
            rows.append(
                [
                    *cells,
                    f"{_seconds(single['best_s'])} ({_seconds(single['median_s'])})",
                    f"{_seconds(double['best_s'])} ({_seconds(double['median_s'])})",
                    f"{run['speedup']:.2f}x",
                    f"{double['processor_s'] / double['best_s'] / 2:.0%}",
                    _seconds(naive["seconds_extrapolated"]),
                    f"{naive['nodes']:,} nodes",
                    f"{naive['ratio']:.0f}x{error}",
                    f"{naive['largest_difference']:.0e}",
                ]
            )
    return table([*header, "difference"], rows)


def _arc_table(graphs: list[dict[str, Any]]) -> str:
    parts = ("search", "rows", "lanczos", "other")
    header = ["graph", "R", "balls built", "arcs built", "arcs, all nodes", "whole", "processor", *parts]
    rows: list[list[object]] = []
    for one in graphs:
        for run in one["runs"]:
            facts = run.get("per_arc")
            if not facts:
                continue
            rows.append(
                [
                    _title(one),
                    run["radius"],
                    f"{run['arcs']['n_built']:,}",
                    f"{run['arcs']['built']:.3e}",
                    f"{run['arcs']['all_nodes']:.3e}",
                    f"{facts['ns_per_arc_and_thread']:.2f}",
                    f"{facts['processor_ns_per_arc']:.2f}",
                    *(f"{facts['parts_ns'][name]:.2f}" for name in parts),
                    f"{facts['steps_per_ball']:.1f}",
                    "-" if facts["lane_use"] is None else f"{facts['lane_use']:.0%}",
                    f"{facts['union_over_mean']:.2f}",
                ]
            )
    return table([*header, "Lanczos steps per ball", "lanes in use", "union / mean"], rows)


def render_variants(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks variants`."""
    rows = [
        [
            one["name"],
            f"{_seconds(one['best_s'])} ({_seconds(one['median_s'])})",
            f"{one['arcs_built']:.3e}",
            f"{one['ns_per_arc']:.2f}",
            f"{one['over_plain']:.2f}x",
        ]
        for one in results["variants"]
    ]
    stream = results["stream"]
    profiles = [
        [one["graph"], *(_seconds(one[name]["best_s"]) for name in ("radius 1", "profile")), f"{one['ratio']:.1f}x"]
        for one in results["profiles"]
    ]
    return "\n".join(
        [
            "# Benchmarks: weights, directions, changes, the profile\n",
            machine_line(results["machine"]),
            "## Targets\n",
            targets_table(results["targets"]),
            f"## {results['graph']}, R = {results['settings']['radius']}, one thread\n",
            "Weights are random. With arcs both ways, as in the file, directed balls are those of the plain graph, and "
            "the difference is the cost of following directions. If every edge has one random direction, balls are a "
            "third as large and hubs dominate less, which takes more steps per arc. Costs are per arc of the balls "
            "computed.\n",
            table(["graph", "best (median)", "arcs built", "ns per arc", "over plain"], rows),
            "## A stream of changes, R = 1\n",
            f"{stream['changes']:,} single edges removed and added again: {stream['per_change_ms']:.2f} ms and "
            f"{stream['rows_per_change']:.1f} rows per change, compared with {stream['whole_run_ms']:.1f} ms for a "
            f"full run ({stream['share_of_whole_runs']:.1%}). Largest difference from a full run at the end: "
            f"{stream['largest_difference']:.0e}.\n",
            "## The entropy profile, two steps, one thread\n",
            table(["graph", "radius 1", "profile", "profile / radius 1"], profiles),
        ]
    )


def _igraph_table(graphs: list[dict[str, Any]]) -> str:
    rows = []
    for one in graphs:
        peers = one["igraph"]
        times = [_seconds(peers[name]["best_s"]) for name in ("ours", "igraph")]
        rows.append([_title(one), *times, f"{peers['ratio']:.2f}"])
    return table(["graph", "ours", "igraph", "ours / igraph"], rows)


def _growth_table(growth: list[dict[str, Any]]) -> str:
    rows = []
    for one in growth:
        times = ", ".join(f"{n:,}: {_seconds(s)}" for n, s in zip(one["nodes"], one["best_s"], strict=True))
        rows.append([one["order"], one["radius"], one["threads"], times, f"{one['exponent']:.3f}"])
    return table(["ids", "R", "threads", "nodes: best time", "exponent"], rows)


def _memory(facts: dict[str, Any] | None) -> str:
    if facts is None:
        return "Not run.\n"
    return (
        f"{_title(facts)}, R = {facts['radius']}, {facts['threads']} threads, in a fresh process after warm-up:\n"
        f"{facts['peak_mb']:.0f} MB on top of the loaded graph of {facts['graph_mb']:.0f} MB, including "
        f"{facts['matrix_mb']:.1f} MB for the result ({facts['method']}).\n"
    )


def _seconds(value: float) -> str:
    if value < 0.1:
        return f"{value * 1e3:.1f} ms"
    if value < 600:
        return f"{value:.2f} s"
    return f"{value / 3600:.2f} h"
