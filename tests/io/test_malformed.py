"""Malformed files: one line that names the file, the line where there is one, and the remedy."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.io.malformed.builders import BUILT, Built, long_line
from tests.io.malformed.cases import CASES, FOLDER, Case
from vnestruct.errors import GraphFormatError
from vnestruct.io import read_graph


@for_each("case", [*CASES, *BUILT])
def test_the_error_is_one_line_that_names_the_place_and_the_mistake(case: Case | Built, tmp_path: Path) -> None:
    path = tmp_path / case.name
    if isinstance(case, Built):
        case.make(path)
    else:
        path = FOLDER / case.name
    before = sorted(tmp_path.iterdir())
    with pytest.raises(GraphFormatError) as caught:
        read_graph(path, **(case.options if isinstance(case, Case) else {}))
    message = str(caught.value)
    assert message.startswith(f"{path}: " if case.line is None else f"{path}, line {case.line}: ")
    assert case.word in message
    assert "\n" not in message
    assert len(message) - len(str(path)) < 300
    assert (caught.value.path, caught.value.line) == (str(path), case.line)
    assert sorted(tmp_path.iterdir()) == before


def test_committed_files_are_those_of_the_table() -> None:
    assert {path.name: path.read_bytes() for path in FOLDER.iterdir()} == {case.name: case.content for case in CASES}
    assert len(CASES) + len(BUILT) >= 40


def test_unreadable_file(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("1 2\n")
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)  # nobody, since permissions do not bind the superuser
    try:
        with pytest.raises(GraphFormatError, match=r"secret.txt: .* chmod"):
            read_graph(path)
    finally:
        os.seteuid(user)


MEASURE = """
import resource, sys
from vnestruct.errors import GraphFormatError
from vnestruct.io import read_graph
try:
    read_graph(sys.argv[1], format=sys.argv[2] or None)
except GraphFormatError as problem:
    print(problem)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def measured(path: Path, format: str = "") -> tuple[str, int]:
    """Read a file in a process of its own; return the error and the peak memory in MiB."""
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path), format], capture_output=True, text=True, timeout=120, check=True
    )
    message, peak = run.stdout.rsplit("\n", 2)[:2]
    assert not run.stderr
    return message, int(peak)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> int:
    """The memory that refusing a small file takes."""
    path = tmp_path_factory.mktemp("small") / "small.txt"
    path.write_text("1 2\n3 4 5\n")
    return measured(path)[1]


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("long") / "long.txt"
    long_line(path)
    yield path
    path.unlink()


@pytest.mark.parametrize("format", ["edgelist", "csv", "adjlist", "metis", "pajek", "mtx"])
def test_a_line_of_300_megabytes_takes_little_memory(format: str, long_file: Path, usual: int) -> None:
    message, peak = measured(long_file, format)
    assert message.startswith(f"{long_file}, line 1: a line of more than 16 MiB; write one edge per line")
    assert peak < usual + 100


@pytest.mark.parametrize(
    "name",
    ["huge_size.mtx", "huge_entries.mtx", "huge_size.net", "huge_size.metis", "billion_laughs.graphml"],
)
def test_declared_sizes_and_bombs_take_no_memory(name: str, usual: int) -> None:
    assert measured(FOLDER / name)[1] < usual + 40
