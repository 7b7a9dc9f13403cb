"""Table 1 on the published graphs: every graph of every method is one row of ``results/published/rings/METHOD.csv``.

A rerun computes only the rows that are missing.
"""

from functools import cache, partial

import numpy as np
from experiments.published.evaluator import evaluate
from experiments.published.graphs import N_GRAPHS, SETS, ring
from experiments.published.methods import METHODS
from experiments.storage import RESULTS, complete_rows, read_rows

FOLDER = RESULTS / "published" / "rings"
LIMITED = {"drne": 1}
"""Methods that are too slow for all graphs of a set, and on how many they run."""


def run():
    """Compute what is missing, the fast methods first."""
    for method in sorted(METHODS, key=lambda one: one.slow):
        for name in SETS:
            keys = [{"set": name, "graph": number} for number in range(LIMITED.get(method.name, N_GRAPHS))]
            path = FOLDER / f"{method.name}.csv"
            complete_rows(
                path, keys, partial(_measure_key, method), lambda row: (list(SETS).index(row["set"]), row["graph"])
            )


def measure(method, name, number):
    """Return every measure of a method on one graph, whose number also seeds the method and the folds."""
    graph, roles = ring(name, number)
    embedding = method.embed(graph, int(roles.max()) + 1, number)
    return {"dimension": embedding.shape[1], **evaluate(embedding, roles, number)}


def _measure_key(method, key):
    return measure(method, key["set"], key["graph"])


@cache
def means(method, name):
    """Return the mean of every measure over the graphs of a set, and their number as ``graphs``; empty if not run."""
    rows = [row for row in read_rows(FOLDER / f"{method}.csv") if row["set"] == name]
    if not rows:
        return {}
    return {"graphs": len(rows)} | {key: float(np.mean([row[key] for row in rows])) for key in rows[0] if key != "set"}
