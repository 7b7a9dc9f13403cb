"""Is the forecast right? The range that `info` gives and the one a run gives, compared with the time it then takes."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from tests import generators as synthetic

from benchmarks import harness
from benchmarks.harness import say
from benchmarks.inputs import load
from benchmarks.render import machine_line, table, targets_table
from benchmarks.targets import estimate_rows
from vnestruct import Graph, embed
from vnestruct.embedding.estimate import estimate
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.progress import Forecast, Progress, duration, time_range

RESOLUTION = 0.1
"""Seconds that forecasts do not tell apart: they say "under 0.1 s"."""

GENERATED = {
    "barabasi-albert-100k": lambda: synthetic.barabasi_albert(100_000, 4, seed=7),
    "grid-500": lambda: synthetic.grid(500, 500, shuffled=5),
    "power-law-50k": lambda: synthetic.power_law(50_000, 2.3, seed=2, largest_degree=800),
    "small-world-50k": lambda: synthetic.watts_strogatz(50_000, 10, 0.1, seed=4),
}


@dataclass(frozen=True)
class Settings:
    """The named parameters of a run."""

    cases: tuple[tuple[str, str, tuple[int, ...]], ...] = (
        ("facebook_combined", "approx", (1, 2, 3)),
        ("email-Enron", "approx", (1, 2)),
        ("musae_github", "approx", (1,)),
        ("dblp-2010", "approx", (1, 2)),
        ("moscow-roads", "approx", (1, 2, 3, 4)),
        ("moscow-roads", "exact", (2,)),
        ("barabasi-albert-100k", "approx", (1, 2)),
        ("grid-500", "approx", (2, 4)),
        ("grid-500", "normalized", (2,)),
        ("power-law-50k", "approx", (2,)),
        ("small-world-50k", "approx", (2, 3)),
        ("small-world-50k", "exact", (1,)),
    )
    """Graph, kind, radii."""
    threads: int = 2


QUICK = Settings(cases=(("tiny", "approx", (1, 2)),), threads=1)


class _Stopped(Exception):
    """The run has said how long it will take, and need not go on."""


class _Listener(Progress):
    """Keeps the forecast of a run, however short the run is, and stops it."""

    forecast_above = 0.0
    forecast: Forecast | None = None

    def expect(self, forecast: Forecast) -> None:
        self.forecast = forecast
        raise _Stopped


def run_estimates(settings: Settings) -> dict[str, Any]:
    """Estimate, then measure, every case."""
    machine = harness.machine()
    rows = []
    for name, kind, radii in settings.cases:
        graph = GENERATED[name]() if name in GENERATED else load(name).graph
        embed(graph, max(radii), kind=kind, nodes=graph.nodes[:1], n_jobs=settings.threads)
        for work in estimate(graph, checked_settings(1, kind), radii, settings.threads):
            say(f"{name}, {kind}, radius {work.radius}: {time_range(work.low, work.high or math.inf)}")
            rows.append({"graph": name, "kind": kind, **_measured(graph, kind, work.radius, settings.threads)})
            rows[-1] |= {"radius": work.radius, "low": work.low, "high": work.high}
            rows[-1]["within"] = is_within(rows[-1]["seconds"], work.low, work.high)
    results: dict[str, Any] = {"settings": asdict(settings), "machine": machine, "runs": rows}
    return {**results, "targets": estimate_rows(results)}


def _measured(graph: Graph, kind: str, radius: int, n_jobs: int) -> dict[str, Any]:
    listener = _Listener()
    with suppress(_Stopped):
        embed(graph, radius, kind=kind, n_jobs=n_jobs, progress=listener)
    begin = time.perf_counter()
    embed(graph, radius, kind=kind, n_jobs=n_jobs)
    seconds = time.perf_counter() - begin
    forecast = listener.forecast
    return {
        "seconds": seconds,
        "forecast": None if forecast is None else [forecast.low, None if math.isinf(forecast.high) else forecast.high],
    }


def is_within(seconds: float, low: float, high: float | None) -> bool:
    """Tell whether a time lies in a range, as far as ranges are told."""
    return low - RESOLUTION <= seconds <= (math.inf if high is None else high) + RESOLUTION


def render_estimates(results: dict[str, Any]) -> str:
    """Return the report of `python -m benchmarks estimates`."""

    def text(low: float, high: float | None) -> str:
        return time_range(low, math.inf if high is None else high)

    rows = [
        [
            run["graph"], run["kind"], run["radius"], text(run["low"], run["high"]),
            "-" if run["forecast"] is None else text(*run["forecast"]), duration(run["seconds"]),
            "yes" if run["within"] else "NO",
        ]
        for run in results["runs"]
    ]  # fmt: skip
    return "\n".join(
        [
            "# Benchmarks: forecasts\n",
            machine_line(results["machine"]),
            "## Targets\n",
            targets_table(results["targets"]),
            "## Runs\n",
            f"On {results['settings']['threads']} threads. `info` forecasts the whole run, and the run itself, once it "
            "is planned, the rest; radius 1 and very short runs make no forecast of their own. Both extrapolate from "
            "the same sample. Times differ by up to 0.1 s from what a forecast can say.\n",
            table(["graph", "kind", "radius", "info", "the run", "measured", "within"], rows),
        ]
    )
