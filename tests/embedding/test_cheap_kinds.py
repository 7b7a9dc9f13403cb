"""Kinds "unscaled" and "sizes", and several kinds in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, weighted_copy
from vnestruct import embed, entropy
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import planned_passes
from vnestruct.kernels import balls

KINDS = ("unscaled", "sizes")
CHEAP = ("approx", "quadratic", *KINDS)
UNITS = (1e-300, 1e-12, 1e12, 1.7e307)


def test_kinds_together_take_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(planned_passes(checked_settings(2, CHEAP))) == 1
    assert len(planned_passes(checked_settings(2, CHEAP, direction="out+in"))) == 2
    assert len(planned_passes(checked_settings(2, ["approx", "exact", "sizes", "punctured"]))) == 3
    calls: list[int] = []
    fill_rows = balls.fill_rows

    def counted(*arguments: Any) -> Any:
        *_, work, _, _ = arguments
        calls.append(work.size)
        return fill_rows(*arguments)

    monkeypatch.setattr(balls, "fill_rows", counted)
    graph = synthetic.barabasi_albert(300, 2, seed=1)
    embed(graph, 2, n_jobs=1)
    alone = list(calls)
    calls.clear()
    embed(graph, 2, kind=CHEAP, n_jobs=1)
    assert calls == alone


def test_large_and_small_weights() -> None:
    """Numbers come back in the user's units."""
    plain, *others = (
        embed([(0, 1, unit), (1, 2, 2.0 * unit), (1, 3, 3.0 * unit)], 2, kind=KINDS, weighted=True)
        for unit in (1.0, *UNITS)
    )
    for unit, values in zip(UNITS, others, strict=True):
        quadratic = plain[:, 8:10]
        np.testing.assert_allclose(values[:, :2], plain[:, :2] - quadratic * np.log(unit), rtol=1e-9)
        np.testing.assert_allclose(values[:, 4:6], plain[:, 4:6] * unit, rtol=1e-12)
        np.testing.assert_allclose(values[:, 10:], plain[:, 10:] * unit, rtol=1e-9)


@for_each("weighted", [False, True])
def test_whole_graphs(weighted: bool) -> None:
    for i, (name, graph) in enumerate(ZOO.items()):
        some = weighted_copy(graph, seed=i)
        wanted = oracles.entropy(some, "unscaled", weighted=weighted)
        assert entropy(some, "unscaled", weighted=weighted) == pytest.approx(wanted, abs=1e-9), name
