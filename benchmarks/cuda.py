"""How fast is a GPU, and how much of its bandwidth is used? ``python -m benchmarks cuda``, on a machine with a GPU.

Times are for an embedding whose plan and graph are already on the device: searching balls, finding eigenvalues, and
copying rows back to the host. *Whole* is a call of `embed`, which also makes the plan and copies it to the device.
`benchmarks.cuda_steps` shows where its time goes.
"""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks import harness
from benchmarks.harness import Timing, say
from benchmarks.inputs import Loaded, load
from benchmarks.render import table, targets_table
from benchmarks.targets import Row
from vnestruct import Graph, embed
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.embedding.radius_one import output_codes
from vnestruct.kernels import cuda
from vnestruct.kernels.cuda.balls import N_COUNTERS
from vnestruct.kernels.cuda.radius_one import device_closed_form

APPROX = output_codes(["approx"])

TARGETS = {
    ("musae_github", 2): 0.4,
    ("email-Enron", 2): 0.06,
    ("email-Enron", 3): 0.8,
    ("dblp-2010", 2): 0.05,
}
RADIUS_ONE_TARGET = 1.0
VALUE_BYTES = 8
_TEXT = """\
A *gather* reads one value of a vector (8 bytes) for one column of a local row (2 bytes, or 4 if the graph has more than
65,535 nodes). *Moved* is the resulting number of bytes per second, and its share of what a large copy moves; searching
balls and building their rows are not counted. *Each twin* is the time on the device if no row stands for several nodes.
*Difference* is the largest difference from the CPU on a sample.
"""


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    cases: tuple[tuple[str, int], ...] = (*TARGETS, ("facebook_combined", 2), ("moscow-roads", 3), ("web", 2))
    repeats: int = 7
    edges: int = 50_000_000
    sample: int = 300


QUICK = Settings(cases=(("tiny", 2),), repeats=2, edges=100_000, sample=50)


def run_cuda(settings: Settings) -> dict[str, Any]:
    """Measure everything on the first GPU."""
    cuda.count_devices()
    cupy = cuda.import_cupy()
    properties = cupy.cuda.runtime.getDeviceProperties(0)
    results: dict[str, Any] = {
        "machine": harness.machine(),
        "device": properties["name"].decode(),
        "cupy": cupy.__version__,
        "copy_bytes_s": copy_rate(cupy),
        "settings": asdict(settings),
    }
    results["graphs"] = [measure(load(name), radius, settings) for name, radius in settings.cases]
    results["radius_one"] = [measure_radius_one(cupy, settings, exponent) for exponent in (2.2, 2.5)]
    results["targets"] = [asdict(row) | {"verdict": row.verdict} for row in target_rows(results)]
    return results


def copy_rate(cupy: Any) -> float:
    """Return bytes read and written per second by a large copy on the device."""
    source = cupy.ones(1 << 30, np.uint8)
    target = cupy.empty_like(source)
    best = float("inf")
    for _ in range(8):
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        target[:] = source
        end.record()
        end.synchronize()
        best = min(best, cupy.cuda.get_elapsed_time(begin, end) / 1e3)
    return 2 * source.nbytes / best


