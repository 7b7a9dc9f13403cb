"""What a command shows of a run: forecasts, announcements, and how far it is."""

from __future__ import annotations

import pytest

from vnestruct.cli.console import Console
from vnestruct.cli.progress import CommandProgress
from vnestruct.embedding.progress import Forecast


@pytest.mark.parametrize(
    ("checkpoint", "forecast", "note"),
    [
        (
            None,
            Forecast(seconds=700, at_least=False, kind="approx", n_signatures=1, workers="1 thread"),
            "This will take about 12 min on 1 thread; --checkpoint DIR would let you interrupt it.\n",
        ),
        (
            "run",
            Forecast(seconds=5400, at_least=True, kind="exact", n_signatures=4, workers="16 CPUs of a Ray cluster"),
            "This will take more than 1.5 h for the next of 4 signatures (kind exact) on 16 CPUs of a Ray cluster.\n",
        ),
    ],
)
def test_forecasts(checkpoint: str | None, forecast: Forecast, note: str, capsys: pytest.CaptureFixture[str]) -> None:
    CommandProgress(Console(), checkpoint).expect(forecast)
    assert capsys.readouterr().err == note


def test_announcements_and_quiet_runs(capsys: pytest.CaptureFixture[str]) -> None:
    CommandProgress(Console(), None).announce("Starting Ray on this machine ...")
    assert capsys.readouterr().err == "Starting Ray on this machine ...\n"
    quiet = CommandProgress(Console(quiet=True), None)
    quiet.announce("Starting Ray on this machine ...")
    quiet.expect(Forecast(seconds=700, at_least=False, kind="approx", n_signatures=1, workers="1 thread"))
    quiet.advance(1.0, 2.0)
    assert capsys.readouterr().err == ""


def test_a_bar_is_moved() -> None:
    moves: list[tuple[float, float]] = []
    CommandProgress(Console(), None, lambda *move: moves.append(move)).advance(3.0, 7.0)
    assert moves == [(3.0, 7.0)]
