"""Kinds "unscaled" and "sizes", and several kinds in one pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy, graph_strategy, weighted_copy
from tests.properties.changes import holds_for
from vnestruct import Graph, embed, entropy
from vnestruct.embedding.parameters import checked_settings
from vnestruct.embedding.pipeline import planned_passes
from vnestruct.graph import graph_from_ids
from vnestruct.kernels import balls

OUTPUTS = ("unscaled", *oracles.SIZES)
KINDS = ("unscaled", "sizes")
CHEAP = ("approx", "quadratic", *KINDS)


def test_the_columns_have_names() -> None:
    settings = checked_settings(2, ["approx", "sizes", "unscaled"])
    assert settings.columns == [
        "h1", "h2", "nodes1", "nodes2", "edges1", "edges2", "squares1", "squares2", "quadratic1", "quadratic2",
        "largest1", "largest2", "h1_unscaled", "h2_unscaled",
    ]  # fmt: skip
    both_ways = checked_settings(1, "sizes", direction="out+in").columns
    assert both_ways[:4] == ["nodes1_out", "nodes1_in", "edges1_out", "edges1_in"]


def test_by_hand() -> None:
    path = [("a", "b"), ("b", "c")]
    ends, middle = [2, 1, 2, 0, 2], [3, 2, 6, 3 / 8, 3]
    np.testing.assert_allclose(embed(path, 1, kind="sizes"), [ends, middle, ends])
    np.testing.assert_allclose(embed(path, 1, kind="unscaled")[:, 0], [0.0, -0.375 * np.log(3), 0.0])
    assert embed([("a", "b", 2.5)], 2, kind="sizes", weighted=True)[0, ::2].tolist() == [2, 2.5, 12.5, 0, 5]
    lonely = graph_from_ids(np.array([0]), np.array([1]), n_nodes=3)
    assert embed(lonely, 2, kind="sizes")[2].tolist() == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    assert not np.signbit(embed(lonely, 2, kind=KINDS)).any()


@for_each("weighted", [False, True])
@for_each("direction", ["all", "out+in"])
def test_kinds_together_are_the_kinds_one_by_one(weighted: bool, direction: str) -> None:
    for name, graph in ZOO.items():
        some = directed_copy(graph, seed=3, weighted=weighted)
        options: dict[str, Any] = {"weighted": weighted, "direction": direction, "n_jobs": 1}
        kinds = ("quadratic", "punctured", "sizes", "approx", "exact", "unscaled")
        together = embed(some, 3, kind=kinds, **options)
        assert np.array_equal(together, np.hstack([embed(some, 3, kind=kind, **options) for kind in kinds])), name


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
    for unit in (1e-300, 1e-12, 1e12, 1.7e307):
        graph = graph_from_ids(np.array([0, 1, 1]), np.array([1, 2, 3]), unit * np.array([1.0, 2.0, 3.0]), n_nodes=4)
        values = embed(graph, 2, kind=KINDS, weighted=True)
        plain = embed(graph_from_ids(np.array([0, 1, 1]), np.array([1, 2, 3]), np.array([1.0, 2.0, 3.0]), n_nodes=4),
                      2, kind=KINDS, weighted=True)  # fmt: skip
        quadratic = plain[:, 8:10]
        np.testing.assert_allclose(values[:, :2], plain[:, :2] - quadratic * np.log(unit), rtol=1e-9)
        np.testing.assert_allclose(values[:, 4:6], plain[:, 4:6] * unit, rtol=1e-12)
        np.testing.assert_allclose(values[:, 10:], plain[:, 10:] * unit, rtol=1e-9)


@holds_for(graph_strategy(max_nodes=12, weighted=None, directed=None))
def test_approx_and_quadratic_are_made_of_the_parts(graph: Graph) -> None:
    values = embed(graph, 2, kind=("sizes", "approx", "unscaled"), weighted=graph.weights is not None)
    _, edges, _, quadratic, largest, approx, unscaled = (values[:, i : i + 2] for i in range(0, 14, 2))
    some = quadratic > 0
    ours = -quadratic[some] * np.log(largest[some] / (2 * edges[some]))
    np.testing.assert_allclose(approx[some], ours, atol=1e-9)
    np.testing.assert_allclose(unscaled[some], -quadratic[some] * np.log(largest[some]), rtol=1e-9, atol=1e-9)
    assert not approx[~some].any()
    assert not unscaled[~some].any()


def test_whole_graphs() -> None:
    for i, (name, graph) in enumerate(ZOO.items()):
        assert entropy(graph, "unscaled") == pytest.approx(oracles.entropy(graph, "unscaled"), abs=1e-9), name
        some = weighted_copy(graph, seed=i)
        wanted = oracles.entropy(some, "unscaled", weighted=True)
        assert entropy(some, "unscaled", weighted=True) == pytest.approx(wanted, abs=1e-9), name
