"""What the tests of the command line share: two ways to run it, and graphs that keep it busy."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from vnestruct.cli import main
from vnestruct.graph.synthetic import barabasi_albert, barbell
from vnestruct.io import write_graph

PROGRAM = [sys.executable, "-m", "vnestruct.cli"]


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def error(self) -> str:
        """The only line on standard error, which must be an error."""
        assert "Traceback" not in self.err
        *notes, line = self.err.splitlines()
        # Large files are announced before they are read, and may take long.
        assert all((note.startswith("Reading ") and note.endswith(" MB ...")) or "% done" in note for note in notes)
        assert line.startswith("vnestruct: ")
        return line


Invoke = Callable[..., Outcome]


@pytest.fixture
def invoke(capsys: pytest.CaptureFixture[str]) -> Invoke:
    """Run a command in this process."""

    def run(*words: object) -> Outcome:
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Outcome(code, *capsys.readouterr())

    return run


def start(words: Sequence[object], program: Sequence[str] = PROGRAM, **options: object) -> subprocess.Popen[str]:
    """Start a command in a process of its own, in which Ctrl-C works even if it does not here."""
    return subprocess.Popen(  # type: ignore[call-overload, no-any-return]
        [*program, *map(str, words)],
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options},
    )


def finish(*words: object, **options: object) -> Outcome:
    """Run a command in a process of its own, to its end."""
    with start(words, **options) as process:
        out, err = process.communicate(timeout=120)
    return Outcome(process.returncode, out or "", err or "")


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    """A small graph with names, weights, a self-loop and a repeated edge."""
    path = tmp_path / "friends.csv"
    path.write_text("from,to,weight\nann,bob,1\nbob,eve,2\neve,ann,1\neve,dan,4\ndan,dan,1\nbob,ann,1\n")
    return path


@pytest.fixture(scope="session")
def busy_graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph that takes a second or two at radius 3 on one thread."""
    path = tmp_path_factory.mktemp("graphs") / "busy.vng"
    write_graph(barabasi_albert(3000, 3, seed=1), path)
    return path


@pytest.fixture(scope="session")
def whole_run(busy_graph: Path) -> bytes:
    """The embedding of that graph by one uninterrupted run; the kernels are compiled afterwards."""
    path = busy_graph.with_name("whole.csv")
    assert main(["embed", str(busy_graph), "-r", "3", "-j", "1", "-q", "-o", str(path)]) == 0
    return path.read_bytes()


@pytest.fixture
def barbell_file(tmp_path: Path) -> Path:
    """Two cliques of ten nodes joined by a path of seven."""
    path = tmp_path / "barbell.csv"
    write_graph(barbell(10, 7), path)
    return path
