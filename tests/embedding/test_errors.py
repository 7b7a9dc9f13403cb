"""Bad input: each has its own error, whose message names the value and the remedy. Empty input is no error."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.cases import for_each
from vnestruct import (
    CheckpointMismatchError,
    ParameterError,
    TooLargeError,
    UnknownNodeError,
    VNEstruct,
    VNEstructError,
    embed,
    embedding_frame,
)
from vnestruct.embedding import spectrum
from vnestruct.graph import synthetic

PATH = [("a", "b"), ("b", "c"), ("c", "d")]
WAYS: list[Callable[..., Any]] = [
    embed,
    embedding_frame,
    lambda g, radius=2, **options: VNEstruct(radius, **options).fit_transform(g),
]


def message(error: type[VNEstructError], call: Callable[[], Any]) -> str:
    """The message of exactly this error: one line, no traceback of another kind underneath."""
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    text = str(caught.value)
    assert text
    assert "\n" not in text
    return text


def refused(error: type[VNEstructError], *arguments: Any, **options: Any) -> str:
    """The message with which every way to embed refuses a call."""
    texts = {message(error, lambda way=way: way(*arguments, **options)) for way in WAYS}  # type: ignore[misc]
    assert len(texts) == 1
    return texts.pop()


@for_each("radius", [0, -1, -(2**70), 1.0, 2.5, math.nan, True, False, "2", [2], np.float64(2)])
def test_radius(radius: Any) -> None:
    text = refused(ParameterError, PATH, radius)
    assert "radius" in text
    assert repr(radius) in text
    assert "at least 1" in text


@pytest.mark.parametrize("radius", [np.int64(2), np.uint8(2), np.int32(2)])
def test_radius_of_a_numpy_integer_type(radius: Any) -> None:
    assert np.array_equal(embed(PATH, radius), embed(PATH, 2))


REFUSED = {
    "kind": (["aprox", "APPROX", "", 3, None, [None], [], ["exact", "exact"]], "'approx'|twice"),
    "direction": (["both", "", "in+out", None, 1, ["out"]], "'all', 'out', 'in', 'out\\+in'"),
    "aggregate": (["median", ["mean", "max"], 5], "'mean', 'std'"),
    "weighted": ([1, 0, "yes", None], "True or False"),
    "tol": ([0, -1e-9, 1e-15, 0.5, math.nan, math.inf, "1e-9", None, True], "1e-14 to 0.01"),
    "engine": (["thread", "dask", "", None, 2], "'threads'"),
    "address": (["ray://head:10001"], "this machine"),
    "n_jobs": ([0, 1.5, "2", True], "positive integer"),
}
"""Values of a parameter that are refused, and what the message says that it may be."""


@pytest.mark.parametrize("name", REFUSED)
def test_values_that_are_refused(name: str) -> None:
    values, remedy = REFUSED[name]
    for value in values:
        text = refused(ParameterError, PATH, 2, **{name: value})
        assert name in text
        assert re.search(remedy, text)
        assert not value or repr(value[-1] if isinstance(value, list) and name != "direction" else value) in text


def test_weighted_without_weights() -> None:
    text = refused(ParameterError, PATH, 2, weighted=True)
    assert "no weights" in text
    assert "weight=" in text


def test_progress_is_a_switch_or_a_function() -> None:
    assert "'bar'" in message(ParameterError, lambda: embed(PATH, 2, progress="bar"))  # type: ignore[arg-type]


@for_each("nodes", [["a", "z"], ["z"], [("a",)], [0], [None]])
def test_unknown_node(nodes: list[Any]) -> None:
    text = message(UnknownNodeError, lambda: embed(PATH, 2, nodes=nodes))
    assert repr(nodes[-1]) in text


@pytest.mark.parametrize("kind", ["exact", "normalized", "punctured"])
def test_a_ball_too_large_for_its_spectrum(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectrum, "EXACT_LIMIT", 20)
    graph = synthetic.barabasi_albert(101, 30, seed=1)
    cone = [
        *zip(np.repeat(np.arange(101), graph.degrees), graph.indices, strict=True),
        *((0, i) for i in range(1, 101)),
    ]
    text = message(TooLargeError, lambda: embed(cone, 1, kind=kind, nodes=[0]))
    assert ("101" if kind == "normalized" else "100") in text
    assert "more than 20," in text
    assert repr(kind) in text
    assert "kind='approx'" in text
    assert "node 0" in text


def test_twins_count_once() -> None:
    """The spectrum of a star of n leaves is 0, n + 1 and n - 1 times 1; without its centre, zeros alone."""
    n = 5_000
    shares = np.array([n + 1, *[1] * (n - 1)]) / (2 * n)
    expected = {"exact": -(shares * np.log(shares)).sum(), "normalized": np.log(n + 1) - 2 * np.log(2) / (n + 1)}
    for kind in ("exact", "normalized", "punctured"):
        [[value]] = embed(synthetic.star(n), 1, kind=kind, nodes=[0])
        assert value == pytest.approx(expected.get(kind, 0.0), abs=1e-9)


def test_a_checkpoint_of_another_run(tmp_path: Path) -> None:
    embed(PATH, 2, checkpoint=tmp_path / "run")
    for options in ({"kind": "quadratic"}, {"radius": 3}, {"tol": 1e-8}):
        wanted = {"radius": 2, "checkpoint": tmp_path / "run"} | options
        assert message(CheckpointMismatchError, lambda wanted=wanted: embed(PATH, **wanted))
    assert message(CheckpointMismatchError, lambda: embed(PATH[:2], 2, checkpoint=tmp_path / "run"))


def test_parts_that_are_none(tmp_path: Path) -> None:
    for part in ((3,), 5, "3", (4, 3), (0, 2), (1, 2, 3), (1.0, 2)):
        text = message(ParameterError, lambda part=part: embed(PATH, 2, checkpoint=tmp_path / "run", part=part))  # type: ignore[misc]
        assert "part" in text, part
    assert "checkpoint" in message(ParameterError, lambda: embed(PATH, 2, part="1/2"))
    assert "nodes" in message(ParameterError, lambda: embed(PATH, 2, part="1/2", checkpoint=tmp_path, nodes=["a"]))
    assert not list(tmp_path.iterdir())
