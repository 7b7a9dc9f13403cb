"""Signature heads on the published fair splits: ``python -m experiments.fair_splits [NAME ...]``.

For each of the ten outer folds: words and bins are learned from the training graphs; of each kind of head the candidate
with the best accuracy on the validation graphs is chosen, and fitted again on training and validation graphs; the
scaled scores of the three are averaged on the test graphs. Results: one JSON per collection in ``results/fair_splits``.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from experiments.encodings.collections import ALL_NAMES, Fold, classes_of, folds_of, load
from experiments.storage import RESULTS, data_folder
from numpy.typing import NDArray
from scipy import sparse

from vnestruct.setmodel import GraphSignature, heads
from vnestruct.setmodel.heads import CANDIDATES, Candidate
from vnestruct.setmodel.signature import NodeTable

FOLDER = RESULTS / "fair_splits"
Codes = NDArray[np.int64]
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Choice:
    """The signature used for a collection."""

    radius: int = 2
    kind: str | tuple[str, ...] = "approx"
    depth: int = 0
    max_words: int = 1000
    heads: tuple[str, ...] = ("ridge", "svm", "boosting")
    """Beginnings of the names of the candidates, one head each."""


CHOICES = {
    "NCI1": Choice(depth=4, max_words=1500, heads=("svm 1 on words", "svm 10 on words")),
    "DD": Choice(depth=1),
    "PROTEINS": Choice(depth=1),
    "ENZYMES": Choice(depth=1),
    "IMDB-BINARY": Choice(),
    "REDDIT-BINARY": Choice(),
    "COLLAB": Choice(),
}


class FoldHeads:
    """The heads of one fold; products of the signatures of all graphs are computed once and shared."""

    def __init__(self, rows: Scores, n_words: int, classes: Codes, fold: Fold) -> None:
        self.rows, self.n_words, self.classes, self.fold = rows, n_words, classes, fold
        self.targets = heads.targets_of(classes)
        self.numbers, self.words = np.hsplit(rows, [rows.shape[1] - n_words])
        self._products: dict[str, Scores] = {}

    def products(self, columns: str) -> Scores:
        """Return the products of standardised signatures, or of the words that graphs share."""
        if columns not in self._products:
            if columns == "words":
                steps = heads.word_steps(self.words[self.fold.train])
                rows: Any = sparse.csr_array(heads.shared_words(self.words, steps))
                self._products[columns] = (rows @ rows.T).toarray()
            else:
                part = self.rows if columns == "all" else self.numbers
                damped = np.sign(part) * np.sqrt(np.abs(part))
                _, shift, scale = heads.standardised(part[self.fold.train])
                scaled = ((damped - shift) * scale).astype(np.float32)
                self._products[columns] = (scaled @ scaled.T).astype(float)
        return self._products[columns]

    def scores(self, candidate: Candidate, train: Codes, held: Codes) -> Scores:
        """Return the scores of held-out graphs by a candidate fitted on the training graphs."""
        if candidate.kind == "ridge":
            return heads.ridge_scores(candidate, self.products(candidate.columns), self.targets, train, held)
        if candidate.kind == "svm":
            shared = self.products("words") if candidate.uses_words else None
            apart = None
            if candidate.columns != "words":
                apart = _distances(self.products("numbers"), self.numbers.shape[1])
            kernel = heads.svm_kernel(candidate, shared, apart)
            return heads.svm_scores(candidate, kernel, self.targets, train, held)
        arrays = heads.fit_head(candidate, self.rows[train], self.n_words, self.classes[train], 0)
        return heads.head_scores(candidate, arrays, self.rows[held], self.n_words)

    def test(self, kinds: Sequence[str]) -> dict[str, Any]:
        """Return the chosen heads and the accuracies on the test graphs: of each, and of all together."""
        train, validation, test = self.fold.train, self.fold.validation, self.fold.test
        both = np.concatenate([train, validation])
        result: dict[str, Any] = {"heads": [], "validation": {}, "alone": {}}
        total = np.zeros((test.size, int(self.classes.max()) + 1))
        for kind in dict.fromkeys(name.split()[0] for name in kinds):
            named = tuple(name for name in kinds if name.split()[0] == kind)
            usable = [c for c in CANDIDATES if c.name.startswith(named) and (self.n_words or not c.uses_words)]
            accuracies = [self._accuracy(self.scores(c, train, validation), validation) for c in usable]
            best = usable[int(np.argmax(accuracies))]
            scores = self.scores(best, both, test)
            total += scores / max(float(np.abs(scores).mean()), 1e-12)
            result["heads"].append(best.name)
            result["validation"] |= {c.name: round(a, 6) for c, a in zip(usable, accuracies, strict=True)}
            result["alone"][kind] = self._accuracy(scores, test)
        return result | {"test": self._accuracy(total, test)}

    def _accuracy(self, scores: Scores, graphs: Codes) -> float:
        return float((scores.argmax(axis=1) == self.classes[graphs]).mean())


def _distances(products: Scores, n_columns: int) -> Scores:
    squares = np.diag(products)
    return np.maximum(squares[:, np.newaxis] + squares - 2.0 * products, 0.0) / max(n_columns, 1)


def measure(name: str, data: Path, choice: Choice, n_folds: int = 10) -> dict[str, Any]:
    """Return the accuracies of all folds of a collection."""
    start = time.perf_counter()
    collection = load(name, data)
    classes = classes_of(collection)
    nodes = GraphSignature(choice.radius, kind=choice.kind).node_table(collection)
    results = []
    for fold in folds_of(name, data, collection)[:n_folds]:
        signature = GraphSignature(choice.radius, kind=choice.kind, depth=choice.depth, max_words=choice.max_words)
        signature.fit_nodes(nodes.subset(fold.train))
        rows = signature.transform_nodes(NodeTable(collection, nodes.entropies))
        results.append(FoldHeads(rows, signature.n_words, classes, fold).test(choice.heads))
        shown = {kind: round(value, 4) for kind, value in results[-1]["alone"].items()}
        print(name, len(results), round(results[-1]["test"], 4), shown, results[-1]["heads"], flush=True)
    tests = [result["test"] for result in results]
    return {
        "collection": name, "choice": asdict(choice),
        "accuracy": float(np.mean(tests)), "deviation": float(np.std(tests)),
        "seconds": round(time.perf_counter() - start, 1), "folds": results,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("names", nargs="*", help=f"of {', '.join(ALL_NAMES)}; by default those without a result file")
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder with tu/ and splits/")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in options.names or [name for name in ALL_NAMES if not (FOLDER / f"{name}.json").exists()]:
        result = measure(name, options.data, CHOICES[name])
        (FOLDER / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
        print(f"{name}: {result['accuracy']:.4f}", flush=True)


if __name__ == "__main__":
    main()
