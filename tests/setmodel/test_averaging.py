"""Networks averaged instead of chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.setmodel.graphs import molecules, reordered
from vnestruct.errors import ParameterError
from vnestruct.setmodel import cross_validate, load_classifier
from vnestruct.setmodel.features import NodeFeatures
from vnestruct.setmodel.folds import stratified_folds

torch = pytest.importorskip("torch")

from vnestruct.setmodel import DeepSetsClassifier  # noqa: E402
from vnestruct.setmodel.averaging import columns_up_to, shapes  # noqa: E402

OPTIONS: dict[str, Any] = {"radius": 2, "width": 8, "epochs": 12, "batch_size": 16}


def test_the_papers_grid_is_what_radius_4_and_width_32_average() -> None:
    found = {(shape.radius, shape.width) for shape in shapes(4, 32)}
    assert found == {(radius, width) for radius in (1, 2, 3, 4) for width in (8, 16, 32)}
    assert len(shapes(1, 1)) == 1
    assert [(shape.radius, shape.width) for shape in shapes(0, 3)] == [(0, 1), (0, 3)]


def test_a_radius_takes_its_entropies_of_every_kind_and_all_else() -> None:
    features = NodeFeatures(3, ["approx", "quadratic"]).fit(molecules(6))
    names = np.array(features.names)[columns_up_to(features, 2)].tolist()
    assert names == [name for name in features.names if not name.startswith("h3")]
    assert len(names) == len(features.names) - 2
    assert columns_up_to(features, 3).size == len(features.names)


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


def test_files_bring_back_every_bit(tmp_path: Path) -> None:
    graphs = molecules(20, seed=6)
    model = DeepSetsClassifier(**OPTIONS | {"epochs": 2}, average=True).fit(graphs)
    model.save(tmp_path / "model")
    again = load_classifier(tmp_path / "model")
    assert again.average is True
    np.testing.assert_array_equal(again.decision_function(graphs), model.decision_function(graphs))


def test_cross_validation_trains_the_average_on_each_training_part() -> None:
    """No epoch is chosen, so either protocol gives what fitting on nine folds and scoring the tenth gives."""
    graphs = molecules(48, seed=2)
    model = DeepSetsClassifier(**OPTIONS | {"dropout": 0.0}, average=True, device="cpu")
    told: list[tuple[float, float]] = []
    found = cross_validate(model, graphs, folds=4, seeds=2, progress=lambda *one: told.append(one))
    assert found.accuracies.shape == (2, 4)
    assert found.chosen == [["mean of 6 networks"] * 4] * 2
    assert told[-1] == (72, 72)
    assert found.mean > 0.7
    seen = cross_validate(model, graphs, folds=4, protocol="optimistic")
    np.testing.assert_array_equal(seen.accuracies[0], found.accuracies[0])
    _, codes = np.unique(np.asarray(graphs.labels), return_inverse=True)
    fold = stratified_folds(codes, 4, 0)
    scores = []
    for number in range(4):
        alone = DeepSetsClassifier(**OPTIONS | {"dropout": 0.0}, average=True, device="cpu", random_state=number)
        train, test = (np.flatnonzero(where) for where in (fold != number, fold == number))
        scores.append(alone.fit(graphs.subset(train)).score(graphs.subset(test)))
    np.testing.assert_allclose(found.accuracies[0], scores, atol=1.01 / 12)


def test_progress_counts_the_epochs_of_all_networks() -> None:
    told: list[tuple[float, float]] = []
    model = DeepSetsClassifier(**OPTIONS | {"epochs": 2}, average=True, progress=lambda *one: told.append(one))
    model.fit(molecules(8))
    assert told == [(number, 12) for number in range(1, 13)]


def test_average_is_yes_or_no() -> None:
    with pytest.raises(ParameterError, match="average is 'grid'; it must be True or False"):
        DeepSetsClassifier(average="grid").fit(molecules(4))  # type: ignore[arg-type]
