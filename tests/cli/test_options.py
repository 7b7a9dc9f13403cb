"""Small words for people are right."""

from __future__ import annotations

import sys

import pytest

from vnestruct.cli import console, options
from vnestruct.cli.errors import command_line


def test_words() -> None:
    assert options.words(None) == []
    assert options.words(["a,b", "c", ",d,"]) == ["a", "b", "c", "d"]


def test_durations_and_counts() -> None:
    assert [console.duration(s) for s in (0.004, 3.21, 75, 700, 5400, 200_000)] == [
        "under 0.1 s", "3.2 s", "75 s", "12 min", "1.5 h", "2.3 days",
    ]  # fmt: skip
    assert [console.count(n) for n in (12, 34_567, 8.1e6, 2.5e10)] == ["12", "34,567", "8.1 million", "25 billion"]


@pytest.mark.parametrize("words", [["--part", "3/16"], ["--part=3/16"]])
def test_the_command_line_without_an_option(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["vnestruct", "embed", "my graph.csv", *words, "-r", "3"])
    assert command_line(without="--part") == "vnestruct embed 'my graph.csv' -r 3"
    assert "3/16" in command_line()