def measure(loaded: Loaded, radius: int, settings: Settings) -> dict[str, Any]:
    """Time one graph at one radius."""
    say(f"{loaded.title}, R = {radius}")
    graph = loaded.graph
    begin = time.perf_counter()
    found = embed(graph, radius, engine="cuda")
    first_call = time.perf_counter() - begin
    counters = np.zeros(N_COUNTERS, np.int64)
    each_twin, timing = (on_device(graph, radius, settings.repeats, collapse, counters) for collapse in (False, True))
    whole = _timed(lambda: embed(graph, radius, engine="cuda"), max(settings.repeats // 2, 1))
    nodes = np.random.default_rng(1).choice(graph.n_nodes, min(settings.sample, graph.n_nodes), replace=False)
    expected = embed(graph, radius, nodes=graph.nodes[nodes])
    balls, arcs, products, gathers = counters.tolist()
    return {
        "name": loaded.name, "generated": loaded.generated, "radius": radius, "nodes": graph.n_nodes,
        "device": timing.as_dict(), "each_twin": each_twin.as_dict(), "whole": whole.as_dict(),
        "first_call_s": first_call,
        "balls": balls, "arcs": arcs, "products": products, "gathers": gathers,
        "gather_bytes": VALUE_BYTES + (2 if graph.n_nodes < 1 << 16 else 4),
        "difference": float(np.abs(found[nodes] - expected).max()),
    }  # fmt: skip


def on_device(graph: Graph, radius: int, repeats: int, collapse: bool, counters: npt.NDArray[np.int64]) -> Timing:
    """Time the balls alone, with one row for all twins or one for each, and leave what they counted in `counters`."""
    ranked = rank_graph(graph)
    first = cuda.closed_form_by_rank(ranked.graph, APPROX)
    plan = plan_ranked(ranked, reduce_leaves=True, collapse=collapse)
    work = plan.in_order(plan.required(np.ones(graph.n_nodes, bool)))
    costs = plan.costs(work, radius)
    copied = cuda.DeviceGraph(plan.graph, plan.search, plan.components, first)
    request = cuda.Request(radius, APPROX, True, 1.0, 2.5e-10)
    counters[:] = 0
    cuda.fill_rows(copied, work, costs, request, counters=counters)
    return _timed(lambda: cuda.fill_rows(copied, work, costs, request), repeats)


def measure_radius_one(cupy: Any, settings: Settings, exponent: float) -> dict[str, Any]:
    """Time radius 1 of a generated power-law graph, ranking and triangles included."""
    say(f"radius 1, {settings.edges:,} edges, exponent {exponent}")
    indptr, indices = power_law_on_device(cupy, settings.edges // 10, settings.edges, exponent)

    def run() -> None:
        device_closed_form(indptr, indices, APPROX)
        cupy.cuda.Device().synchronize()

    run()
    timing = _timed(run, settings.repeats)
    return {
        "exponent": exponent, "nodes": int(indptr.size) - 1, "edges": int(indices.size) // 2,
        "largest_degree": int(cupy.diff(indptr).max()), "device": timing.as_dict(),
    }  # fmt: skip


def power_law_on_device(cupy: Any, n_nodes: int, n_edges: int, exponent: float, seed: int = 1) -> tuple[Any, Any]:
    """Return the CSR of a graph whose expected degrees follow a power law, drawn and sorted on the device."""
    random = cupy.random.RandomState(seed)
    weights = cupy.arange(1, n_nodes + 1, dtype=np.float64) ** (-1.0 / (exponent - 1.0))
    # No hub takes more than a fiftieth of all nodes; a steep law would join it to nearly all of them.
    ends = cupy.cumsum(cupy.minimum(weights * (2 * n_edges / weights.sum()), n_nodes / 50))
    ends /= ends[-1]
    keys = cupy.empty(0, np.int64)
    while keys.size < n_edges:
        more = int(1.2 * (n_edges - keys.size)) + 1000
        one, other = (cupy.minimum(cupy.searchsorted(ends, random.rand(more)), n_nodes - 1) for _ in range(2))
        low, high = cupy.minimum(one, other), cupy.maximum(one, other)
        keys = cupy.unique(cupy.concatenate([keys, (low * n_nodes + high)[low != high]]))
    keys = keys[random.permutation(keys.size)[:n_edges]]
    low, high = keys // n_nodes, keys % n_nodes
    arcs = cupy.concatenate([keys, high * n_nodes + low])
    arcs.sort()
    indptr = cupy.zeros(n_nodes + 1, np.int64)
    indptr[1:] = cupy.cumsum(cupy.bincount(arcs // n_nodes, minlength=n_nodes))
    return indptr, (arcs % n_nodes).astype(np.int32)


def target_rows(results: dict[str, Any]) -> list[Row]:
    """Return the targets and what was measured."""
    rows = []
    for one in results["graphs"]:
        target = TARGETS.get((one["name"], one["radius"]))
        if target is not None:
            seconds = one["device"]["median_s"]
            met = None if one["generated"] else seconds < target
            rows.append(Row(f"{one['name']}, R = {one['radius']}", f"< {target} s", f"{seconds:.3f} s", met))
    for one in results["radius_one"]:
        what = f"radius 1, {one['edges'] / 1e6:g} million edges, exponent {one['exponent']}"
        seconds = one["device"]["median_s"]
        rows.append(Row(what, f"< {RADIUS_ONE_TARGET} s", f"{seconds:.3f} s", seconds < RADIUS_ONE_TARGET))
    return rows


def render_cuda(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks cuda`."""
    copied = results["copy_bytes_s"]
    rows = []
    for one in results["graphs"]:
        seconds = one["device"]["median_s"]
        moved = one["gathers"] * one["gather_bytes"] / seconds
        rows.append(
            [
                one["name"] + (" (generated stand-in)" if one["generated"] else ""), one["radius"],
                f"{1e3 * one['device']['best_s']:.1f} ms ({1e3 * seconds:.1f})",
                f"{1e3 * one['each_twin']['median_s']:.1f} ms", f"{one['whole']['median_s']:.2f} s",
                f"{one['balls']:,}", f"{one['products'] / max(one['balls'], 1):.1f}",
                f"{one['gathers'] / seconds / 1e9:.1f}", f"{moved / 1e12:.2f} TB/s ({moved / copied:.0%})",
                f"{one['difference']:.0e}",
            ]
        )  # fmt: skip
    header = [
        "graph",
        "R",
        "on the device",
        "each twin",
        "whole",
        "balls",
        "products per ball",
        "10^9 gathers/s",
        "moved",
        "difference",
    ]
    generated = [
        [f"{one['exponent']}", f"{one['nodes']:,}", f"{one['edges']:,}", f"{one['largest_degree']:,}",
         f"{1e3 * one['device']['best_s']:.1f} ms ({1e3 * one['device']['median_s']:.1f})"]
        for one in results["radius_one"]
    ]  # fmt: skip
    facts = results["machine"]
    return "\n".join(
        [
            "# Benchmarks: one GPU\n",
            f"{facts['date']}, {results['device']}, CuPy {results['cupy']}, {facts['processor']}, "
            f"{facts['cpus']} CPUs, Python {facts['python']}.\n"
            f"A large copy on the device moves {copied / 1e12:.2f} TB/s, reads and writes together.\n",
            "## Targets\n",
            targets_table(results["targets"]),
            "## Radius 2 and more\n",
            "Best, median in brackets.\n",
            table(header, rows),
            _TEXT,
            "## Radius 1 of generated power-law graphs\n",
            "Ranking, triangles and entropies; best, median in brackets.\n",
            table(["exponent", "nodes", "edges", "largest degree", "on the device"], generated),
        ]
    )


def _timed(run: Any, repeats: int) -> Timing:
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - begin)
    return Timing(tuple(seconds))
