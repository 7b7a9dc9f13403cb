"""Cost: seconds and peak memory of every method, on Barabasi-Albert graphs (m = 5) and real ones.

Each run is a process of its own on one thread (``python -m experiments.cost_worker``). It first embeds a tiny graph, so
that compilation and imports are not counted. Seconds are of CPU time, which on one thread is the time on an
idle machine; memory is what the process holds at its peak beyond what it held before. A run ends at the limit of
CPU seconds or of `MEMORY_GIB`; after that, larger graphs of the same kind are not tried.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from experiments.methods import METHODS, Method
from experiments.storage import RESULTS, Row, read_rows, write_rows

PATH = RESULTS / "cost.csv"
LIMIT = 600
MEMORY_GIB = 12
FAMILIES = {
    "Barabasi-Albert": ("100", "1000", "10000", "100000"),
    "real": (
        "brazil-airports",
        "email-Eu-core.txt.gz",
        "ca-GrQc.txt.gz",
        "email-Enron.txt.gz",
        "usroads.mtx.gz",
    ),
}
LEFT_OUT = ("vnestruct-r3", "rolx-own")


def run(limit: int = LIMIT, methods: Iterable[Method] = METHODS) -> None:
    """Measure what is missing, and repeat runs that were stopped at a lower limit."""
    rows = {(row["method"], row["graph"]): row for row in measured_rows()}
    chosen = [method for method in methods if method.name not in LEFT_OUT]
    for family, names in FAMILIES.items():
        failed: set[str] = set()
        for name in names:
            for method in chosen:
                key = method.name, name
                if key not in rows or not settled(rows[key], limit):
                    row = {"family": family, "graph": name, "method": method.name, "limit_s": limit}
                    rows[key] = row | measured(method.name, name, limit, tried=method.name not in failed)
                    write_rows(PATH, list(rows.values()))
                    print(rows[key], flush=True)
                if rows[key]["outcome"] != "done":
                    failed.add(method.name)


def settled(row: Row, limit: int) -> bool:
    """Return whether a row would stay the same with this limit of seconds."""
    return row["outcome"] not in ("out of time", "not tried") or row["limit_s"] >= limit


def measured_rows() -> list[Row]:
    """Return the known rows, the last of each method and graph; a graph's name is text even if it is a number."""
    rows = [row | {"graph": str(row["graph"])} for row in read_rows(PATH)]
    return list({(row["method"], row["graph"]): row for row in rows}.values())


def measured(method: str, graph: str, limit: int, *, tried: bool) -> dict[str, Any]:
    """Return one run's size, outcome, seconds and memory."""
    empty: dict[str, Any] = {"nodes": "", "edges": "", "outcome": "not tried", "seconds": "", "peak_mib": ""}
    if not tried:
        return empty
    command = [sys.executable, "-W", "ignore", "-m", "experiments.cost_worker", method, graph]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    with (
        tempfile.TemporaryFile("w+") as errors,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env=os.environ | threads
        ) as process,
    ):
        assert process.stdout is not None
        ready = process.stdout.readline().strip() == "ready"
        in_time = not ready or _watched(process, limit)
        output = process.stdout.read()
        errors.seek(0)
        error_text = errors.read()
    if process.wait() == 0:
        return empty | {"outcome": "done"} | json.loads(output.splitlines()[-1])
    if not in_time:
        return empty | {"outcome": "out of time"}
    if any(sign in error_text for sign in ("MemoryError", "Unable to allocate", "can't allocate")):
        return empty | {"outcome": "out of memory"}
    sys.stderr.write(error_text[-2000:])
    return empty | {"outcome": "failed"}


def _watched(process: subprocess.Popen[str], limit: int) -> bool:
    """Wait for a process, or kill it after this many more seconds of CPU time; return whether it finished in time.

    A limit of the kernel's own (RLIMIT_CPU) would make the process read its CPU clock in steps of milliseconds.
    """
    begin = _cpu_seconds(process.pid)
    while process.poll() is None:
        if _cpu_seconds(process.pid) - begin > limit:
            process.kill()
            return False
        time.sleep(0.05)
    return True


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it has ended
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
