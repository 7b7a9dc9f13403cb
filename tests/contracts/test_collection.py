"""Every file of tests is collected, and `make test` runs all checks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

# Lists the modules that pytest would collect, without importing them.
LIST_MODULES = """
import pytest

class ListModules:
    def pytest_pycollect_makemodule(self, module_path, parent):
        print("collected", module_path)
        return Nothing.from_parent(parent, path=module_path)

class Nothing(pytest.File):
    def collect(self):
        return []

pytest.main(["--collect-only", "-p", "no:cacheprovider", "-p", "no:xdist"], plugins=[ListModules()])
"""


def test_every_test_file_is_collected(root: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LIST_MODULES], cwd=root, capture_output=True, text=True, check=False)
    collected = {Path(line.partition(" ")[2]) for line in done.stdout.splitlines() if line.startswith("collected ")}
    assert collected == set((root / "tests").rglob("test_*.py")), done.stderr


def test_tests_are_in_test_files_and_every_test_file_has_some(root: Path) -> None:
    for path in (root / "tests").rglob("*.py"):
        has_tests = re.search(r"^(class Test|(    )?def test_|    def test\()", path.read_text(), flags=re.MULTILINE)
        assert bool(has_tests) == path.name.startswith("test_"), path


def dry_run(root: Path, *arguments: str) -> list[str]:
    """The commands that make would run."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    command = ["make", "--dry-run", *arguments]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_gate_runs_make_test_only(root: Path) -> None:
    lines = [line for line in (root / ".ci" / "run").read_text().splitlines() if line and not line.startswith("#")]
    assert lines == ["set -euo pipefail", 'cd "$(dirname "$0")/.."', "make test"]


def test_make_test_lints_before_it_tests(root: Path) -> None:
    """The checks stand in front of pytest, and none of them is allowed to fail."""
    programs = ["ruff check .", "ruff format --check .", "mypy", "lint-imports", "pytest"]
    lines = dry_run(root, "test")
    order = [
        next(i for i, line in enumerate(lines) if re.search(rf"[/ ]{re.escape(name)}( |$)", line)) for name in programs
    ]
    assert order == sorted(order)
    assert not [lines[i] for i in order[:-1] if "||" in lines[i] or lines[i].startswith("-")]


def test_another_python_has_an_environment_of_its_own(root: Path) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    lines = dry_run(root, "lint", f"PYTHON={sys.executable}")
    assert lines[-1] == f".venv-{version}/bin/lint-imports"
    assert dry_run(root, "lint", "PYTHON=python3")[-1] == ".venv/bin/lint-imports"
