"""The loop inside tests runs every value, passes fixtures on, and names what failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loops import each

runs: list[tuple[int, bool]] = []


@each("number", [1, 2, 3])
@pytest.mark.parametrize("flag", [False, True])
def test_every_value_is_run(number: int, flag: bool, tmp_path: Path) -> None:
    assert tmp_path.is_dir()
    runs.append((number, flag))


def test_all_were_run() -> None:
    assert sorted(runs) == [(number, flag) for number in (1, 2, 3) for flag in (False, True)]


def test_a_failure_names_the_value() -> None:
    @each("number", [1, 2, 3], ids=["one", "two", "three"])
    def check(number: int) -> None:
        assert number < 2

    with pytest.raises(AssertionError) as caught:
        check()
    assert caught.value.__notes__[-1] == "number: two"
