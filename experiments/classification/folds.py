"""The folds all models share: ten stratified folds for each of six seeds, kept in ``folds.json``.

Three more seeds are for trying things out; what is reported is not measured on them.

``python -m experiments.classification.folds`` writes the file again from the features; it must not change.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from experiments.classification.features import DATA_SETS, FOLDER, load
from numpy.typing import NDArray

from vnestruct.setmodel.evaluation import stratified_folds

FILE = Path(__file__).parent / "folds.json"
N_FOLDS = 10
SEEDS = (0, 1, 2)
FRESH = (3, 4, 5)
"""Folds on which no selection rule was compared."""
DEVELOPMENT = (100, 101, 102)
"""Other folds of the same graphs, for decisions made before measuring on the others."""
DRAWS = {"first": SEEDS, "fresh": FRESH, "development": DEVELOPMENT}
Ids = NDArray[np.int64]


@cache
def folds_of(name: str, seed: int) -> Ids:
    """Return the fold of each graph: the committed one, or drawn now for development seeds."""
    if seed in DEVELOPMENT:
        return stratified_folds(load(FOLDER, name)["classes"], N_FOLDS, seed)
    digits = json.loads(FILE.read_text())[name][str(seed)]
    return np.frombuffer(digits.encode(), dtype=np.uint8).astype(np.int64) - ord("0")


def main() -> None:
    table = {}
    for name in DATA_SETS:
        classes = load(FOLDER, name)["classes"]
        table[name] = {
            str(seed): "".join(map(str, stratified_folds(classes, N_FOLDS, seed))) for seed in (*SEEDS, *FRESH)
        }
    FILE.write_text(json.dumps(table, indent=0) + "\n")


if __name__ == "__main__":
    main()
