"""Does `vnestruct info` forecast the memory of the other commands? Peaks of ten generated graphs beside it.

``python -m benchmarks.memory_forecasts [--quick]`` writes ``results/memory.json`` and ``results/memory.md``: the
constants that fit all peaks, which `vnestruct.cli.commands.info` holds, and for each graph the forecast of these
constants and that of constants fitted to the nine other graphs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import nnls

from benchmarks.footprint import watch
from benchmarks.harness import RESULTS, write_results

GRAPHS = {
    "A, pairs": (0.5, 1),
    "B, pairs": (1, 3),
    "C, pairs": (1, 5),
    "D, pairs": (4, 8),
    "E, hubs": (2, 10),
    "F, pairs": (1, 10),
    "G, hubs": (4, 20),
    "H, pairs": (3, 25),
    "I, hubs": (5, 30),
    "J, pairs": (10, 50),
}
"""Millions of nodes and of lines; in those with hubs, one end is drawn from a power law."""

COMMANDS = {
    "convert": ["convert", "{graph}", "{folder}/graph.vng"],
    "embed_radius_1": ["embed", "{graph}", "-r", "1", "--jobs", "2", "-o", "{folder}/out.npz"],
    "embed": ["embed", "{graph}", "-r", "2", "--jobs", "2", "-o", "{folder}/out.npz"],
    "similar": ["similar", "{graph}", "-r", "1", "--node", "0"],
    "roles": ["roles", "{graph}", "-r", "1", "--roles", "4", "-o", "{folder}/roles.csv"],
}
TARGET = 0.25


def write_graph(path: Path, n_nodes: int, n_lines: int, hubs: bool) -> None:
    """Write random pairs as text."""
    draw = np.random.default_rng(1)
    with path.open("w") as file:
        for first in range(0, n_lines, 1_000_000):
            count = min(1_000_000, n_lines - first)
            source = (n_nodes * draw.random(count) ** (2.2 if hubs else 1.0)).astype(np.int64)
            pairs = np.stack([source, draw.integers(0, n_nodes, count)], axis=1)
            file.write("\n".join(f"{u} {v}" for u, v in pairs.tolist()) + "\n")


def measure(name: str, millions: tuple[float, float], folder: Path) -> list[dict[str, Any]]:
    """Return the peak of each command; radius 2 only where balls are small."""
    n_nodes, n_lines = (int(size * 1e6) for size in millions)
    graph = folder / "graph.txt"
    write_graph(graph, n_nodes, n_lines, "hubs" in name)
    command = [sys.executable, "-m", "vnestruct.cli", "info", str(graph), "--no-estimate", "--json"]
    facts = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    rows = []
    for what, words in COMMANDS.items():
        if what == "embed" and "hubs" in name:
            continue
        arguments = [word.format(graph=graph, folder=folder) for word in words]
        peak = watch(["-m", "vnestruct.cli", *arguments, "--quiet"]).together
        size = {"graph": name, "nodes": facts["nodes"], "edges": facts["edges"]}
        rows.append({**size, "command": what, "peak_mb": peak / 1e6})
        print(rows[-1], flush=True)
    return rows


def fit(rows: list[dict[str, Any]]) -> list[float]:
    """Return bytes of the program, per node and per edge, none negative, with the smallest relative errors."""
    sizes = np.array([[1.0, row["nodes"], row["edges"]] for row in rows])
    peaks = np.array([[row["peak_mb"] * 1e6] for row in rows])
    found = nnls(sizes / peaks * [1e8, 1e2, 1e2], np.ones(len(rows)))[0] * [1e8, 1e2, 1e2]
    return [float(f"{value:.3g}") for value in found]


def forecast_mb(constants: list[float], row: dict[str, Any]) -> float:
    """Return what `info` says with these constants."""
    program, node, edge = constants
    return (program + node * row["nodes"] + edge * row["edges"]) / 1e6


def summarize(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return constants and rows with both forecasts: by all graphs, and by the other ones."""
    constants, seen = {}, []
    for command in COMMANDS:
        own = [row for row in rows if row["command"] == command]
        constants[command] = fit(own)
        for row in own:
            others = fit([other for other in own if other["graph"] != row["graph"]])
            both = {"forecast_mb": forecast_mb(constants[command], row), "by_others_mb": forecast_mb(others, row)}
            seen.append({**row, **both})
    return {"constants": constants, "rows": seen}


def render(results: dict[str, Any]) -> str:
    """Return the table."""
    names = ["command", "graph", "nodes", "edges", "peak MB", "forecast / peak", "fitted without this graph"]
    lines = ["| " + " | ".join(names) + " |", "|---" * len(names) + "|"]
    inside = {"forecast_mb": 0, "by_others_mb": 0}
    for row in results["rows"]:
        ratios = {which: row[which] / row["peak_mb"] for which in inside}
        for which, ratio in ratios.items():
            inside[which] += abs(ratio - 1) <= TARGET
        numbers = f"{row['nodes']:,} | {row['edges']:,} | {row['peak_mb']:,.0f} | " + " | ".join(
            f"{ratio:.2f}" for ratio in ratios.values()
        )
        lines.append(f"| {row['command']} | {row['graph']} | {numbers} |")
    text = f"{inside['forecast_mb']} of {len(results['rows'])} forecasts are within {TARGET:.0%} of the peak"
    return "\n".join([*lines, "", f"{text}; {inside['by_others_mb']} with constants fitted without the graph.", ""])


def main() -> None:
    """Measure all graphs, one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="graphs of a hundredth of the size")
    options = parser.parse_args()
    scale = 0.01 if options.quick else 1.0
    rows = []
    for name, (nodes, lines) in GRAPHS.items():
        with tempfile.TemporaryDirectory() as folder:
            rows += measure(name, (nodes * scale, lines * scale), Path(folder))
    results = summarize(rows)
    write_results(RESULTS, "memory" + ("-quick" if options.quick else ""), results, render(results))


if __name__ == "__main__":
    main()
