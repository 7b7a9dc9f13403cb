"""What all benchmarks share: graphs, alternation, clocks, memory, the machine, targets, and one form of results.

A result file ``results/NAME.json`` says benchmark, commit, date, machine and settings, and has targets and tables; a
table is a list of flat rows. Keys end in units: ``_s`` (seconds), ``_mb`` (megabytes), ``_ratio``, ``_share``.
"""

import ctypes
import gc
import json
import os
import platform
import re
import resource
import statistics
import subprocess
import sys
import threading
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np

from vnestruct import embed, read_graph
from vnestruct.graph import synthetic

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
FILES = {
    "facebook_combined": "facebook_combined.txt.gz", "email-Enron": "email-Enron.txt.gz", "ca-GrQc": "ca-GrQc.txt.gz",
    "musae_github": "musae_github_edges.csv.gz", "dblp-2010": "dblp-2010.txt.gz", "moscow-roads": "moscow-roads.txt.gz",
    "email-Eu-core": "email-Eu-core.txt.gz", "usroads": "usroads.mtx.gz",
}  # fmt: skip
LIBRARIES = ("vnestruct", "numpy", "scipy", "numba", "networkx", "pyarrow")


class Timing(NamedTuple):
    """Seconds of repeated runs, in wall-clock and processor time, and what they returned."""

    seconds: list[float]
    processor: list[float]
    results: list[object]

    @property
    def best(self):
        """The fastest run: the speed on an undisturbed machine."""
        return min(self.seconds)

    @property
    def median(self):
        """The median run."""
        return statistics.median(self.seconds)


def path_of(name):
    """Return the file of a graph in the folder VNESTRUCT_DATA, or ../shared/data."""
    data = os.environ.get("VNESTRUCT_DATA") or ROOT.parent / "shared" / "data"
    return Path(data) / "graphs" / FILES[name]


def load(name):
    """Return a real graph by name; "tiny" is generated."""
    return synthetic.barabasi_albert(2_000, 5, seed=6) if name == "tiny" else read_graph(path_of(name))


def edges_of(graph):
    """Return the ends of each edge, shape (edges, 2)."""
    rows = np.repeat(np.arange(graph.n_nodes), graph.degrees)
    return np.column_stack([rows, graph.indices])[rows < graph.indices]


def warm_up():
    """Compile, or load, every kernel that is measured; graphs in which many nodes have twins use other kernels."""
    for graph in (synthetic.barabasi_albert(2_000, 5, seed=0), synthetic.grid(8, 8), synthetic.barbell(10, 7)):
        for radius in (1, 2, 3):
            for n_jobs in (1, 2):
                embed(graph, radius, n_jobs=n_jobs)


def compare(candidates, repeats=3, once_above=5.0):
    """Time several functions in alternation, so that a slow minute of the machine affects all of them.

    Whatever took more than `once_above` seconds in the first round is not repeated.
    """
    found = {name: Timing([], [], []) for name in candidates}
    for turn in range(repeats):
        for name, function in candidates.items():
            if turn and found[name].seconds[0] > once_above:
                continue
            gc.collect()
            begin, busy = time.perf_counter(), time.process_time()
            found[name].results.append(function())
            found[name].seconds.append(time.perf_counter() - begin)
            found[name].processor.append(time.process_time() - busy)
    return found


class PeakMemory:
    """Peak memory of this process on top of what it used when this object was created."""

    def __init__(self):
        gc.collect()
        # Memory that malloc keeps after a free would be reused without being counted.
        if platform.libc_ver()[0] == "glibc":
            ctypes.CDLL("libc.so.6").malloc_trim(0)
        Path("/proc/self/clear_refs").write_text("5")
        self.start = status_bytes("self", "VmRSS")

    def megabytes(self):
        """Return the peak so far minus the start."""
        return (status_bytes("self", "VmHWM") - self.start) / 1e6


def status_bytes(pid, *fields):
    """Return the sum of some fields of a process's status."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return sum(int(line.split()[1]) * 1024 for line in lines if line.split(":")[0] in fields)


def in_fresh_process(module, *arguments, **variables):
    """Run ``python -m module arguments``, with changed environment variables, and return the JSON of its last line."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, env=_environment(**variables), stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def watch(command, data_limit=None):
    """Run a command of the product to its end; return its time and its peaks of memory, in MB.

    Private memory, which the system cannot reclaim and `data_limit` limits; pages of mapped files, which it can; both.
    """

    def limit():
        if data_limit is not None:
            resource.setrlimit(resource.RLIMIT_DATA, (data_limit, data_limit))

    peaks = {"own_mb": 0, "mapped_mb": 0, "together_mb": 0}
    parts = {"own_mb": ("RssAnon", "RssShmem"), "mapped_mb": ("RssFile",), "together_mb": ("VmHWM",)}
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, "-m", "vnestruct.cli", *command]
    with subprocess.Popen(words, env=_environment(), preexec_fn=limit) as process:
        over = threading.Event()
        while not over.wait(0.05) and process.poll() is None:
            for key, fields in parts.items():
                peaks[key] = max(peaks[key], status_bytes(process.pid, *fields))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} ended with {process.returncode}")
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    times = {"seconds_s": time.perf_counter() - begin, "processor_s": busy}
    return {key: peak / 1e6 for key, peak in peaks.items()} | times


