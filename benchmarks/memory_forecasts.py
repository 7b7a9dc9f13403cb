"""Does `vnestruct info` forecast the memory of the other commands? Peaks of five generated graphs beside it.

``python -m benchmarks.memory_forecasts [--quick]`` writes ``results/memory.json`` and ``results/memory.md``. With
``--fit`` the peaks of other graphs are measured, and the constants of `vnestruct.cli.commands.info` that fit them are
printed.
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

GRAPHS = {"pairs": (1, 5), "hubs": (2, 10), "dense pairs": (3, 25), "many hubs": (5, 30), "many pairs": (10, 50)}
"""Millions of nodes and of lines; in those with hubs, one end is drawn from a power law."""

FITTED = {"few pairs": (0.5, 1), "pairs": (1, 3), "sparse pairs": (4, 8), "dense pairs": (1, 10), "hubs": (4, 20)}
"""The same of the graphs whose peaks the forecast is fitted to."""

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
    """Return forecast and peak of each command; radius 2 only where balls are small."""
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
        rows.append({**size, "command": what, "forecast_mb": facts["memory"][what] / 1e6, "peak_mb": peak / 1e6})
        print(rows[-1], flush=True)
    return rows


def fitted(rows: list[dict[str, Any]]) -> dict[str, list[float]]:
    """Return bytes of the program, per node and per edge, none negative, with the smallest relative errors."""
    found = {}
    for command in COMMANDS:
        own = [row for row in rows if row["command"] == command]
        sizes = np.array([[1.0, row["nodes"], row["edges"]] for row in own])
        peaks = np.array([[row["peak_mb"] * 1e6] for row in own])
        found[command] = nnls(sizes / peaks * [1e8, 1e2, 1e2], np.ones(len(own)))[0] * [1e8, 1e2, 1e2]
    return {command: [float(f"{value:.3g}") for value in values] for command, values in found.items()}


def render(results: dict[str, Any]) -> str:
    """Return the table."""
    lines = ["| graph | nodes | edges | command | forecast MB | peak MB | ratio |", "|---|---|---|---|---|---|---|"]
    for row in results["rows"]:
        ratio = row["forecast_mb"] / row["peak_mb"]
        numbers = f"{row['forecast_mb']:,.0f} | {row['peak_mb']:,.0f} | {ratio:.2f}"
        lines.append(f"| {row['graph']} | {row['nodes']:,} | {row['edges']:,} | {row['command']} | {numbers} |")
    inside = sum(abs(row["forecast_mb"] / row["peak_mb"] - 1) <= TARGET for row in results["rows"])
    return "\n".join(
        [*lines, "", f"{inside} of {len(results['rows'])} forecasts are within {TARGET:.0%} of the peak.", ""]
    )


def main() -> None:
    """Measure all graphs, one after the other."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="graphs of a hundredth of the size")
    parser.add_argument("--fit", action="store_true", help="print the constants of the forecast instead")
    options = parser.parse_args()
    scale = 0.01 if options.quick else 1.0
    rows = []
    for name, (nodes, lines) in (FITTED if options.fit else GRAPHS).items():
        with tempfile.TemporaryDirectory() as folder:
            rows += measure(name, (nodes * scale, lines * scale), Path(folder))
    results: dict[str, Any] = {"rows": rows}
    if options.fit:
        print(json.dumps(fitted(rows), indent=1))
        return
    write_results(RESULTS, "memory" + ("-quick" if options.quick else ""), results, render(results))


if __name__ == "__main__":
    main()
