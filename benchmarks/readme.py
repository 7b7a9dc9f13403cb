"""Measured tables inside documents, rendered from results: ``python -m benchmarks readme`` writes them anew.

A table stands between ``<!-- table: NAME -->`` and ``<!-- end of table -->``; what is between them is never edited by
hand. Speed comes from the JSON of the benchmarks, the rest from the reports of the experiments, which are rendered from
their own results.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.harness import RESULTS, ROOT

DOCUMENTS = ("README.md", "docs/comparison.md", "docs/molecules.md", "docs/reproducing.md")
COMMAND = "python -m benchmarks readme"
ROLES = ROOT / "experiments" / "REPORT.md"
CLASSES = ROOT / "experiments" / "classification" / "REPORT.md"

_PLACE = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- end of table -->)", flags=re.DOTALL)
_SETTINGS = {
    "houses, not perturbed": "houses",
    "houses, 5 rewired": "houses, 5 links rewired",
    "varied, not perturbed": "all shapes",
    "varied, 10 rewired": "all shapes, 10 links rewired",
}


def filled(text: str) -> str:
    """Return a document with all of its tables as the results have them now."""

    def fill(match: re.Match[str]) -> str:
        return f"{match[1]}{TABLES[match[2]]()}{match[3]}"

    return _PLACE.sub(fill, text)


def write_documents() -> list[Path]:
    """Bring the tables of all documents up to date, and return those that changed."""
    changed = []
    for path in (ROOT / name for name in DOCUMENTS):
        before = path.read_text(encoding="utf-8")
        after = filled(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path)
    return changed


def table(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a Markdown table whose first columns are words, and the others numbers."""
    lines = [header, ["---"] * words + ["---:"] * (len(header) - words), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def report_tables(path: Path, heading: str) -> list[list[list[str]]]:
    """Return the tables below a heading of a report, each as rows of cells with the header first."""
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"^#+ {re.escape(heading)}.*?\n(.*?)(?=^#|\Z)", text, flags=re.DOTALL | re.MULTILINE)
    if found is None:
        raise ValueError(f"{path} has no heading {heading!r}; render the report again, or change {__file__}")
    tables: list[list[list[str]]] = []
    before = ""
    for line in found[1].splitlines():
        if line.startswith("|"):
            if not before.startswith("|"):
                tables.append([])
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                tables[-1].append(cells)
        before = line
    return tables


def speed() -> str:
    """Return the README's table of speed, and what else was measured."""
    results, variants = _results("core"), _results("variants")
    machine, memory = results["machine"], results["memory"]
    header = ["graph", "nodes", "edges", "radius 1", "igraph's triangles", "radius 2", "plain networkx, radius 2"]
    rows = []
    for one in _real(results):
        runs = {run["radius"]: run for run in one["runs"]}
        radius_two, beside = runs[2], one["igraph"]
        naive = radius_two["naive"]
        rows.append(
            [
                one["name"],
                f"{one['nodes']:,}",
                f"{one['edges']:,}",
                seconds(beside["ours"]["best_s"]),
                seconds(beside["igraph"]["best_s"]),
                seconds(radius_two["times"]["2"]["best_s"]),
                f"{seconds(naive['seconds_extrapolated'])} ({naive['ratio']:,.0f}x)",
            ]
        )
    stream = variants["stream"]
    return (
        f"{table(header, rows)}\n"
        f"Measured {machine['date'].split()[0]} on {machine['cpus']} cores of an {_processor(machine)}. Radius 1 and "
        "igraph on one thread, in turns: both count\n"
        "triangles, igraph in C. Radius 2 on two threads; networkx is extrapolated from a sample of nodes. Peak memory "
        f"above the\ngraph of {memory['name']} at radius {memory['radius']}: {memory['peak_mb']:.0f} MB. After a link "
        f"has changed, `update` costs {stream['share_of_whole_runs']:.1%} of a whole run at radius 1.\n"
    )


def targets() -> str:
    """Return what was promised of speed, and whether it is kept."""
    rows = [
        [
            row["what"],
            row["target"],
            row["measured"],
            "yes" if row["verdict"] == "yes" else f"**{row['verdict'].lower()}**",
        ]
        for name in ("core", "variants", "reading")
        for row in _results(name)["targets"]
    ]
    return table(["what", "target", "measured", "met"], rows)


