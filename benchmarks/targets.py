"""Targets for speed and memory, compared with what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

THREADS = 2
AGAINST_NAIVE = {
    ("email-Enron", 2): 1000,
    ("facebook_combined", 2): 1500,
    ("musae_github", 2): 1200,
    ("dblp-2010", 2): 700,
    ("moscow-roads", 3): 1000,
}
AGAINST_IGRAPH = 1.5
IGRAPH_GRAPHS = ("email-Enron", "musae_github", "dblp-2010", "moscow-roads")
SPEEDUP = 1.8
SPEEDUP_ABOVE_SECONDS = 1.0
NS_PER_ARC = {("email-Enron", 2): 8.0, ("musae_github", 2): 5.0}
LIMITS_OVER_PLAIN = {
    "plain, four kinds at once": 1.1,
    "directed, arcs both ways, out": 1.5,
    "directed, arcs both ways, in": 1.5,
}
STREAM_PERCENT = 5.0
PROFILE_OVER_RADIUS_ONE = 10.0
EXPONENT = 1.1
MEMORY_CASE = ("dblp-2010", 2)
MEMORY_MB = 150.0
READING_AGAINST_NETWORKX = 10.0
READING_AGAINST_PYARROW = 4.0
READING_CSR_SIZES = 4.0
RAY_OVERHEAD = 1.15
LONG_SECONDS = 60.0
WORKER_MB = 100.0
SHARED_GRAPH_MB = 400.0
MAPPED_MB = 2000.0
MAPPED_EDGES = 100_000_000


@dataclass(frozen=True)
class Row:
    """One target: what, how much, what was measured, and whether that meets it (None: not measured)."""

    what: str
    target: str
    measured: str
    met: bool | None

    @property
    def verdict(self) -> str:
        """The last column of the table."""
        return "not run" if self.met is None else "yes" if self.met else "NO"


def core_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all targets for computing."""
    graphs = {one["name"]: one for one in results["graphs"]}
    rows = [
        *_igraph_rows(graphs),
        *_naive_rows(graphs),
        *_speedup_rows(graphs),
        *_arc_rows(graphs),
        *_growth_rows(results["growth"]),
        _memory_row(results["memory"]),
    ]
    return [{**asdict(row), "verdict": row.verdict} for row in rows]


def reading_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all targets for reading."""
    ours, parts = results["readers"]["vnestruct"], results["readers"]
    slower = parts["networkx"]["whole_s"] / ours["whole_s"]
    faster = ours["whole_s"] / parts["pyarrow"]["whole_s"]
    bound = READING_CSR_SIZES * results["csr_mb"] + results["file_mb"]
    rows = [
        Row(
            "networkx.read_edgelist (extrapolated) / read_graph",
            f">= {READING_AGAINST_NETWORKX:g}x",
            f"{slower:.1f}x",
            slower >= READING_AGAINST_NETWORKX,
        ),
        Row(
            "read_graph / pyarrow.csv into columns",
            f"<= {READING_AGAINST_PYARROW:g}x",
            f"{faster:.2f}x",
            faster <= READING_AGAINST_PYARROW,
        ),
        Row(
            f"peak memory of read_graph: {READING_CSR_SIZES:g} x CSR + file",
            f"<= {bound:.0f} MB",
            f"{ours['peak_mb']:.0f} MB",
            ours["peak_mb"] <= bound,
        ),
    ]
    return [{**asdict(row), "verdict": row.verdict} for row in rows]


def _usable(graphs: dict[str, Any], name: str) -> dict[str, Any] | None:
    # A generated graph says nothing about the graph that the target names.
    one: dict[str, Any] | None = graphs.get(name)
    return None if one is None or one["generated"] else one


def _run_of(graphs: dict[str, Any], name: str, radius: int) -> dict[str, Any] | None:
    one = _usable(graphs, name)
    for run in one["runs"] if one else ():
        if run["radius"] == radius and "times" in run:
            return dict(run)
    return None


def variant_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Compare weights, directions and changes with their targets."""
    rows = []
    for one in results["variants"]:
        limit = LIMITS_OVER_PLAIN.get(one["name"])
        if limit is not None:
            measured = None if results["generated"] else one["over_plain"]
            rows.append(_at_most(f"cost per arc over plain: {one['name']}", limit, measured, "x"))
    stream = results["stream"]
    measured = None if results["generated"] else 100 * stream["share_of_whole_runs"]
    what = f"{stream['changes']:,} single-edge changes, share of as many full runs"
    rows.append(_at_most(what, STREAM_PERCENT, measured, "%"))
    for one in results["profiles"]:
        measured = None if one["generated"] else one["ratio"]
        rows.append(_at_most(f"profile of two steps / R = 1: {one['graph']}", PROFILE_OVER_RADIUS_ONE, measured, "x"))
    return [{**asdict(row), "verdict": row.verdict} for row in rows]


