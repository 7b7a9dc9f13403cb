"""Time and memory of every method."""

from experiments.cost import FAMILIES, LEFT_OUT, MEMORY_GIB, measured_rows
from experiments.methods import METHODS
from experiments.report.tables import NONE, table


def render():
    """Return the section."""
    rows = {(row["method"], row["graph"]): row for row in measured_rows()}
    limits = " or ".join(str(limit) for limit in sorted({row["limit_s"] for row in rows.values()}))
    parts = [
        f"""## Cost

![cost](figures/cost.png)

CPU time in seconds and peak memory in MiB on top of what the process used before, one thread. Each run has its own
process, and compilation is not counted. Runs shorter than half a second are repeated, and the median of five is
shown. Runs had a limit of {limits} s of CPU time; for a run that exceeded its limit, the table shows the limit.
Memory is limited to {MEMORY_GIB} GiB. After a failure, larger graphs are not tried. `python -m experiments
cost` repeats failed runs with a limit of ten minutes. A dash means not measured.
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


def _title(name, row):
    short = name.partition(".")[0]
    if row is None:
        return short
    return f"{row['nodes']:,} nodes" if name.isdigit() else f"{short}, {row['nodes']:,} nodes"


def _cell(row):
    if row is None:
        return NONE
    if row["outcome"] == "out of time":
        return f"more than {row['limit_s']} s"
    if row["outcome"] != "done":
        return str(row["outcome"])
    seconds = f"{row['seconds']:.3f}" if row["seconds"] < 1 else f"{row['seconds']:.1f}"
    return f"{seconds} s, {row['peak_mib']:.0f}"
