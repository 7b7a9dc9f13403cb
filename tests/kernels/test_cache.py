"""Compiled code is kept where the sources belong to it, and its absence is survived."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import vnestruct

# Compiles one small kernel and says where compiled code is kept.
PROBE = """
import numpy as np
from vnestruct.kernels import ranking
indptr = np.array([0, 1, 3, 4])
indptr.flags.writeable = False
print(ranking.rank_by_degree(indptr)[0].tolist())
print(ranking.give_ranks.stats.cache_path)
"""


def run(script: str, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """Run a script in a fresh interpreter with some variables set, or unset where None."""
    variables = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    done = subprocess.run([sys.executable, "-c", script], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


def probe(script: str = PROBE, **environment: str | None) -> list[str]:
    """Return the lines that a script prints, which says nothing else."""
    done = run(script, **environment)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package whose sources may be changed."""
    target = tmp_path / "copy"
    source = Path(vnestruct.__file__).parent
    shutil.copytree(source, target / "vnestruct", ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_the_folder_belongs_to_the_sources(copy: Path, tmp_path: Path) -> None:
    """Whatever kernel is edited, all of them move: one may have been compiled into another.

    A checkpoint of a GPU states the same digest, so the host code that sends balls to kernels counts, too.
    """
    folders = []
    for file in (None, "closed_form.py", "vector.py", "cuda/balls.py"):
        if file is not None:
            path = copy / "vnestruct" / "kernels" / file
            path.write_text(path.read_text() + "\n# An edit.\n")
        script = "from vnestruct.kernels import FOLDER; print(FOLDER)"
        folders += probe(script, PYTHONPATH=str(copy), NUMBA_CACHE_DIR=None, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert len(set(folders)) == 4
    assert all(Path(folder).parent == tmp_path / "cache" / "vnestruct" for folder in folders)


def test_an_edit_in_a_callee_takes_effect(copy: Path, tmp_path: Path) -> None:
    """Numba alone would go on running the old code."""
    script = """
import numpy as np
from vnestruct.kernels import closed_form
values = np.empty((1, 1))
degree = np.array([3])
degree.flags.writeable = False
closed_form.radius_one(degree, np.zeros(1, np.int64), np.full(1, 3), np.array([1]), values)
print(float(values[0, 0]))
"""
    cache = str(tmp_path / "cache")
    before = probe(script, PYTHONPATH=str(copy), NUMBA_CACHE_DIR=cache)
    path = copy / "vnestruct" / "kernels" / "closed_form.py"
    text = path.read_text()
    assert "    if not trace > 0.0:\n        return 0.0\n" in text
    path.write_text(text.replace("    if not trace > 0.0:\n        return 0.0\n", "    return -1.0\n", 1))
    assert probe(script, PYTHONPATH=str(copy), NUMBA_CACHE_DIR=cache) == ["-1.0"] != before


def test_several_processes_may_fill_one_cache(tmp_path: Path) -> None:
    """All at once, and a later one reads what they left."""
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: probe(NUMBA_CACHE_DIR=str(tmp_path)), range(4)))
    files = sorted(path.name for path in tmp_path.rglob("*.nbc"))
    assert files
    assert found == [probe(NUMBA_CACHE_DIR=str(tmp_path))] * 4
    assert sorted(path.name for path in tmp_path.rglob("*.nbc")) == files


def test_compiling_is_announced_once(tmp_path: Path) -> None:
    script = (
        "from vnestruct import embed; from vnestruct.graph.synthetic import path; [embed(path(99), 1) for _ in '12']"
    )
    for is_first in (True, False):
        messages = run(script, NUMBA_CACHE_DIR=str(tmp_path)).stderr
        assert messages.count("Compiling kernels for this machine") == is_first


@pytest.mark.parametrize(
    "places",
    [
        {"HOME": "/dev/null/home", "XDG_CACHE_HOME": None, "NUMBA_CACHE_DIR": None},
        {"XDG_CACHE_HOME": "/dev/null/cache", "NUMBA_CACHE_DIR": None},
        {"NUMBA_CACHE_DIR": "/dev/null/numba"},
        {"NUMBA_CACHE_DIR": "/proc/vnestruct"},
    ],
    ids=["no home", "no cache", "no folder of Numba's", "no permission"],
)
def test_nowhere_to_keep_compiled_code(places: dict[str, str | None], tmp_path: Path) -> None:
    ranks, folder = probe(TMPDIR=str(tmp_path), **places)
    assert ranks == "[1, 0, 2]"
    assert tmp_path in Path(folder).parents
    # Nothing is left behind.
    assert list(tmp_path.iterdir()) == []


def test_other_users_of_numba_keep_their_cache(tmp_path: Path) -> None:
    script = """
from numba import config
before = config.CACHE_DIR
import vnestruct.kernels.ranking
print(config.CACHE_DIR == before)
"""
    for place in (str(tmp_path), None):
        assert probe(script, NUMBA_CACHE_DIR=place) == ["True"]
