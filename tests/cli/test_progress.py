"""What a command shows of a run: messages, a bar on a terminal, lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.conftest import Invoke, finish, start
from vnestruct.cli.output import Console, duration
from vnestruct.embedding.notebook_progress import NotebookProgress
from vnestruct.embedding.progress import PlainProgress


def test_lines_bars_and_notebooks_say_the_same_time_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(NotebookProgress, "_show", lambda notebook: None)
    for last, done, left in ((5.0, 5, "95 s"), (700.0, 50, "12 min")):
        clock[0] = 0.0
        lines, notebook = PlainProgress(), NotebookProgress()
        # The bar is drawn for the last time when the block ends.
        with Console().progress() as bar:
            for clock[0], share in ((1.0, 1), (last, done)):
                for progress in (lines, notebook, bar):
                    progress.advance(share, 100)
        shown = capsys.readouterr().err
        assert f"{done}% done, about {left} left" in shown
        assert f"about {left} left" in notebook._bar
        assert f"about {left} left" in shown.rpartition("embedding")[2]


@for_each(
    ("steps", "shown"),
    [
        # Planning and compiling for half a minute, then a share of 1/100 per second.
        ([(0.0, 0), (31.0, 1), (31.5, 1), (33.0, 3), (34.0, 4), (36.0, 6)],
         ["1% done", "3% done, about 97 s left", "6% done, about 94 s left"]),
        # Estimates run several small tasks, each of which is done in the end.
        ([(10.0, 100), (10.1, 100), (11.0, 5), (11.5, 100), (15.0, 100)], ["100% done", "100% done"]),
    ],
)  # fmt: skip
def test_lines_of_progress(
    steps: list[tuple[float, int]], shown: list[str], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    progress = PlainProgress()
    for clock[0], done in steps:
        progress.advance(done, 100)
    lines = [line.removeprefix("vnestruct: ").strip() for line in capsys.readouterr().err.splitlines()]
    assert lines == shown


def test_phases_of_long_commands_are_named(edges: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sizes decide, not the clock: the same command prints the same lines on any machine."""
    monkeypatch.setattr("vnestruct.cli.options._LONG_READ", 0)
    monkeypatch.setattr("vnestruct.cli.output._MANY_NODES", 4)
    monkeypatch.setattr("vnestruct.embedding.pipeline.LARGE_ARCS", 0)
    monkeypatch.setattr("vnestruct.embedding.parameters.SMALL_GRAPH", 0)
    read = [f"Reading {edges}, 0 MB ...", f"{edges}: 4 nodes, 4 edges. Read 6 edges; dropped 1 self-loop; merged 1"]
    shown = invoke("roles", edges, "--roles", 2, "--kind", "approx", "-o", edges.with_name("roles.csv")).err
    # Compiling may take so long that progress is shown.
    lines = [line for line in shown.splitlines() if "% done" not in line]
    assert [line.partition(" parallel")[0] for line in lines[:4]] == [*read, "Planning ...", "Clustering ..."]
    assert "Counting triangles ..." in invoke("embed", edges, "-r", 1).err.splitlines()
    assert invoke("embed", edges, "-r", 2, "-q").err == ""


FIRST_NOTE = """
import os, sys
from vnestruct.cli import main
from vnestruct.cli.output import Console
def note(console, text):
    print(text, {'numba', 'sklearn', 'vnestruct.embedding.plan'} & set(sys.modules), flush=True)
    os._exit(0)
Console.note = note
main()
"""


def test_embed_shows_its_first_line_before_it_imports_kernels(edges: Path) -> None:
    ended = finish("embed", edges, program=[sys.executable, "-c", FIRST_NOTE])
    assert ended.out.startswith(f"{edges}: 4 nodes, 4 edges.")
    assert ended.out.endswith(" set()\n")


def test_durations() -> None:
    assert [duration(s) for s in (0.004, 3.21, 75, 700, 5400, 200_000)] == [
        "under 0.1 s", "3.2 s", "75 s", "12 min", "1.5 h", "2.3 days",
    ]  # fmt: skip


def test_a_terminal_shows_a_bar_with_its_rate(busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    rows, shown = tmp_path / "rows.csv", b""
    with start(["embed", busy_graph, "-r", "3", "-j", "1", "-o", rows], stderr=theirs, env=environment):
        os.close(theirs)
        # Until the other end is closed, which is the end of a file on some systems and an error on others.
        with suppress(OSError):
            while part := os.read(ours, 1 << 16):
                shown += part
    os.close(ours)
    assert rows.read_bytes() == whole_run
    # At the end the cursor is shown again.
    assert all(word in shown for word in (b"embedding", b"%", b"M arcs/s", b"\x1b[?25h"))
