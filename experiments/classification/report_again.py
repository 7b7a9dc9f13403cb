"""The parts of the report about machines and commits, and about results that were computed twice."""

from __future__ import annotations

from experiments.classification.jobs import MAIN, MORE
from experiments.classification.paper import NAMES
from experiments.classification.report_figures import averaged, networks, signature
from experiments.classification.report_time import read


def where() -> str:
    """Return on which machines and commits the figures were measured."""
    lines = []
    for name in (*MAIN, *MORE):
        measured: dict[tuple[str, str], list[str]] = {}
        for suffix in ("networks", "fresh"):
            for key, entry in networks(name, suffix).items():
                if key != "vnestruct":
                    title = f"{key} (fresh folds)" if suffix == "fresh" else key
                    measured.setdefault((entry["where"], entry["commit"]), []).append(title)
        for (machine, commit), keys in measured.items():
            grid = [key for key in keys if key.startswith("vnestruct-r")]
            others = [key for key in keys if key not in grid]
            fresh = sum(key.endswith("(fresh folds)") for key in grid)
            listed = [f"{len(grid) - fresh} of the grid"] * (len(grid) > fresh) + others
            listed += [f"{fresh} of the grid on fresh folds"] * (fresh > 0)
            lines.append(f"- {NAMES[name]}: {', '.join(listed)}: {machine}, commit {commit}")
        development = averaged(name, "development")
        if development:
            machine, commit = development["where"], development["commit"]
            lines.append(f"- {NAMES[name]}: the grid on development folds: {machine}, commit {commit}")
        heads = signature(name)
        if heads:
            lines.append(f"- {NAMES[name]}: signature heads: 1 thread of a CPU, commit {', '.join(heads['commits'])}")
    return "\n".join(lines)


def again() -> str:
    """Return which results were computed twice, and how much they differ."""
    lines = []
    for name in (*MAIN, *MORE):
        heads = signature(name)
        if heads and heads["repeats"]:
            same = sum(one is not None for one in heads["repeats"])
            befores = ", ".join(sorted({one for one in heads["repeats"] if one is not None}))
            lines.append(
                f"- {NAMES[name]}, signature heads: {same} of {len(heads['repeats'])} seeds identical in every fold "
                f"and head to those on {befores}"
            )
    return "\n".join(lines + networks_again()) or "No result has been computed twice yet."


def networks_again() -> list[str]:
    """Return how many networks of each collection have the same curves twice, and name the others."""
    lines = []
    every = read("again.json")
    for name in (*MAIN, *MORE):
        own = {key: entry for key, entry in every.items() if key.startswith(f"{name}.")}
        for machines in sorted({" and ".join(dict.fromkeys(entry["where"])) for entry in own.values()}):
            here = {key: one for key, one in own.items() if " and ".join(dict.fromkeys(one["where"])) == machines}
            other = [f"{key} {one['points']:.2f} points apart" for key, one in here.items() if not one["same curves"]]
            fresh = sum("fresh" in key for key in here)
            listed = f"{len(here) - len(other)} of {len(here)} networks"
            listed += f" ({fresh} of them on fresh folds)" if fresh else ""
            rest = f"; others: {', '.join(other)}" if other else ""
            lines.append(f"- {NAMES[name]}: {listed} with identical curves{rest} ({machines})")
    return lines
