"""The harness of all benchmarks: repeats, alternation, clocks, peak memory, the machine, and output files."""

from __future__ import annotations

import ctypes
import gc
import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from numba import njit

from vnestruct.kernels.machine import cycles

ROOT = Path(__file__).resolve().parent.parent
RESULTS = Path(__file__).resolve().parent / "results"

_LIBRARIES = ("vnestruct", "numpy", "scipy", "numba", "networkx", "igraph", "pyarrow")


@dataclass(frozen=True)
class Timing:
    """Seconds of repeated runs, in wall-clock and processor time."""

    seconds: tuple[float, ...]
    processor: tuple[float, ...] = ()

    @property
    def best(self) -> float:
        """The fastest run: the speed on an undisturbed machine."""
        return min(self.seconds)

    @property
    def median(self) -> float:
        """The median run."""
        return statistics.median(self.seconds)

    def as_dict(self) -> dict[str, Any]:
        """Return the values for the JSON file."""
        facts: dict[str, Any] = {"best_s": self.best, "median_s": self.median, "repeats": len(self.seconds)}
        if self.processor:
            facts["processor_s"] = self.processor[self.seconds.index(self.best)]
        return facts


def compare(
    candidates: Mapping[str, Callable[[], object]], *, repeats: int = 3, once_above: float = 5.0
) -> dict[str, Timing]:
    """Time several functions in alternation, so that a slow minute of the machine affects all of them.

    Whatever took more than `once_above` seconds in the first round is not repeated.
    """
    seconds: dict[str, list[float]] = {name: [] for name in candidates}
    processor: dict[str, list[float]] = {name: [] for name in candidates}
    for turn in range(repeats):
        for name, function in candidates.items():
            if turn and seconds[name][0] > once_above:
                continue
            gc.collect()
            begin, busy = time.perf_counter(), time.process_time()
            function()
            seconds[name].append(time.perf_counter() - begin)
            processor[name].append(time.process_time() - busy)
    return {name: Timing(tuple(seconds[name]), tuple(processor[name])) for name in candidates}


def growth_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """Return the slope of log(seconds) over log(size), by least squares: 1 means linear growth."""
    slope, _ = np.polyfit(np.log(sizes), np.log(seconds), 1)
    return float(slope)


@njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _read_cycles() -> Any:
    return cycles()


@njit(nogil=True)  # type: ignore[untyped-decorator, unused-ignore]
def _spin(steps: int) -> int:
    # A chain of dependent integer operations: nothing to share but the core itself.
    state = 1
    for _ in range(steps):
        state = (state * 1103515245 + 12345) % 2147483648
    return state


def nanoseconds_per_cycle(seconds: float = 0.2) -> float:
    """Calibrate the time stamp counter of the kernels against the clock."""
    _read_cycles()
    begin, first = time.perf_counter_ns(), _read_cycles()
    time.sleep(seconds)
    end, last = time.perf_counter_ns(), _read_cycles()
    return float((end - begin) / (last - first))


def thread_ceiling(n_threads: int, seconds: float = 0.3) -> float:
    """Return how much faster this machine does pure arithmetic on `n_threads` threads than on one.

    Busy neighbours and virtual cores that share a real one keep it below `n_threads`; no program does better.
    """
    _spin(1)
    begin = time.perf_counter()
    _spin(10_000_000)
    steps = int(10_000_000 * seconds / (time.perf_counter() - begin))

    def together() -> None:
        threads = [Thread(target=_spin, args=(steps,)) for _ in range(n_threads)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    timings = compare({"one": lambda: _spin(steps), "together": together}, repeats=3)
    return n_threads * timings["one"].median / timings["together"].median


class PeakMemory:
    """Peak memory of this process on top of what it used when this object was created.

    The kernel's high-water mark is reset first where that is allowed; otherwise the peak is the one since the
    process started, which is never too small.
    """

    def __init__(self) -> None:
        gc.collect()
        # Memory that malloc keeps after a free would be reused without being counted.
        if platform.libc_ver()[0] == "glibc":
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        try:
            Path("/proc/self/clear_refs").write_text("5")
            self.method = "VmHWM after reset"
        except OSError:
            self.method = "ru_maxrss since start"
        self.start = _status_bytes("VmRSS")

    def above_start(self) -> int:
        """Return the peak so far minus the start."""
        if self.method.startswith("VmHWM"):
            return _status_bytes("VmHWM") - self.start
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - self.start


def _status_bytes(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {field}")


def in_fresh_process(module: str, *arguments: str) -> dict[str, Any]:
    """Run ``python -m module arguments`` and return the JSON of its last line."""
    command = [sys.executable, "-m", module, *arguments]
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def machine() -> dict[str, Any]:
    """Return what a reader needs to know about the machine to judge the numbers."""
    return {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "libraries": {name: found for name in _LIBRARIES if (found := _version(name))},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def _version(library: str) -> str | None:
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def say(text: str) -> None:
    """Print what is being measured."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def write_results(folder: Path, name: str, results: Mapping[str, Any], rendered: str) -> list[Path]:
    """Write ``name.json`` and ``name.md``; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.json", folder / f"{name}.md"]
    paths[0].write_text(json.dumps(results, indent=1, allow_nan=False) + "\n")
    paths[1].write_text(rendered)
    return paths