def rings() -> str:
    """Return the accuracy of every method on rings of shapes, clean and perturbed."""
    accuracy: dict[str, dict[str, str]] = {}
    for heading, words in _SETTINGS.items():
        header, *rows = report_tables(ROLES, heading)[0]
        measured = [dict(zip(header, row, strict=True)) for row in rows if not row[0].startswith("*")]
        most = max(int(row["graphs"]) for row in measured)
        accuracy[words] = {
            row["method"]: row["accuracy"] + ("" if int(row["graphs"]) == most else f" ({row['graphs']} of {most})")
            for row in measured
        }
    names = next(iter(accuracy.values()))
    return table(["method", *accuracy], [[name, *(one[name] for one in accuracy.values())] for name in names])


def claims() -> str:
    """Return the claims of the paper on roles, and whether they hold."""
    rows = report_tables(ROLES, "The paper's claims")[0]
    return table(rows[0][:2], [row[:2] for row in rows[1:]], words=2)


def cost() -> str:
    """Return seconds and memory of every method on random graphs of growing size."""
    rows = report_tables(ROLES, "Cost")[0]
    return table(["method", *rows[0][1:]], rows[1:])


def airports() -> str:
    """Return the accuracy of a classifier of nodes on graphs with known roles."""
    rows = report_tables(ROLES, "Airports, actor, film")[0]
    kept = [0] + [place for place, words in enumerate(rows[0]) if words.endswith("logistic")]
    header = [rows[0][place].removesuffix(", logistic") for place in kept]
    return table(header, [[row[place] for place in kept] for row in rows[1:]])


def enron() -> str:
    """Return how well clusters of Enron's people agree with their positions."""
    rows = report_tables(ROLES, "Without unknown positions")[0]
    return table(rows[0][:5], [row[:5] for row in rows[1:] if not row[0].startswith("*")])


def classification() -> str:
    """Return the accuracy of classifiers of graphs, by both protocols."""
    rows = report_tables(CLASSES, "Accuracy in percent")[0]
    name, kept = "", []
    for row in rows[1:]:
        name = row[0].strip("*") or name
        if row[1] in ("honest, ours", "optimistic, ours") and set(row[2:]) != {"-"}:
            kept.append([name, row[1].removesuffix(", ours"), *row[2:]])
        elif row[1] == "averaged, nothing chosen":
            # Nothing looks at a test fold.
            kept.append([f"{name}, averaged", "honest", *row[2:]])
    return table(rows[0], sorted(kept, key=lambda row: row[1]), words=2)


def molecules() -> str:
    """Return the accuracy of classifiers on MUTAG by the honest protocol, the best first."""
    cells = [re.split(r"\s*\|\s*", line.strip("| ")) for line in classification().splitlines()]
    place = cells[0].index("MUTAG")
    rows = [[row[0], row[place]] for row in cells[2:] if row[1] == "honest" and row[place] != "-"]
    return table(["model", "MUTAG"], sorted(rows, key=lambda row: -float(row[1].split()[0])))


def seconds(value: float) -> str:
    """Return a time in two significant digits, as people say it."""
    for unit, size in (("ms", 1e-3), ("s", 1.0), ("min", 60.0), ("h", 3600.0)):
        if value < size * {"ms": 100, "s": 100, "min": 100, "h": float("inf")}[unit]:
            return f"{_two_digits(value / size)} {unit}"
    raise ValueError(value)


def _two_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def _processor(machine: dict[str, Any]) -> str:
    return re.sub(r"\(R\)|\(TM\)|Processor |CPU ", "", machine["processor"]).replace(" @ ", ", ").strip()


def _results(name: str) -> dict[str, Any]:
    results: dict[str, Any] = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return results


def _real(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the graphs that were measured at radius 2 and are no stand-ins."""
    return [
        one
        for one in results["graphs"]
        if not one["generated"] and any(run["radius"] == 2 and "times" in run for run in one["runs"])
    ]


TABLES: dict[str, Callable[[], str]] = {
    "speed": speed,
    "targets": targets,
    "rings": rings,
    "claims": claims,
    "cost": cost,
    "airports": airports,
    "enron": enron,
    "classification": classification,
    "molecules": molecules,
}
