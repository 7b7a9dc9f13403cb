"""Tables about graph learning for the documents: encodings, fair splits, expressive power, matching."""

from __future__ import annotations

import csv
import json
import math
from statistics import mean, stdev
from typing import Any

from benchmarks.harness import ROOT
from benchmarks.measured_tables import seconds, table

RESULTS = ROOT / "experiments" / "results"
DASH = "–"
STUDENT = 2.262
"""The 97.5% quantile of Student's t with nine degrees of freedom: intervals are over ten folds."""

_CATEGORIES = {
    "basic": "basic", "regular": "regular", "str": "strongly regular", "4vtx": "4-vertex condition",
    "dr": "distance-regular", "extension": "extension", "cfi": "CFI",
}  # fmt: skip
_SHOWN = (
    "quadratic, radius 2", "approx, radius 1", "approx, radius 2", "approx, radius 4", "exact, radius 1",
    "exact, radius 2", "exact, radius 4", "normalized, radius 2", "normalized, radius 4", "punctured, radius 2",
    "punctured, radius 4", "exact, mean and std", "all kinds, mean and std", "all kinds, mean and std, radius 4",
)  # fmt: skip
_ENCODINGS = (
    "none", "degree", "local degree profile", "random walk", "Laplacian", "vnestruct", "vnestruct general",
)  # fmt: skip
_COLLECTIONS = ("PROTEINS", "NCI1", "ENZYMES", "IMDB-BINARY", "REDDIT-BINARY", "COLLAB")
_AIRPORTS = ("brazil-airports", "europe-airports")


def expressivity() -> str:
    """Return how many pairs of BREC each signature separates, by category."""
    kinds, large, deck = (_read("expressivity", part) for part in ("all_kinds", "large_radii", "deck"))
    rows = [(name, kinds["signatures"][name]) for name in _SHOWN]
    rows += [(name, row) for name, row in large.items() if name.endswith(("radius 6", "radius 8"))]
    lines = [[name, *(str(row[key]) for key in _CATEGORIES), f"**{row['total']}**"] for name, row in rows]
    best, cards = large["exact, mean and std, radius 8"], deck["deck of exact, radius 2"]
    with_deck = [cards["dr"] if key == "dr" else best[key] for key in _CATEGORIES]
    lines.append(["the last row, and decks", *map(str, with_deck), f"**{sum(with_deck)}**"])
    protocol = kinds["protocol"]
    lines.append([
        f"{protocol['signature']}, BREC's own test", *(str(protocol[key]) for key in _CATEGORIES),
        f"**{protocol['total']}**",
    ])  # fmt: skip
    lines.append(["*pairs*", *(str(kinds["pairs"][key]) for key in _CATEGORIES), str(sum(kinds["pairs"].values()))])
    return table(["signature", *_CATEGORIES.values(), "all"], lines)


def gin() -> str:
    """Return the accuracy of GIN with each encoding."""
    return _accuracies("GIN")


def gps() -> str:
    """Return the accuracy of GPS with each encoding."""
    return _accuracies("GPS")


def _accuracies(network: str) -> str:
    cells = {
        (cell["collection"], cell["encoding"]): cell
        for cell in _read("encodings", "accuracies")
        if cell["network"] == network
    }
    names = [name for name in (*_COLLECTIONS, *_AIRPORTS) if any(key[0] == name for key in cells)]
    best = {
        name: max(_interval(cell)[0] for (collection, _), cell in cells.items() if collection == name) for name in names
    }
    lines = []
    for encoding in _ENCODINGS:
        line = [encoding]
        for name in names:
            if (name, encoding) not in cells:
                line.append(DASH)
                continue
            centre, half = _interval(cells[name, encoding])
            text = f"{100 * centre:.1f} ± {100 * half:.1f}"
            line.append(f"**{text}**" if centre == best[name] else text)
        lines.append(line)
    return table([network, *names], lines)


def _interval(cell: dict[str, Any]) -> tuple[float, float]:
    """Return the mean and half the 95% interval over folds, each the mean of its seeds."""
    folds = [mean(column) for column in zip(*cell["accuracies"], strict=True)]
    return mean(folds), STUDENT * stdev(folds) / math.sqrt(len(folds))


def encoding_time() -> str:
    """Return the CPU time of each encoding."""
    times = _read("encodings", "seconds")
    names = [name for name in _COLLECTIONS if name in times]
    encodings = list(times[names[0]])
    lines = [[encoding, *(seconds(times[name][encoding]) for name in names)] for encoding in encodings]
    for radius in (1, 2):
        ratios = [times[name]["random walk"] / times[name][f"vnestruct, radius {radius}"] for name in names]
        lines.append([f"random walk / vnestruct, radius {radius}", *(f"{ratio:.1f}x" for ratio in ratios)])
    return table(["CPU time", *names], lines)


def fair_splits() -> str:
    """Return the accuracy of signature heads on the published splits, next to published figures."""
    published = _read("fair_splits", "published")
    lines = []
    for name, figures in published["rows"].items():
        path = RESULTS / "fair_splits" / f"{name}.json"
        ours = DASH
        if path.exists():
            result = json.loads(path.read_text(encoding="utf-8"))
            ours = f"{100 * result['accuracy']:.1f} ± {100 * result['deviation']:.1f}"
        lines.append([name, ours, *(DASH if figure is None else str(figure) for figure in figures)])
    return table(["collection", "signature heads", *published["columns"]], lines)


def matching() -> str:
    """Return the precision at 1 and 10 of matching nodes with a copy that has lost edges."""
    with (RESULTS / "matching.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    methods = list(dict.fromkeys(row["method"] for row in rows))
    cells = {
        (row["graph"], row["removed"], row["method"]): " / ".join(
            f"{float(row[f'precision at {k}']):.3f}".lstrip("0") for k in (1, 10)
        )
        for row in rows
    }
    keys = dict.fromkeys((graph, removed) for graph, removed, _ in cells)
    lines = [
        [graph, f"{removed}%", *(cells.get((graph, removed, method), DASH) for method in methods)]
        for graph, removed in keys
    ]
    return table(["graph", "edges removed", *methods], lines)


def _read(folder: str, name: str) -> Any:
    return json.loads((RESULTS / folder / f"{name}.json").read_text(encoding="utf-8"))


TABLES = {
    "expressivity": expressivity, "gin": gin, "gps": gps, "encoding-time": encoding_time, "fair-splits": fair_splits,
    "matching": matching,
}  # fmt: skip
