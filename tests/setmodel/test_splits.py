"""Splits from files, what each fold gives, and what the majority class would."""

from __future__ import annotations

import csv
import gzip
import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from tests.setmodel.graphs import molecules
from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.setmodel import SignatureClassifier, cross_validate, read_splits, write_folds
from vnestruct.setmodel.evaluation import Evaluation, stratified_folds


def test_the_same_folds_in_every_format(tmp_path: Path) -> None:
    expected = np.array([0, 2, 1, 1, 0, 2])
    tests = [np.flatnonzero(expected == fold).tolist() for fold in range(3)]
    fair = [{"test": test, "model_selection": [{"train": [], "validation": []}]} for test in tests]
    contents = [
        *map(json.dumps, (tests, fair)),
        "\n".join(map(str, expected)),
        "# folds\n0,1\n2,0\n1,2\n1,0\n0,1\n2,2\n",
    ]
    path = tmp_path / "splits"
    for content, pack in product(contents, (bytes, gzip.compress)):
        path.write_bytes(pack(content.encode()))
        assert read_splits(path, 6)[0].tolist() == expected.tolist()
    assert read_splits(path, 6)[1].tolist() == [1, 0, 2, 0, 1, 2]


@for_each(
    ("content", "named"),
    [
        ("[[0, 1], [2]]", "graph 3 of 4"),
        ("[[0, 1], [1, 2, 3]]", "graph 1 .* folds 0 and 1"),
        ("[[0, 1], [2, 3, 4]]", "graph 4"),
        ('[{"train": [0]}]', "list of folds"),
        ("[[0.5]]", "list of folds"),
        ("[[0, 1", "list of folds"),
        ("0\n1\n2\n", "3 lines for 4 graphs"),
        ("0\n1\n0 1\n1\n", "line 3"),
        ("0\n1\n-1\n1\n", "line 3"),
        ("0\n2\n0\n2\n", "fold 1"),
    ],
)
def test_mistakes_in_a_file_of_splits(content: str, named: str, tmp_path: Path) -> None:
    path = tmp_path / "splits"
    path.write_text(content)
    with pytest.raises(GraphFormatError, match=named):
        read_splits(path, 4)


def test_splits_are_used_as_given() -> None:
    graphs = molecules(30)
    _, codes = np.unique(graphs.labels, return_inverse=True)
    drawn = stratified_folds(codes, 3, seed=0)
    model = SignatureClassifier(radius=1)
    for protocol in ("honest", "optimistic"):
        expected = cross_validate(model, graphs, protocol=protocol, folds=3, seeds=1)
        given = cross_validate(model, graphs, protocol=protocol, splits=drawn)
        np.testing.assert_array_equal(given.accuracies, expected.accuracies)
        np.testing.assert_array_equal(given.folds, [drawn])
        assert given.mean > 0.85
        check_predictions(given)


HALVES = np.arange(24) // 2 % 2


@for_each(
    ("options", "named"),
    [
        ({"protocol": "hopeful"}, "`protocol` .*'hopeful'"),
        ({"folds": 2}, "`folds` .* 3 .*not 2"),
        ({"splits": HALVES}, "`folds` .* 3 .*not 2"),
        ({"folds": 13}, "12 graphs"),
        ({"seeds": 0}, "`seeds` .*not 0"),
        ({"splits": HALVES[:-1]}, "24 graphs"),
        ({"splits": np.arange(24) % 2}, "fold 0"),
        ({"splits": np.where(HALVES == 1, 2, 0)}, "fold 1"),
    ],
)
def test_invalid_parameters_are_refused(options: dict[str, Any], named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        cross_validate(SignatureClassifier(1), molecules(24), **options)


def check_predictions(result: Evaluation) -> None:
    """Accuracies, confusions and predictions say the same."""
    right = result.predictions == result.codes
    for (seed, fold), accuracy in np.ndenumerate(result.accuracies):
        assert accuracy == right[seed][result.folds[seed] == fold].mean()
    assert result.confusion.sum() == result.predictions.size
    assert np.trace(result.confusion) == right.sum()
    np.testing.assert_array_equal(result.confusion.sum(axis=1), len(right) * np.bincount(result.codes))


@for_each(("protocol", "average"), [("honest", False), ("optimistic", False), ("honest", True)])
def test_networks_give_their_predictions_and_curves(protocol: str, average: bool) -> None:
    pytest.importorskip("torch", reason="the PyTorch extra is not installed")
    from vnestruct.setmodel import DeepSetsClassifier

    shares: list[float] = []
    model = DeepSetsClassifier(1, epochs=10, width=8, batch_size=8, average=average)
    result = cross_validate(
        model, molecules(30), protocol=protocol, folds=3, seeds=2,
        progress=lambda done, total: shares.append(done / total),
    )  # fmt: skip
    check_predictions(result)
    assert result.mean > 0.7
    assert shares[-1] == 1.0
    assert {name: curve.size for name, curve in result.curves.items()} == {"training loss": 10, "test accuracy": 10}
    assert not hasattr(model, "networks_")


def test_the_majority_class_of_each_training_part() -> None:
    codes = np.array([0, 0, 0, 0, 1, 1, 1, 2])
    folds = np.array([[0, 0, 0, 1, 1, 1, 2, 2]])
    chosen, classes = [["a", "b", "c"]], np.arange(3)
    result = Evaluation("signature", "honest", np.zeros((1, 3)), chosen, {}, codes[np.newaxis], folds, classes, codes)
    # Without fold 0, class 1 is the most frequent; without the others, class 0 is.
    assert result.majority.tolist() == [[0.0, 1 / 3, 0.0]]


def test_results_of_folds_as_csv(tmp_path: Path) -> None:
    result = cross_validate(SignatureClassifier(radius=1), molecules(30), folds=3, seeds=2)
    write_folds(tmp_path / "folds.csv", result)
    with (tmp_path / "folds.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["seed"], row["fold"]) for row in rows] == [(str(s), str(f)) for s in range(2) for f in range(3)]
    assert [float(row["accuracy"]) for row in rows] == result.accuracies.ravel().tolist()
    assert [float(row["majority"]) for row in rows] == result.majority.ravel().tolist()
    assert sum(int(row["graphs"]) for row in rows) == 60
    assert [row["chosen"] for row in rows] == [chosen for row in result.chosen for chosen in row]
