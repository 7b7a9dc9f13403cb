"""Measured tables inside documents, rendered from results: ``python -m benchmarks readme`` updates them.

The text between ``<!-- table: NAME -->`` and ``<!-- end of table -->`` is generated and never edited by hand. Speed and
scaling come from the JSON files of the benchmarks, everything else from the reports of the experiments, which are
rendered from their own results.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from benchmarks import learning_tables, measured_tables
from benchmarks.harness import ROOT
from benchmarks.measured_tables import table

DOCUMENTS = (
    "README.md",
    "docs/choosing.md",
    "docs/comparison.md",
    "docs/expressivity.md",
    "docs/gpu.md",
    "docs/learning.md",
    "docs/live.md",
    "docs/molecules.md",
    "docs/reproducing.md",
    "docs/scaling.md",
)
COMMAND = "python -m benchmarks readme"
ROLES = ROOT / "experiments" / "REPORT.md"
SURVEY = ROOT / "experiments" / "roles_benchmark" / "REPORT.md"
CLASSES = ROOT / "experiments" / "classification" / "REPORT.md"

_PLACE = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- end of table -->)", flags=re.DOTALL)
_SETTINGS = {
    "houses, not perturbed": "houses",
    "houses, 5 rewired": "houses, 5 links rewired",
    "varied, not perturbed": "all shapes",
    "varied, 10 rewired": "all shapes, 10 links rewired",
}

_SETS = ("Basic", "Basic Perturbed", "Varied", "Varied Perturbed")


def filled(text: str) -> str:
    """Return a document with all of its tables rendered from the current results."""

    def fill(match: re.Match[str]) -> str:
        return f"{match[1]}{TABLES[match[2]]()}{match[3]}"

    return _PLACE.sub(fill, text)


def write_documents() -> list[Path]:
    """Update the tables of all documents, and return the documents that changed."""
    changed = []
    for path in (ROOT / name for name in DOCUMENTS):
        before = path.read_text(encoding="utf-8")
        after = filled(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            changed.append(path)
    return changed


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


def published() -> str:
    """Return accuracy and macro-F1 of every method on the paper's rings, the printed rows last."""
    cells: dict[str, list[str]] = {}
    for name in _SETS:
        for row in report_tables(ROLES, f"Published graphs: {name}")[0][1:]:
            scope = "" if row[6] in ("", "20") else f" ({row[6]} of 20)"
            cells.setdefault(row[0], []).append(f"{row[4]} / {row[5]}{scope}")
    return table(["accuracy / macro-F1", *_SETS], [[name, *values] for name, values in cells.items()])


def published_rows() -> str:
    """Return how near every method comes to its printed row of Table 1."""
    cells: dict[str, list[str]] = {}
    for name in _SETS:
        for row in report_tables(ROLES, f"Published graphs: {name}")[0][1:]:
            if row[7]:
                cells.setdefault(row[0], []).append(row[7])
    return table(["row", *_SETS], [[name, *values] for name, values in cells.items()], words=5)


def published_settings() -> str:
    """Return how near GraphWave and RolX come to print in other settings, without the repeated random starts."""
    rows = report_tables(ROLES, "What the rows of GraphWave and RolX depend on")[0]
    return table(rows[0], [row for row in rows[1:] if not re.match(r"start \d", row[1])], words=2)


def published_enron() -> str:
    """Return Table 2 on the paper's graph, for people whose position is known."""
    rows = report_tables(ROLES, "Everyone clustered")[0]
    return table(rows[0], rows[1:])


def claims() -> str:
    """Return the paper's claims about roles, and whether they hold."""
    rows = report_tables(ROLES, "The paper's claims")[0]
    return table(rows[0][:2], [row[:2] for row in rows[1:]], words=2)


def cost() -> str:
    """Return time and memory of every method on random graphs of increasing size."""
    rows = report_tables(ROLES, "Cost")[0]
    return table(["method", *rows[0][1:]], rows[1:])


def airports() -> str:
    """Return the accuracy of node classification on graphs with known roles."""
    rows = report_tables(ROLES, "Airports, actor, film")[0]
    kept = [0] + [place for place, words in enumerate(rows[0]) if words.endswith("logistic")]
    header = [rows[0][place].removesuffix(", logistic") for place in kept]
    return table(header, [[row[place] for place in kept] for row in rows[1:]])


def survey() -> str:
    """Return micro and macro F1 by the protocol of the role survey, published rows included."""
    return _whole_table("All rows")


def verdict() -> str:
    """Return how the general signature compares with the best published figures."""
    return _whole_table("Verdict")


def search() -> str:
    """Return how well rare roles are found among the nearest nodes."""
    return _whole_table("Search for rare roles: precision@5")


def clusters() -> str:
    """Return how well clusters agree with known roles, signature by signature."""
    return _whole_table("Clustering without labels")


def _whole_table(heading: str) -> str:
    rows = report_tables(SURVEY, heading)[0]
    return table(rows[0], rows[1:])


def enron() -> str:
    """Return how well clusters of Enron employees agree with their positions."""
    rows = report_tables(ROLES, "Without unknown positions")[0]
    return table(rows[0][:5], [row[:5] for row in rows[1:] if not row[0].startswith("*")])


def classification() -> str:
    """Return the accuracy of graph classifiers under both protocols."""
    rows = report_tables(CLASSES, "Accuracy in percent")[0]
    name, kept = "", []
    for row in rows[1:]:
        name = row[0].strip("*") or name
        if row[1] in ("honest, ours", "optimistic, ours") and set(row[2:]) != {"-"}:
            kept.append([name, row[1].removesuffix(", ours"), *row[2:]])
        elif row[1] == "averaged, ours":
            # No choice depends on a test fold.
            kept.append([f"{name}, averaged", "honest", *row[2:]])
    return table(rows[0], sorted(kept, key=lambda row: row[1]), words=2)


def molecules() -> str:
    """Return the accuracy of classifiers on MUTAG under the honest protocol, best first."""
    cells = [re.split(r"\s*\|\s*", line.strip("| ")) for line in classification().splitlines()]
    place = cells[0].index("MUTAG")
    rows = [[row[0], row[place]] for row in cells[2:] if row[1] == "honest" and row[place] != "-"]
    return table(["model", "MUTAG"], sorted(rows, key=lambda row: -float(row[1].split()[0])))


TABLES: dict[str, Callable[[], str]] = {
    "speed": measured_tables.speed,
    "targets": measured_tables.targets,
    "rings": rings,
    "published": published,
    "published-rows": published_rows,
    "published-settings": published_settings,
    "published-enron": published_enron,
    "claims": claims,
    "cost": cost,
    "airports": airports,
    "survey": survey,
    "verdict": verdict,
    "search": search,
    "clusters": clusters,
    "enron": enron,
    "classification": classification,
    "molecules": molecules,
    "cuda": measured_tables.cuda,
    "live": measured_tables.live,
    "ray": measured_tables.ray,
    "workers": measured_tables.workers,
    "mapped": measured_tables.mapped,
    "unit-costs": measured_tables.unit_costs,
    "billion": measured_tables.billion,
    **learning_tables.TABLES,
}
