"""Averages of networks of several shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.setmodel.graphs import molecules, reordered
from vnestruct.setmodel import cross_validate
from vnestruct.setmodel.evaluation import stratified_folds
from vnestruct.setmodel.features import NodeFeatures

torch = pytest.importorskip("torch")

from vnestruct.setmodel import DeepSetsClassifier  # noqa: E402

OPTIONS: dict[str, Any] = {"radius": 2, "width": 8, "epochs": 12, "batch_size": 16}


def shapes(radius: int, width: int) -> list[tuple[int, int]]:
    model = DeepSetsClassifier(radius, width=width, average=True)
    return model.shapes()


def test_radius_4_and_width_32_average_the_grid_of_the_paper() -> None:
    assert set(shapes(4, 32)) == {(radius, width) for radius in (1, 2, 3, 4) for width in (8, 16, 32)}
    assert len(shapes(1, 1)) == 1
    assert shapes(0, 3) == [(0, 1), (0, 3)]


def test_columns_up_to_a_radius_leave_out_larger_radii_of_every_kind() -> None:
    features = NodeFeatures(3, ["approx", "quadratic"]).fit(molecules(6))
    names = np.array(features.names)[features.columns_up_to(2)].tolist()
    assert names == [name for name in features.names if not name.startswith("h3")]
    assert len(names) == len(features.names) - 2
    assert features.columns_up_to(3).size == len(features.names)


def test_probabilities_are_the_mean_of_those_of_single_networks() -> None:
    """Each network of the average is the one that is trained alone with its radius and width."""
    graphs, fresh = molecules(24), molecules(12, seed=7)
    averaged = DeepSetsClassifier(**OPTIONS, average=True).fit(graphs)
    alone = [
        DeepSetsClassifier(**OPTIONS | {"radius": radius, "width": width}).fit(graphs)
        for radius in (1, 2)
        for width in (2, 4, 8)
    ]
    expected = np.mean([model.predict_proba(fresh) for model in alone], axis=0)
    np.testing.assert_allclose(averaged.predict_proba(fresh), expected, atol=1e-7)
    np.testing.assert_allclose(averaged.curve_, np.mean([model.curve_ for model in alone], axis=0))
    np.testing.assert_allclose(
        averaged.decision_function(fresh), averaged.decision_function(reordered(fresh)), atol=1e-5
    )


def test_cross_validation_trains_the_average_on_each_training_part() -> None:
    """No epoch is chosen, so both protocols equal fitting on all folds but one and scoring that one."""
    graphs = molecules(48, seed=2)
    model = DeepSetsClassifier(**OPTIONS | {"dropout": 0.0}, average=True, device="cpu")
    reports: list[tuple[float, float]] = []
    honest = cross_validate(model, graphs, folds=4, seeds=2, progress=lambda *report: reports.append(report))
    assert honest.accuracies.shape == (2, 4)
    assert honest.chosen == [["mean of 6 networks"] * 4] * 2
    assert reports[-1] == (72, 72)
    assert honest.mean > 0.7
    optimistic = cross_validate(model, graphs, folds=4, protocol="optimistic")
    np.testing.assert_array_equal(optimistic.accuracies[0], honest.accuracies[0])
    _, codes = np.unique(np.asarray(graphs.labels), return_inverse=True)
    fold = stratified_folds(codes, 4, 0)
    scores = []
    for number in range(4):
        alone = DeepSetsClassifier(**OPTIONS | {"dropout": 0.0}, average=True, device="cpu", random_state=number)
        train, test = (np.flatnonzero(where) for where in (fold != number, fold == number))
        scores.append(alone.fit(graphs.subset(train)).score(graphs.subset(test)))
    np.testing.assert_allclose(honest.accuracies[0], scores, atol=1.01 / 12)