def _environment(**variables):
    changed = os.environ | {name: str(value) for name, value in variables.items()}
    return changed | {"PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), changed.get("PYTHONPATH")]))}


@cache
def machine():
    """Return what a reader needs to know about the machine to judge the numbers."""
    text = Path("/proc/cpuinfo").read_text()
    found = re.search(r"model name\s*: (.*)", text)
    return {
        "processor": found[1] if found else platform.processor(), "cpus": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2), "system": platform.platform(terse=True),
        "python": platform.python_version(), "libraries": {name: version(name) for name in LIBRARIES},
    }  # fmt: skip


@cache
def commit():
    """Return the commit that is checked out, with "-dirty" if files differ from it."""
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def target(what, measured, unit="", *, at_most=None, at_least=None):
    """Return a target, what was measured, and whether that meets it."""
    limit = f"<= {at_most:,g}{unit}" if at_most is not None else f">= {at_least:,g}{unit}"
    met = measured <= at_most if at_most is not None else measured >= (at_least or 0.0)
    return {"what": what, "target": limit, "measured": f"{measured:,.3g}{unit}", "met": bool(met)}


def say(text):
    """Print what is being measured."""
    print(f"[{time.strftime('%H:%M:%S')}] {text}", file=sys.stderr, flush=True)


def save(folder, name, results):
    """Write the results of a benchmark, which have settings, targets and tables, as JSON and as Markdown."""
    head = {"benchmark": name, "commit": commit(), "date": time.strftime("%Y-%m-%d", time.gmtime())}
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps(head | {"machine": machine()} | results, indent=1, allow_nan=False) + "\n")
    path.with_suffix(".md").write_text(render(json.loads(path.read_text())))
    return path


def render(results):
    """Return a result file as Markdown."""
    facts = results["machine"]
    libraries = ", ".join(f"{name} {found}" for name, found in facts["libraries"].items())
    where = f"{facts['processor']}, {facts['cpus']} CPUs, load before the run {facts['load_before']}"
    parts = [
        f"# Benchmark: {results['benchmark']}\n",
        f"{results['date']}, commit {results['commit']}, {where};\n"
        f"{facts['system']}, Python {facts['python']}, {libraries}.\n",
    ]
    for name, rows in {"targets": results["targets"], **results["tables"]}.items():
        if rows:
            header = list(dict.fromkeys(key for row in rows for key in row))
            cells = [[shown(key, row.get(key)) for key in header] for row in rows]
            titles = [re.sub(r"_(s|mb|share|ratio)$", "", key).replace("_", " ") for key in header]
            parts += [f"## {name.replace('_', ' ')}\n", table(titles, cells)]
    return "\n".join(parts)


def shown(key, value):
    """Return a value in the unit that the end of its key names."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "NO"
    if isinstance(value, list):
        return ", ".join(shown(key, one) for one in value)
    if isinstance(value, str):
        return value
    unit = key.rpartition("_")[2]
    if unit == "s":
        return seconds(value)
    if isinstance(value, int):
        return f"{value:,}"
    return {"mb": f"{value:,.0f} MB", "share": f"{value:.2%}", "ratio": f"{value:,.2f}x"}.get(unit, f"{value:,.4g}")


def seconds(value):
    """Return a time in two significant digits, in the unit that suits it."""
    units = (
        ("µs", 1e-6, 100), ("ms", 1e-3, 100), ("s", 1, 100), ("min", 60, 100), ("h", 3600, 48), ("days", 86_400, 700),
    )  # fmt: skip
    for unit, size, most in units:
        if value < size * most:
            return f"{two_digits(value / size)} {unit}"
    return f"{two_digits(value / (365.25 * 86_400))} years"


def two_digits(value):
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def table(header, rows, *, words=1):
    """Return a Markdown table whose first `words` columns are text and the others numbers."""
    lines = [header, ["---"] * words + ["---:"] * (len(header) - words), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
