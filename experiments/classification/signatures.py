"""Signature heads by the honest protocol: ``python -m experiments.classification.signatures [NAME ...]``.

Heads and their parameters are chosen inside each training part, and each test fold is scored once, on the folds all
models share. Writes one JSON a collection and seed; what is there already is not computed again.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from experiments.classification.features import DATA, DATA_SETS
from experiments.classification.summary import RESULTS, commit, rounded

from experiments.classification import folds

RADIUS = 2
FEW_SEEDS = {"NCI1": 1, "DD": 1}
"""Collections whose kernel matrices are large: one seed of folds instead of three."""


def measure(name: str, seed: int, radius: int, inner_folds: int) -> dict[str, Any]:
    """Return the test accuracy of each fold, and the heads that its training part chose."""
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
        tests.append(float((model.predict_nodes(nodes.subset(test)) == labels[test]).mean()))
        heads.append([head.name for head in model.heads_])
    seconds = time.perf_counter() - begin
    return {"data_set": name, "seed": seed, "radius": radius, "tests": tests, "heads": heads, "seconds": seconds}


def path_of(name: str, seed: int) -> Path:
    """Return the file of one collection and seed."""
    return RESULTS / f"{name}.signature.{seed}.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", default=DATA_SETS)
    parser.add_argument("--radius", type=int, default=RADIUS)
    parser.add_argument("--seeds", type=int, default=len(folds.SEEDS))
    parser.add_argument("--again", action="store_true", help="compute also what is there")
    arguments = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    for name in arguments.names:
        for seed in folds.SEEDS[: min(arguments.seeds, FEW_SEEDS.get(name, arguments.seeds))]:
            path = path_of(name, seed)
            if path.exists() and not arguments.again:
                continue
            result = measure(name, seed, arguments.radius, 3 if name in FEW_SEEDS else 5) | {"commit": commit()}
            path.write_text(json.dumps(rounded(result), indent=1) + "\n")
            print(name, seed, f"{100 * np.mean(result['tests']):.2f} in {result['seconds']:.0f} s", flush=True)


if __name__ == "__main__":
    main()
