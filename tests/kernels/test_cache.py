"""Compiled code is kept where the sources belong to it, and its absence is survived."""

from __future__ import annotations

import ast
import gc
import importlib
import math
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from numba import njit
from numba.core import types
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError
from numba.extending import intrinsic

import vnestruct
from vnestruct import embed, kernels

# Compiles one small kernel and says where compiled code is kept.
PROBE = """
import numpy as np
from vnestruct.kernels import ranking, _cache_folder
indptr = np.array([0, 1, 3, 4])
indptr.flags.writeable = False
print(ranking.rank_by_degree(indptr)[0].tolist())
print(ranking.give_ranks.stats.cache_path)
"""


NOTE = f"Compiling kernels for this machine, about {kernels.compilation.SECONDS} s, once\n"


def probe(script: str = PROBE, package: Path | None = None, **environment: str | None) -> list[str]:
    """Run a script in a fresh interpreter with some variables set, or unset where None."""
    variables = {**os.environ, **environment}
    if package is not None:
        variables["PYTHONPATH"] = str(package)
    kept = {name: value for name, value in variables.items() if value is not None}
    done = subprocess.run([sys.executable, "-c", script], env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr in ("", NOTE)
    return done.stdout.splitlines()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package whose sources may be changed."""
    target = tmp_path / "copy"
    source = Path(vnestruct.__file__).parent
    shutil.copytree(source, target / "vnestruct", ignore=shutil.ignore_patterns("__pycache__"))
    return target


def test_the_folder_belongs_to_the_sources(copy: Path, tmp_path: Path) -> None:
    """Whatever kernel is edited, all of them move: one may have been compiled into another."""
    folders = []
    for file in (None, "closed_form.py", "vector.py"):
        if file is not None:
            path = copy / "vnestruct" / "kernels" / file
            path.write_text(path.read_text() + "\n# An edit.\n")
        script = "from vnestruct.kernels import _cache_folder; print(_cache_folder())"
        folders += probe(script, copy, NUMBA_CACHE_DIR=None, XDG_CACHE_HOME=str(tmp_path / "cache"))
    assert len(set(folders)) == 3
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
    assert probe(script, copy, NUMBA_CACHE_DIR=cache) == probe(script, copy, NUMBA_CACHE_DIR=cache)
    before = probe(script, copy, NUMBA_CACHE_DIR=cache)
    path = copy / "vnestruct" / "kernels" / "closed_form.py"
    text = path.read_text()
    assert "    if not trace > 0.0:\n        return 0.0\n" in text
    path.write_text(text.replace("    if not trace > 0.0:\n        return 0.0\n", "    return -1.0\n", 1))
    assert probe(script, copy, NUMBA_CACHE_DIR=cache) == ["-1.0"] != before


def test_compiled_code_is_found_again(tmp_path: Path) -> None:
    first = probe(NUMBA_CACHE_DIR=str(tmp_path))
    files = sorted(path.name for path in tmp_path.rglob("*.nbc"))
    assert files
    assert probe(NUMBA_CACHE_DIR=str(tmp_path)) == first
    assert sorted(path.name for path in tmp_path.rglob("*.nbc")) == files


def test_code_that_is_called_by_its_address_has_one_at_once(tmp_path: Path) -> None:
    """In the process that compiles it, and in one that finds it in the cache."""
    script = """
from vnestruct.kernels import elimination, lanczos
from vnestruct.kernels.workspace import make_workspace
print(elimination.compiled_address() > 0, lanczos.with_continuation(make_workspace(8, False), 1 << 40).alone > 0)
"""
    for _ in range(2):
        assert probe(script, NUMBA_CACHE_DIR=str(tmp_path)) == ["True True"]


def test_compiling_is_announced_where_it_happens(tmp_path: Path) -> None:
    script = """
import sys
import numba
import numpy as np
from vnestruct.kernels import compilation, ranking
numba.njit(lambda x: x + 1)(1)  # nobody asked us to speak of other people's functions
print("before", file=sys.stderr)
indptr = np.array([0, 1, 3, 4])
for flag in (False, True):  # two types, compiled one after the other
    indptr.flags.writeable = flag
    ranking.rank_by_degree(indptr)
print(compilation.KernelCompiler.n_compiled, file=sys.stderr)
"""
    for is_first in (True, False):
        command, variables = [sys.executable, "-c", script], {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        before, *notes, number = done.stderr.splitlines(keepends=True)
        assert (before, notes) == ("before\n", [NOTE] if is_first else [])
        assert (int(number) >= 2) if is_first else (int(number) == 0)


def test_a_later_compilation_is_announced_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    clock = [100.0]
    compiler = kernels.compilation.KernelCompiler
    monkeypatch.setattr(kernels.compilation.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(compiler, "_last", -math.inf)
    monkeypatch.setattr(compiler, "n_compiled", 0)

    def compile_slowly(self: Compiler, n_callees: int) -> None:
        clock[0] += 30.0  # compiling takes long, and so does what is compiled for it
        if n_callees:
            self.compile_extra(n_callees - 1)

    monkeypatch.setattr(Compiler, "compile_extra", compile_slowly)
    notes = []
    for pause in (0.0, 1.0, 60.0, 60.0):
        clock[0] += pause
        caplog.clear()
        compiler.__new__(compiler).compile_extra(1)
        notes.append(len(caplog.messages))
    assert notes == [1, 0, 1, 1]
    assert compiler.n_compiled == 8


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
import vnestruct.kernels
print(config.CACHE_DIR == before)
"""
    assert probe(script, NUMBA_CACHE_DIR=str(tmp_path)) == ["True"]
    assert probe(script, NUMBA_CACHE_DIR=None) == ["True"]


def test_this_process_keeps_its_code_in_its_own_folder() -> None:
    folder = str(kernels._cache_folder())
    assert os.path.commonpath([folder, kernels.ranking.give_ranks.stats.cache_path]) == folder


def test_no_kernel_is_compiled_again_for_a_literal() -> None:
    """Read from the index of compiled code: an integer passed as a literal compiles a kernel and its callees twice."""
    embed([(0, 1), (1, 2), (2, 3), (3, 0), (0, 4), (4, 5), (5, 6), (6, 0), (3, 7), (7, 8)], 2)
    checked = 0
    for module in pkgutil.iter_modules(kernels.__path__):
        for name, function in vars(importlib.import_module(f"vnestruct.kernels.{module.name}")).items():
            if isinstance(function, Dispatcher):
                variants = [key[0] for key in function._cache._cache_file._load_index()]
                plain = {tuple(map(types.unliteral, variant)) for variant in variants}
                assert len(plain) == len(variants), (name, variants)
                checked += len(variants)
    assert checked >= 30


def test_python_calls_no_part_of_a_kernel() -> None:
    """A part has no wrapper for Python, which would crash on it."""
    parts = {
        name
        for module in pkgutil.iter_modules(kernels.__path__)
        for name, function in vars(importlib.import_module(f"vnestruct.kernels.{module.name}")).items()
        if isinstance(function, Dispatcher) and function.targetoptions.get("no_cpython_wrapper")
        if not name.startswith("_")
    }
    assert "lanczos_lanes" in parts
    inside = Path(kernels.__file__).parent
    for source in inside.parent.rglob("*.py"):
        if source.parent != inside:
            tree = ast.walk(ast.parse(source.read_text()))
            used = {getattr(node, "attr", getattr(node, "id", None)) for node in tree}
            assert not used & parts, source


def test_compiling_pauses_the_garbage_collector() -> None:
    """It is as it was afterwards, whether a function can be compiled or not."""
    collects = []

    @intrinsic
    def probe(typing: Any) -> Any:
        collects.append(gc.isenabled())
        return types.int64(), lambda context, *rest: context.get_constant(types.int64, 7)

    before = gc.isenabled()
    try:
        for is_enabled in (True, False):
            (gc.enable if is_enabled else gc.disable)()
            compiler = kernels.compilation.KernelCompiler
            assert njit(lambda: probe(), pipeline_class=compiler)() == 7
            with pytest.raises(TypingError):
                njit(lambda: probe() + None, pipeline_class=compiler)()
            assert gc.isenabled() is is_enabled
    finally:
        (gc.enable if before else gc.disable)()
    assert collects
    assert not any(collects)


def test_every_kernel_is_compiled_so() -> None:
    for module in pkgutil.iter_modules(kernels.__path__):
        for name, function in vars(importlib.import_module(f"vnestruct.kernels.{module.name}")).items():
            if isinstance(function, Dispatcher):
                assert function._compiler.pipeline_class is kernels.compilation.KernelCompiler, name


def test_frames_of_the_compiler_share_their_memory() -> None:
    """Deep calls do not take page after page from the system: 1,500 here, where frames lie in small chunks."""
    resource = pytest.importorskip("resource", reason="needs the page counts of Unix")

    whose = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)

    def leaf() -> None:
        pass

    def descend(depth: int) -> None:
        if depth:
            descend(depth - 1)
        else:
            for _ in range(1000):
                leaf()

    def new_pages(depth: int) -> int:
        before = resource.getrusage(whose).ru_minflt
        for d in range(depth):
            descend(d)
        return int(resource.getrusage(whose).ru_minflt - before)

    assert kernels.compilation._with_stack(new_pages, 300) < 100
