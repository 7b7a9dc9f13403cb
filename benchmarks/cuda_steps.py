"""Where does the time of a whole call on a GPU go? ``python -m benchmarks.cuda_steps [GRAPH] [RADIUS]``.

Prints a timeline: when each step began and ended, in milliseconds since the call began, and on which thread. Steps may
hold others, and those on different threads overlap. By default two graphs of radius 2: dblp-2010, and the generated web
graph, which is also timed with a row for each twin; then kind `exact` of email-Enron at radius 1, for which threads
search balls and the device reduces matrices.
"""

from __future__ import annotations

import functools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from benchmarks.inputs import load
from vnestruct import embed
from vnestruct.embedding import pipeline, plan
from vnestruct.embedding.backends import cuda as backend
from vnestruct.embedding.plan import Plan
from vnestruct.kernels import cuda
from vnestruct.kernels.cuda import balls

STEPS = (
    (backend.CudaBackend, "__init__"), (backend.CudaBackend, "rank"), (backend.CudaBackend, "radius_one"),
    (pipeline, "find_components"), (pipeline, "plan_ranked"), (Plan, "required"), (Plan, "in_order"), (Plan, "costs"),
    (backend, "cut_for_devices"), (cuda, "DeviceGraph"), (cuda, "fill_rows"), (balls._Run, "rows_of"),
    (balls._Run, "_scratch"), (balls._Run, "_launch"), (balls, "wait"), (pipeline, "complete"),
)  # fmt: skip
CALLS = 7  # timed; one before them compiles kernels
SAMPLE = 300


class Step(NamedTuple):
    """One step of a call: times in seconds since the call began."""

    begin: float
    end: float
    name: str
    thread: str


@contextmanager
def recorded(steps: list[Step]) -> Iterator[None]:
    """Add to `steps` each of `STEPS` that runs meanwhile."""
    origin = time.perf_counter()

    def timed(function: Callable[..., Any], name: str) -> Callable[..., Any]:
        @functools.wraps(function, updated=())
        def call(*arguments: Any, **options: Any) -> Any:
            begin = time.perf_counter() - origin
            try:
                return function(*arguments, **options)
            finally:
                steps.append(Step(begin, time.perf_counter() - origin, name, threading.current_thread().name))

        return call

    with ExitStack() as patches:
        for owner, name in STEPS:
            title = f"{getattr(owner, '__name__', owner)}.{name}".replace("vnestruct.", "")
            patches.enter_context(mock.patch.object(owner, name, timed(getattr(owner, name), title)))
        yield


def timed_calls(call: Callable[[], Any]) -> list[float]:
    """Return the seconds of several calls in a row, sorted, after one that compiles."""
    seconds = []
    for _ in range(CALLS + 1):
        begin = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - begin)
    return sorted(seconds[1:])


def report(name: str, radius: int) -> None:
    """Print all about one graph."""
    loaded = load(name)
    graph = loaded.graph
    print(f"\n{loaded.title}, R = {radius}: {graph.n_nodes:,} nodes, {graph.indices.size // 2:,} edges")
    seconds = timed_calls(lambda: embed(graph, radius, engine="cuda"))
    print(f"whole call: median {1e3 * seconds[CALLS // 2]:.1f} ms, best {1e3 * seconds[0]:.1f} ms")
    steps: list[Step] = []
    begin = time.perf_counter()
    with recorded(steps):
        found = embed(graph, radius, engine="cuda")
    print(f"timeline of one call of {1e3 * (time.perf_counter() - begin):.1f} ms:")
    for step in sorted(steps):
        took = step.end - step.begin
        print(f"{1e3 * step.begin:8.1f} to {1e3 * step.end:8.1f} {1e3 * took:8.2f} ms  {step.name}  [{step.thread}]")
    nodes = np.random.default_rng(1).choice(graph.n_nodes, min(SAMPLE, graph.n_nodes), replace=False)
    difference = np.abs(found[nodes] - embed(graph, radius, nodes=graph.nodes[nodes])).max()
    print(f"largest difference from the CPU on {nodes.size} nodes: {difference:.1e}")
    if name == "web":
        with mock.patch.object(plan, "_FEW_TWINS", 2.0):
            apart = timed_calls(lambda: embed(graph, radius, engine="cuda"))
        ratio = apart[CALLS // 2] / seconds[CALLS // 2]
        print(f"with a row for each twin: median {1e3 * apart[CALLS // 2]:.1f} ms, {ratio:.1f} times as long")


def report_exact(name: str) -> None:
    """Print the time of kind `exact` at radius 1, on the GPU and on threads, and how far they differ."""
    graph = load(name).graph
    found: dict[str, Any] = {}
    for engine in ("cuda", "threads"):
        seconds = timed_calls(lambda: found.update({engine: embed(graph, 1, kind="exact", engine=engine)}))  # noqa: B023
        median = 1e3 * seconds[CALLS // 2]
        print(f"\n{name}, kind exact, R = 1, engine {engine}: whole call: median {median:.1f} ms")
    print(f"largest difference from the CPU: {np.abs(found['cuda'] - found['threads']).max():.1e}")


def main() -> None:
    """Report on the graph of the command line, or on all."""
    cuda.count_devices()
    chosen = [(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 2)] if len(sys.argv) > 1 else None
    for name, radius in chosen or (("dblp-2010", 2), ("web", 2)):
        report(name, radius)
    if chosen is None:
        report_exact("email-Enron")


if __name__ == "__main__":
    main()
