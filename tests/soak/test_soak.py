"""A minute's worth of the soak: `make soak` runs for an hour."""

from __future__ import annotations

import pytest

from tests.soak.__main__ import main


def test_some_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seed", "20", "--graphs", "60"]) == 0
    assert "60 graphs from seed 20, each against the oracle; 0 failures" in capsys.readouterr().out
