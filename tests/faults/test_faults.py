"""Every file operation of every command fails once, or is the last: no output is ever half written, nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes operations fail."""
    if not sys.platform.startswith("linux") or shutil.which("gcc") is None:
        pytest.skip("needs Linux and gcc")
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    source = Path(__file__).parent / "shim.c"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


@pytest.mark.parametrize("every", [97, pytest.param(1, marks=pytest.mark.full)])
def test_faults_leave_old_or_new_files_and_a_clear_error(every: int, shim: Path, tmp_path: Path, root: Path) -> None:
    """Every so manieth operation is tried."""
    # Forks of a process with threads of OpenMP would wait for them for ever.
    variables = {"LD_PRELOAD": str(shim), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    folder = tmp_path / "faults"
    words = [sys.executable, "-m", "tests.faults.driver", folder, shim, str(every)]
    subprocess.run(words, cwd=root, env=os.environ | variables, check=True)
    results = json.loads((folder / "results.json").read_text())
    assert [failure for tally in results for failure in tally["failures"]] == []
    assert sum(tally["points"] for tally in results) >= 1_000 // every
