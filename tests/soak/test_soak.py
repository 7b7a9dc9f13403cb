"""A minute's worth of the soak, and proof that it would notice: `make soak` runs for an hour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.soak import checks
from tests.soak.__main__ import main
from tests.soak.draw import KINDS, MODELS, draw_case


def test_some_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "20", "--graphs", "60"]) == 0
    assert "60 graphs from seed 20, each against the oracle; 0 failures" in capsys.readouterr().out


def test_cases_follow_from_their_seeds_and_cover_all_models() -> None:
    cases = [draw_case(seed) for seed in range(400)]
    assert {case.model for case in cases} == {model.__name__[1:].replace("_", " ") for model in MODELS}
    assert {case.radius for case in cases} == set(range(1, 7))
    assert {kind for case in cases for kind in case.options["kind"]} == set(KINDS)
    assert max(case.graph.n_nodes for case in cases) > 200
    weights = np.concatenate([case.graph.weights for case in cases if case.graph.weights is not None])
    assert weights.max() / weights[weights > 0].min() > 1e11
    again = draw_case(17)
    assert (again.graph, again.radius, again.options) == (cases[17].graph, cases[17].radius, cases[17].options)


def test_a_wrong_result_is_reported_with_its_case(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = checks.embed

    def wrong(*words: Any, **options: Any) -> Any:
        return right(*words, **options) + 2e-9

    monkeypatch.setattr(checks, "embed", wrong)
    assert main(["--seed", "20", "--graphs", "5"]) == 1
    assert "FAILED agrees with the oracle, case 20000000000: " in capsys.readouterr().out
