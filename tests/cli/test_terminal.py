"""What people see while they wait: a bar on a terminal, lines elsewhere, and a warning before long work."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.cli.conftest import Invoke, finish, start
from vnestruct.graph.synthetic import grid
from vnestruct.io import write_graph


def test_a_terminal_shows_a_bar_with_its_rate(busy_graph: Path, whole_run: bytes, tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    rows, shown = tmp_path / "rows.csv", b""
    with start(["embed", busy_graph, "-r", "3", "-j", "1", "-o", rows], stderr=theirs, env=environment) as process:
        os.close(theirs)
        # Until the other end is closed, which is the end of a file on some systems and an error on others.
        with suppress(OSError):
            while part := os.read(ours, 1 << 16):
                shown += part
    os.close(ours)
    assert process.returncode == 0
    assert rows.read_bytes() == whole_run
    for word in (b"embedding", b"%", b"M arcs/s"):
        assert word in shown
    assert b"\x1b[?25h" in shown, "the cursor stays hidden"


def test_elsewhere_there_are_plain_lines(busy_graph: Path, whole_run: bytes) -> None:
    ended = finish("embed", busy_graph, "-r", "3", "-j", "1")
    assert ended.out.encode() == whole_run
    assert "\x1b" not in ended.err
    assert "\r" not in ended.err


def test_long_work_is_announced(tmp_path: Path, whole_run: bytes) -> None:
    graph = tmp_path / "grid.vng"
    write_graph(grid(200, 200), graph)
    begin = time.monotonic()
    with start(["embed", graph, "-r", "60", "-j", "1", "-o", tmp_path / "rows.csv"]) as process:
        assert process.stderr is not None
        assert process.stderr.readline().startswith(f"{graph}: 40,000 nodes")
        announced = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert announced.startswith("This will take ")
    assert announced.endswith("on 1 thread; --checkpoint DIR would let you interrupt it.\n")
    assert time.monotonic() - begin < 30.0
    assert process.returncode == 130


def test_a_guess_about_a_file_is_reported(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "films.dat"
    lists = [[7 * (row % 4) + 100 * member for member in range(1 + row % 5)] for row in range(30)]
    path.write_text("".join(f"{' '.join(map(str, members))}\n" for members in lists))
    for command in ("info", "entropy"):
        shown = invoke(command, path).err
        assert f"Note: {path}: each line is read as a group and its members; set --format adjlist if" in shown
        assert invoke(command, path, "-q").err == ""
        assert invoke(command, path, "-q", "--format", "groups").err == ""
