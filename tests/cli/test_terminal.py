"""What people see while they wait: a bar on a terminal, lines elsewhere, and a warning before long work."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from tests.cli.conftest import Invoke, finish, start


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


def test_lists_are_not_guessed_and_the_error_names_their_format(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "films.dat"
    lists = [[7 * (row % 4) + 100 * member for member in range(1 + row % 5)] for row in range(30)]
    path.write_text("".join(f"{' '.join(map(str, members))}\n" for members in lists))
    for command in ("info", "entropy"):
        refused = invoke(command, path)
        assert refused.code == 2
        assert "--format groups if" in refused.err
        assert invoke(command, path, "-q", "--format", "groups").err == ""
