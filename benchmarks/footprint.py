"""Memory of a process: private memory and mapped pages separately, sampled while it runs."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.harness import ROOT

_EVERY = 0.05


@dataclass
class Footprint:
    """Peaks of one process, in bytes."""

    own: int = 0
    """Private memory, which the system cannot reclaim."""
    mapped: int = 0
    """Pages of mapped files, which the system reclaims when it needs room."""
    together: int = 0
    """Both together: the resident set, from the kernel's high-water mark."""
    seconds: float = 0.0
    processor: float = 0.0
    """Seconds of processor time."""

    def as_dict(self) -> dict[str, Any]:
        """Return the values for the JSON file, in MB."""
        return {
            "own_mb": self.own / 1e6,
            "mapped_mb": self.mapped / 1e6,
            "together_mb": self.together / 1e6,
            "seconds": self.seconds,
            "processor_s": self.processor,
        }


def watch(command: list[str], data_limit: int | None = None) -> Footprint:
    """Run a command to its end; with `data_limit`, RLIMIT_DATA limits its private memory."""

    def limit() -> None:
        if data_limit is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (data_limit, data_limit))

    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    seen = Footprint()
    with subprocess.Popen([sys.executable, *command], env=environment, preexec_fn=limit) as process:
        over = threading.Event()
        while not over.wait(_EVERY) and process.poll() is None:
            _look(process.pid, seen)
    seen.seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seen.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    return seen


def _look(pid: int, seen: Footprint) -> None:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return
    facts = {line.split(":")[0]: int(line.split()[1]) * 1024 for line in lines if line.startswith(("VmHWM", "Rss"))}
    seen.own = max(seen.own, facts.get("RssAnon", 0) + facts.get("RssShmem", 0))
    seen.mapped = max(seen.mapped, facts.get("RssFile", 0))
    seen.together = max(seen.together, facts.get("VmHWM", 0))


def private_bytes(pid: int) -> int:
    """Return the private memory of a process."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Private_"))


def check_radius_one(graph_file: Path, rows_file: Path, n_samples: int = 200) -> None:
    """Compare some rows of an embedding of radius 1 with entropies computed ball by ball."""
    from vnestruct.embedding.radius_one import output_codes
    from vnestruct.io import read_vng
    from vnestruct.kernels import closed_form

    graph = read_vng(graph_file, verify=False)
    found = np.load(rows_file, mmap_mode="r")
    assert found.shape == (graph.n_nodes, 1)
    rows = np.sort(np.random.default_rng(2).choice(graph.n_nodes, n_samples, replace=False))
    sums = closed_form.ball_sums_of(graph.indptr, graph.indices, rows, np.zeros(graph.n_nodes, np.uint8))
    expected = np.empty((rows.size, 1))
    closed_form.radius_one(graph.indptr[rows + 1] - graph.indptr[rows], *sums, output_codes(["approx"]), expected)
    assert np.array_equal(found[rows], expected)
