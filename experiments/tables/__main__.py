"""What columns of structure add to a table: ``python -m experiments.tables [NAME ...]``.

Missing figures are measured and added to ``results.json``; ``render`` prints the tables. Delete an entry to measure
it again. Models are histogram gradient boosting of scikit-learn as it comes (``random_state=0``), on five shuffled
folds, or the first five published splits. Of events, the first 70% train and the last 30% test, with 150 trees of
rate .05 and the mean prediction of two seeds.
"""

from __future__ import annotations

import argparse
import os
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from benchmarks.harness import commit, machine
from experiments.storage import read_json, write_json
from experiments.tables.columns import column_sets, graph_of
from experiments.tables.data import NAMES, NodeTable, load_table, repeated_nodes
from experiments.tables.events import EVENTS, event_scores
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.metrics import accuracy_score, average_precision_score, r2_score, roc_auc_score

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results.json"
DATA = Path(os.environ.get("VNESTRUCT_DATA") or FOLDER.parents[2] / "shared" / "data")


def score(quality: str, columns: np.ndarray, target: np.ndarray, table: NodeTable) -> float:
    """Return the mean quality over the splits."""
    found = []
    for train, test in table.splits:
        if quality == "r2":
            model = HistGradientBoostingRegressor(random_state=0).fit(columns[train], target[train])
            found.append(r2_score(target[test], model.predict(columns[test])))
            continue
        model = HistGradientBoostingClassifier(random_state=0).fit(columns[train], target[train])
        if quality == "accuracy":
            found.append(accuracy_score(target[test], model.predict(columns[test])))
        else:
            measure = roc_auc_score if quality == "roc_auc" else average_precision_score
            found.append(measure(target[test], model.predict_proba(columns[test])[:, 1]))
    return float(np.mean(found))


def measure(names: list[str], chosen: list[str]) -> None:
    """Add the figures that the result file does not have."""
    results: dict[str, Any] = read_json(RESULTS) or {"tables": {}, "events": {}}
    for name in [name for name in names if name in NAMES]:
        table = load_table(name, DATA / "tables")
        graph = graph_of(table)
        entry = results["tables"].setdefault(name, {"repeated_nodes": repeated_nodes(table), "sets": {}})
        entry |= {"nodes": graph.n_nodes, "edges": graph.n_edges}
        for title, make in column_sets().items():
            if title in entry["sets"] or (chosen and title not in chosen):
                continue
            begin = time.perf_counter()
            columns: pd.DataFrame = make(graph, table.own)
            seconds = time.perf_counter() - begin
            matrix = columns.to_numpy(float)
            scores = {target: score(quality, matrix, y, table) for target, (quality, y) in table.targets.items()}
            entry["sets"][title] = {"columns": matrix.shape[1], "seconds": round(seconds, 3), "scores": scores}
            print(name, title, entry["sets"][title], flush=True)
            results["about"] = {"commit": commit(), "date": str(date.today()), **machine()}
            write_json(RESULTS, results)
    for name in [name for name in names if name in EVENTS]:
        entry = results["events"].setdefault(name, {})
        for title, found in event_scores(name, DATA / "temporal", skip=set(entry)):
            entry[title] = found
            print(name, title, found, flush=True)
            write_json(RESULTS, results)


def render() -> str:
    """Return the tables of all results in Markdown."""
    results = read_json(RESULTS)
    lines = ["| table | target | " + " | ".join(column_sets()) + " |", "|---|---|" + "---:|" * len(column_sets())]
    for name, entry in results["tables"].items():
        targets = next(iter(entry["sets"].values()))["scores"]
        for target in targets:
            cells = [entry["sets"].get(title, {}).get("scores", {}).get(target) for title in column_sets()]
            lines.append(f"| {name} | {target} | " + " | ".join("" if c is None else f"{c:.3f}" for c in cells) + " |")
    lines += ["", "| events | columns | AUC | average precision |", "|---|---|---:|---:|"]
    for name, entry in results["events"].items():
        lines += [f"| {name} | {title} | {auc:.3f} | {precision:.3f} |" for title, (auc, precision) in entry.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*NAMES, *EVENTS])
    parser.add_argument("--sets", nargs="*", default=[])
    arguments = parser.parse_args()
    if arguments.names == ["render"]:
        print(render())
    else:
        measure(arguments.names, arguments.sets)