def _igraph_rows(graphs: dict[str, Any]) -> Iterator[Row]:
    for name in IGRAPH_GRAPHS:
        one = _usable(graphs, name)
        ratio = one["igraph"]["ratio"] if one else None
        yield _at_most(f"R = 1, 1 thread, ours / igraph: {name}", AGAINST_IGRAPH, ratio, "x")


def _naive_rows(graphs: dict[str, Any]) -> Iterator[Row]:
    for (name, radius), target in AGAINST_NAIVE.items():
        run = _run_of(graphs, name, radius)
        ratio = run["naive"]["ratio"] if run else None
        what = f"R = {radius}, {THREADS} threads, naive (extrapolated) / ours: {name}"
        met = None if ratio is None else ratio >= target
        error = f" ± {run['naive']['relative_error']:.0%}" if run and run["naive"]["relative_error"] else ""
        yield Row(what, f">= {target}x", "-" if ratio is None else f"{ratio:.0f}x{error}", met)


def _speedup_rows(graphs: dict[str, Any]) -> Iterator[Row]:
    for name in graphs:
        one = _usable(graphs, name)
        for run in one["runs"] if one else ():
            if run.get("speedup") and run["times"]["1"]["best_s"] > SPEEDUP_ABOVE_SECONDS:
                what = f"R = {run['radius']}, {THREADS} threads over 1: {name}"
                yield Row(what, f">= {SPEEDUP}x", f"{run['speedup']:.2f}x", run["speedup"] >= SPEEDUP)


def _arc_rows(graphs: dict[str, Any]) -> Iterator[Row]:
    for (name, radius), target in NS_PER_ARC.items():
        run = _run_of(graphs, name, radius)
        measured = run["per_arc"]["ns_per_arc_and_thread"] if run else None
        yield _at_most(f"R = {radius}, per computed arc and thread: {name}", target, measured, " ns")


def _growth_rows(growth: list[dict[str, Any]]) -> Iterator[Row]:
    for one in growth:
        small, large = one["nodes"][0], one["nodes"][-1]
        what = f"growth, grids of {small:,} to {large:,} nodes, R = {one['radius']}, {one['order']}, "
        yield _at_most(
            what + f"{one['threads']} thread{'s' * (one['threads'] > 1)}: exponent",
            EXPONENT,
            one["exponent"],
            "",
            digits=3,
        )


def _memory_row(memory: dict[str, Any] | None) -> Row:
    name, radius = MEMORY_CASE
    usable = memory and not memory["generated"] and (memory["name"], memory["radius"]) == MEMORY_CASE
    measured = memory["peak_mb"] if memory and usable else None
    what = f"peak memory on top of the graph, R = {radius}, {THREADS} threads: {name}"
    return _at_most(what, MEMORY_MB, measured, " MB", digits=0)


def _at_most(what: str, target: float, measured: float | None, unit: str, digits: int = 2) -> Row:
    if measured is None:
        return Row(what, f"<= {target:g}{unit}", "-", None)
    return Row(what, f"<= {target:g}{unit}", f"{measured:.{digits}f}{unit}", measured <= target)


def scale_rows(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Compare clusters and graphs larger than memory with their targets."""
    overhead, workers, mapped = results["overhead"], results["worker_memory"], results["mapped"]
    long_enough = overhead["threads_s"] >= LONG_SECONDS
    large = workers["graph_mb"] >= SHARED_GRAPH_MB
    huge = mapped["edges"] >= MAPPED_EDGES
    rows = [
        _at_most(
            f"Ray, {THREADS} workers, over {THREADS} threads, including cluster start",
            RAY_OVERHEAD,
            overhead["ratio"] if long_enough else None,
            "x",
        ),
        _at_most(
            f"private memory of a worker above its baseline, graph of {SHARED_GRAPH_MB:g} MB",
            WORKER_MB,
            max(workers["above_mb"]) if large else None,
            " MB",
            digits=0,
        ),
        _at_most(
            "resident memory, including mapped pages: 100 million edges, R = 1",
            MAPPED_MB,
            mapped["together_mb"] if huge else None,
            " MB",
            digits=0,
        ),
    ]
    return [{**asdict(row), "verdict": row.verdict} for row in rows]
