"""Signature heads under both protocols: ``python -m experiments.classification.signatures [NAME ...]``.

Honest: heads and their parameters are chosen inside each training part, and each test fold is scored once, on the folds
all models share. Optimistic: the one head that does best on the test folds. Writes one JSON a collection and seed; what
is there already is not computed again.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from experiments.classification.features import DATA, DATA_SETS
from experiments.classification.jobs import MAIN
from experiments.classification.stamp import HEAD_CODE, commit
from experiments.classification.summary import RESULTS, rounded

from experiments.classification import folds

RADIUS = 2
FEW_INNER_FOLDS = ("NCI1", "DD")
"""Collections whose kernel matrices are large: heads are chosen on three inner folds instead of five."""


def measure(name: str, seed: int, radius: int, inner_folds: int) -> dict[str, Any]:
    """Return the test accuracy of each fold, and the heads chosen on its training set."""
    from vnestruct.datasets import load
    from vnestruct.embedding import embed
    from vnestruct.setmodel import SignatureClassifier
    from vnestruct.setmodel.signature import NodeTable

    begin = time.perf_counter()
    collection = load(DATA / "tu" / f"{name}.zip")
    nodes = NodeTable(collection, embed(collection, radius))
    labels: Any = collection.labels
    fold = folds.folds_of(name, seed)
    tests, heads = [], []
    for number in range(folds.N_FOLDS):
        train, test = np.flatnonzero(fold != number), np.flatnonzero(fold == number)
        model = SignatureClassifier(radius, inner_folds=inner_folds, random_state=seed).fit_nodes(nodes.subset(train))
        found = model.classes_[model.node_scores(nodes.subset(test)).argmax(axis=1)]
        tests.append(float((found == labels[test]).mean()))
        heads.append([head.name for head in model.heads_])
    seconds = time.perf_counter() - begin
    return {"data_set": name, "seed": seed, "radius": radius, "tests": tests, "heads": heads, "seconds": seconds}


def optimistic(name: str, radius: int) -> dict[str, Any]:
    """Return the test accuracies of the one head, for all folds of the first seed, that is best on the test folds."""
    from vnestruct.datasets import load
    from vnestruct.setmodel import SignatureClassifier, cross_validate

    model = SignatureClassifier(radius)
    found = cross_validate(model, load(DATA / "tu" / f"{name}.zip"), protocol="optimistic", folds=folds.N_FOLDS)
    tests = found.accuracies[0].tolist()
    return {"data_set": name, "seed": 0, "radius": radius, "tests": tests, "head": found.chosen[0][0]}


def path_of(name: str, seed: int | str) -> Path:
    """Return the file of one collection and seed, or of the protocol "optimistic"."""
    return RESULTS / f"{name}.signature.{seed}.json"


def compared(path: Path, result: dict[str, Any]) -> str:
    """Return whether a result equals the existing one in every test fold and every chosen head."""
    if not path.exists():
        return ""
    before = json.loads(path.read_text())
    same = all(before[key] == result[key] for key in ("radius", "tests", "heads"))
    result["repeats"] = before["commit"] if same else None
    return f", same as on {before['commit']}" if same else f", NOT the same as on {before['commit']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=DATA_SETS)
    parser.add_argument("--radius", type=int, default=RADIUS)
    parser.add_argument("--seeds", type=int, default=len(folds.SEEDS))
    parser.add_argument("--again", action="store_true", help="compute also what is there")
    arguments = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    for name in arguments.names:
        for seed in folds.SEEDS[: arguments.seeds]:
            path = path_of(name, seed)
            if path.exists() and not arguments.again:
                continue
            result = measure(name, seed, arguments.radius, 3 if name in FEW_INNER_FOLDS else 5) | {
                "commit": commit(*HEAD_CODE)
            }
            result = rounded(result)
            verdict = compared(path, result)
            path.write_text(json.dumps(result, indent=1) + "\n")
            print(name, seed, f"{100 * np.mean(result['tests']):.2f} in {result['seconds']:.0f} s{verdict}", flush=True)
        path = path_of(name, "optimistic")
        if name in MAIN and not path.exists():
            result = optimistic(name, arguments.radius) | {"commit": commit(*HEAD_CODE)}
            path.write_text(json.dumps(rounded(result), indent=1) + "\n")
            print(name, result["head"], f"{100 * np.mean(result['tests']):.2f} on the test folds", flush=True)


if __name__ == "__main__":
    main()
