"""What every method costs."""

from __future__ import annotations

from typing import Any

from experiments.cost import FAMILIES, LEFT_OUT, MEMORY_GIB, measured_rows
from experiments.methods import METHODS
from experiments.report.tables import NONE, table


def render() -> str:
    """Return the section."""
    rows = {(row["method"], row["graph"]): row for row in measured_rows()}
    parts = [
        f"""## Cost

![cost](figures/cost.png)

Seconds of CPU time and peak memory beyond what the process held before (MiB), one thread, each run a process of
its own, compilation not counted; runs below half a second are repeated, and the median of five counts. A run that
passed its limit of CPU time says which limit it had; memory is limited to {MEMORY_GIB} GiB. After a failure larger
graphs are not tried. `python -m experiments cost` gives ten minutes to those that had less; a dash: not measured yet.
"""
    ]
    for family, names in FAMILIES.items():
        sizes = [
            next((row for (_, graph), row in rows.items() if graph == name and row["nodes"] != ""), None)
            for name in names
        ]
        header = [_title(name, row) for name, row in zip(names, sizes, strict=True)]
        lines = [
            [method.title, *(_cell(rows.get((method.name, name))) for name in names)]
            for method in METHODS
            if method.name not in LEFT_OUT
        ]
        parts.append(table([family, *header], lines))
    return "\n".join(parts)


def _title(name: str, row: dict[str, Any] | None) -> str:
    short = name.partition(".")[0]
    if row is None:
        return short
    return f"{row['nodes']:,} nodes" if name.isdigit() else f"{short}, {row['nodes']:,} nodes"


def _cell(row: dict[str, Any] | None) -> str:
    if row is None:
        return NONE
    if row["outcome"] == "out of time":
        return f"more than {row['limit_s']} s"
    if row["outcome"] != "done":
        return str(row["outcome"])
    seconds = f"{row['seconds']:.3f}" if row["seconds"] < 1 else f"{row['seconds']:.1f}"
    return f"{seconds} s, {row['peak_mib']:.0f}"
