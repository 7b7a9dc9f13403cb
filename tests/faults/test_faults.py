"""Every file operation of every command fails once, or is the last: no output is ever half written, nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.driver import KINDS

HERE = Path(__file__).parent
SAMPLE = 97
"""In the short form every so manieth point is tried."""


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library that makes operations fail."""
    if not sys.platform.startswith("linux") or shutil.which("gcc") is None:
        pytest.skip("needs Linux and gcc")
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    subprocess.run(["gcc", "-O1", "-shared", "-fPIC", "-o", library, HERE / "shim.c", "-ldl"], check=True)
    return library


def run_driver(shim: Path, folder: Path, root: Path, *words: str) -> list[dict[str, Any]]:
    # Forks of a process with threads of OpenMP would wait for them for ever.
    variables = {"LD_PRELOAD": str(shim), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(
        [sys.executable, "-m", "tests.faults.driver", folder, "--shim", shim, *words],
        cwd=root,
        env=os.environ | variables,
        check=True,
    )
    results: list[dict[str, Any]] = json.loads((folder / "results.json").read_text())
    return results


def print_table(results: list[dict[str, Any]]) -> None:
    """One line per command: its operations, and how many faults of each kind it survived."""
    print(f"\n{'faults survived':20} {'operations':>10} " + " ".join(f"{kind:>9}" for kind in KINDS))
    for name in dict.fromkeys(tally["command"] for tally in results):
        tallies = {tally["kind"]: tally for tally in results if tally["command"] == name}
        cells = [f"{tally['points'] - len(tally['failures'])}/{tally['points']}" for tally in tallies.values()]
        print(f"{name:20} {tallies['kill']['calls']:>10} " + " ".join(f"{cell:>9}" for cell in cells))
    print(f"{sum(tally['points'] for tally in results)} points in all")


def test_a_sample_of_all_faults(shim: Path, tmp_path: Path, root: Path) -> None:
    results = run_driver(shim, tmp_path / "faults", root, "--every", str(SAMPLE))
    print_table(results)
    assert [failure for tally in results for failure in tally["failures"]] == []
    assert sum(tally["points"] for tally in results) >= 1_000 // SAMPLE


@pytest.mark.full
def test_every_fault(shim: Path, tmp_path: Path, root: Path) -> None:
    results = run_driver(shim, tmp_path / "faults", root)
    print_table(results)
    assert [failure for tally in results for failure in tally["failures"]] == []
    assert sum(tally["points"] for tally in results) >= 1_000


def test_the_shim_fails_the_operation_it_is_told_to(shim: Path, tmp_path: Path) -> None:
    script = (
        "import ctypes, errno, os, sys\n"
        "shim = ctypes.CDLL(sys.argv[1])\n"
        "shim.faults_name.restype = ctypes.c_char_p\n"
        "path = os.fsencode(sys.argv[2])\n"
        "def work():\n"
        "    file = os.open(path + b'/a', os.O_CREAT | os.O_WRONLY)\n"
        "    os.write(file, b'text')\n"
        "    os.fsync(file)\n"
        "    os.close(file)\n"
        "    os.rename(path + b'/a', path + b'/b')\n"
        "    os.unlink(path + b'/b')\n"
        "shim.faults_arm(path, 0, 0)\n"
        "work()\n"
        "print(*(shim.faults_name(call).decode() for call in range(1, shim.faults_calls() + 1)))\n"
        "for call in range(1, 7):\n"
        "    shim.faults_arm(path, call, errno.EIO)\n"
        "    try:\n"
        "        work()\n"
        "    except OSError as error:\n"
        "        print(call, error.strerror, flush=True)\n"
        "shim.faults_arm(path, 2, 0)\n"
        "work()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, shim, tmp_path],
        env=os.environ | {"LD_PRELOAD": str(shim)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == -9
    assert done.stdout.splitlines() == [
        "open write sync close rename unlink",
        *(f"{call} Input/output error" for call in range(1, 7)),
    ]
