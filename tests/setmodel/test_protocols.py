"""The two protocols use only the data they may use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from tests.setmodel.graphs import molecules
from vnestruct.errors import ParameterError
from vnestruct.setmodel import SignatureClassifier, cross_validate
from vnestruct.setmodel.evaluation import best_epoch, inner_choices, pairs, validations

SIZES = np.full(10, 20)


def counts(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    return random.integers(0, 20, (30, 50, 2)), random.random((30, 50, 2))


def test_inner_runs_leave_out_test_and_validation_fold() -> None:
    for fold in range(10):
        found = validations(fold, 10)
        others = [pairs(10)[run][side] for run, side in found]
        assert len(set(others)) == 4
        assert fold not in others
        assert all(fold in pairs(10)[run] for run, _ in found)
    assert [len(validations(fold, 3)) for fold in range(3)] == [2, 2, 2]


def test_the_honest_choice_does_not_look_at_its_test_fold() -> None:
    hits, loss = counts()
    before = inner_choices(hits, loss, SIZES)
    for fold in range(10):
        changed, losses = hits.copy(), loss.copy()
        # Everything counted on the fold itself: by the run on the whole training part, and by inner runs.
        changed[fold] = 0
        losses[fold] = 9.0
        for number, pair in enumerate(pairs(10)):
            if fold in pair:
                changed[10 + number, :, pair.index(fold)] = 20
                losses[10 + number, :, pair.index(fold)] = 0.0
        after = inner_choices(changed, losses, SIZES)[fold]
        assert (after.epoch, after.validation, after.loss) == (
            before[fold].epoch, before[fold].validation, before[fold].loss,
        )  # fmt: skip
        assert after.test == 0.0


def test_the_best_validation_wins_and_the_smaller_loss_breaks_ties() -> None:
    hits, loss = np.zeros((30, 3, 2), dtype=int), np.ones((30, 3, 2))
    hits[10:, 1:] = 15
    loss[10:, 2] = 0.5
    hits[:10, :, 0] = [3, 7, 11]
    for choice in inner_choices(hits, loss, SIZES):
        assert (choice.epoch, choice.validation, choice.test) == (2, 0.75, 0.55)


def test_the_optimistic_epoch_is_one_for_all_folds() -> None:
    hits = np.array([[10, 0, 6], [0, 10, 6]])
    epoch, accuracy = best_epoch(hits, np.array([10, 10]))
    assert epoch == 2
    assert accuracy[:, epoch].tolist() == [0.6, 0.6]


@for_each(
    ("options", "message"),
    [
        ({"protocol": "hopeful"}, "`protocol` must be one of 'honest', 'optimistic', not 'hopeful'"),
        ({"folds": 2}, "`folds` must be a whole number of at least 3 for the honest protocol, not 2"),
        ({"folds": 13}, "the smallest class has 12 graphs"),
        ({"seeds": 0}, "`seeds` must be a whole number of at least 1, not 0"),
    ],
)
def test_invalid_parameters_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        cross_validate(SignatureClassifier(1), molecules(24), **options)
