"""Tests that loop over their cases run every case and name the one that fails."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cases import for_each


def test_every_case_runs_and_a_failure_names_its_case() -> None:
    seen = []

    @for_each("upper", [2, 4], ids=["low", "high"])
    @for_each(("name", "number"), [("one", 1), ("three", 3)])
    def body(upper: int, name: str, number: int) -> None:
        seen.append((upper, name))
        assert number < upper

    with pytest.raises(AssertionError) as caught:
        body()
    assert seen == [(2, "one"), (2, "three")]
    assert caught.value.__notes__ == ["Case 1: name='three', number=3", "Case 0 (low): upper=2"]


def test_folders_are_new_and_patches_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @for_each("value", ["a", "b"])
    def body(value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert not list(tmp_path.iterdir())
        (tmp_path / "file").touch()
        monkeypatch.setenv("VNESTRUCT_CASE", value, prepend=",")
        assert os.environ["VNESTRUCT_CASE"] == value

    body(tmp_path=tmp_path, monkeypatch=monkeypatch)
    assert len(list(tmp_path.glob("*/file"))) == 2


def test_a_skipped_case_does_not_hide_the_others() -> None:
    seen = []

    @for_each("value", [1, 2, 3])
    def body(value: int) -> None:
        if value == 1:
            pytest.skip("not this one")
        seen.append(value)

    body()
    assert seen == [2, 3]

    @for_each("value", [1, 2])
    def nothing(value: int) -> None:
        pytest.skip(f"not {value}")

    with pytest.raises(pytest.skip.Exception, match="not 1"):
        nothing()
