"""Files that wait run in a process of their own, long files start first, and every test runs once."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.scheduling import LONG, WAITING, pytest_xdist_make_scheduler

pytest.importorskip("xdist")


@dataclass(eq=False)
class Process:
    """A test process as the scheduler sees it."""

    name: str
    tests: list[int] = field(default_factory=list)
    shutting_down: bool = False

    @property
    def gateway(self) -> Any:
        return SimpleNamespace(id=self.name)

    def send_runtest_some(self, tests: list[int]) -> None:
        assert not self.shutting_down
        self.tests += tests

    def shutdown(self) -> None:
        self.shutting_down = True


def run(tests: list[str], n_processes: int = 3) -> list[list[str]]:
    """The tests that each process gets when all of them take the same time."""
    options = {"dist": "loadfile", "tx": ["popen"] * n_processes}
    config: Any = SimpleNamespace(getoption=options.get, getvalue=options.get)
    config.option = SimpleNamespace(loadscopereorder=True)
    scheduler = pytest_xdist_make_scheduler(config, SimpleNamespace(loadscopesched=print, loadfilesched=print))
    processes = [Process(f"gw{i}") for i in range(n_processes)]
    for process in processes:
        scheduler.add_node(process)
        scheduler.add_node_collection(process, tests)
    scheduler.schedule()
    done = 0
    while any(done < len(process.tests) for process in processes):
        for process in processes:
            if done < len(process.tests):
                scheduler.mark_test_complete(process, process.tests[done])
        done += 1
    assert scheduler.tests_finished
    assert all(process.shutting_down for process in processes)
    return [[tests[i] for i in process.tests] for process in processes]


def in_files(files: list[str], n_tests: int = 3) -> list[str]:
    return [f"{file}::test_{i}" for file in files for i in range(n_tests)]


def test_the_last_process_waits_and_the_others_begin_with_the_longest() -> None:
    others = [f"tests/test_{letter}.py" for letter in "abcdefghijklmnopqrstuvwxyz"]
    tests = in_files(sorted([*others, *LONG, *WAITING]))
    *computing, waiting = run(tests)
    assert waiting == in_files(list(WAITING))
    assert sorted(chain(*computing, waiting)) == sorted(tests)
    rounds = [test for pair in zip(*computing, strict=False) for test in pair]
    n_long = 3 * len(LONG)
    assert {test.split("::")[0] for test in rounds[: n_long - 3]} <= set(LONG)


def test_files_that_wait_are_shared_once_the_others_are_done() -> None:
    tests = in_files([*WAITING, "tests/test_a.py"])
    processes = run(tests)
    assert sorted(chain(*processes)) == sorted(tests)
    assert all(len(process) > 3 for process in processes)


def test_without_files_that_wait_the_last_process_ends() -> None:
    tests = in_files(["tests/test_a.py", "tests/test_b.py", "tests/test_c.py", "tests/test_d.py"])
    *computing, waiting = run(tests)
    assert waiting == []
    assert sorted(chain(*computing)) == tests


def test_the_lists_name_every_file_that_needs_a_browser_or_a_cluster(root: Path) -> None:
    listed = [*WAITING, *LONG]
    assert len(set(listed)) == len(listed)
    assert [file for file in listed if not (root / file).is_file()] == []
    asks = re.compile(r"def test_\w+\([^)]*\b(browser|shown|three_nodes|whole_cluster)\b")
    files = [path for path in (root / "tests").rglob("test_*.py") if asks.search(path.read_text(encoding="utf-8"))]
    assert len(files) >= 6
    assert {str(path.relative_to(root)) for path in files} <= set(WAITING)
