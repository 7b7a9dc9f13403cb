"""Splits from files, what each fold gives, and what the majority class would."""

from __future__ import annotations

import csv
import gzip
import json
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
        json.dumps(tests),
        json.dumps(fair),
        "\n".join(map(str, expected)),
        "# folds\n0,1\n2,0\n1,2\n1,0\n0,1\n2,2\n",
    ]
    for content in contents:
        plain, packed = tmp_path / "splits", tmp_path / "splits.gz"
        plain.write_text(content)
        packed.write_bytes(gzip.compress(content.encode()))
        for path in (plain, packed):
            assert read_splits(path, 6)[0].tolist() == expected.tolist()
    assert read_splits(plain, 6)[1].tolist() == [1, 0, 2, 0, 1, 2]


@for_each(
    ("content", "mistake"),
    [
        ("[[0, 1], [2]]", "graph 3 of 4 is in no test fold"),
        ("[[0, 1], [1, 2, 3]]", "graph 1 is in the test folds 0 and 1; keep one"),
        ("[[0, 1], [2, 3, 4]]", "graph 4, but the collection has 4 graphs, counted from 0"),
        ('[{"train": [0]}]', "expected a list of folds, each like"),
        ("[[0.5]]", "expected a list of folds, each like"),
        ("[[0, 1", "expected a list of folds, each like"),
        ("0\n1\n2\n", "3 lines for 4 graphs; write the fold of one graph per line"),
        ("0\n1\n0 1\n1\n", "line 3: expected the number of a fold, from 0, in each column"),
        ("0\n1\n-1\n1\n", "line 3: expected the number of a fold"),
        ("0\n2\n0\n2\n", "fold 1 tests no graph; number folds from 0 without gaps"),
    ],
)
def test_mistakes_in_a_file_of_splits(content: str, mistake: str, tmp_path: Path) -> None:
    path = tmp_path / "splits"
    path.write_text(content)
    with pytest.raises(GraphFormatError) as refusal:
        read_splits(path, 4)
    assert mistake in str(refusal.value)


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
    for splits, mistake in (
        (drawn[:-1], "one fold, from 0, for each of 30 graphs"),
        (codes, "fold 0 tests no graph, or all graphs of a class"),
        (np.where(drawn == 2, 3, drawn), "fold 2 tests no graph"),
    ):
        with pytest.raises(ParameterError, match=mistake):
            cross_validate(model, graphs, splits=splits)


@for_each(
    ("options", "message"),
    [
        ({"protocol": "hopeful"}, "`protocol` must be one of 'honest', 'optimistic', not 'hopeful'"),
        ({"folds": 2}, "`folds` must be a whole number of at least 3 .*, not 2"),
        ({"splits": np.arange(24) // 2 % 2}, "`folds` must be a whole number of at least 3 .*, not 2"),
        ({"folds": 13}, "the smallest class has 12 graphs"),
        ({"seeds": 0}, "`seeds` must be a whole number of at least 1, not 0"),
    ],
)
def test_invalid_parameters_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
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
    result = Evaluation(
        "signature", "honest", np.zeros((1, 3)), [["a", "b", "c"]], folds=folds, codes=codes, classes=np.arange(3)
    )
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
