"""What the package promises about itself: its names, its imports, its layers, its examples."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

import vnestruct

ROOT = Path(__file__).parent.parent.parent
SOURCE = ROOT / "src" / "vnestruct"

NAMES = [
    "CheckpointMismatchError", "EngineError", "Graph", "GraphFormatError", "GraphSet", "MissingExtraError",
    "NotAGraphError", "ParameterError", "TooLargeError", "UnknownNodeError", "Update", "VNEstruct", "VNEstructError",
    "__version__", "annotate", "as_graph", "continuity_bound", "embed", "embedding_frame", "entropy", "graph_distance",
    "graph_distances", "read_graph", "update",
]  # fmt: skip

HEAVY = ("sklearn", "torch", "ray", "matplotlib", "pyarrow", "pandas", "polars", "networkx", "igraph", "scipy", "numba")


def test_public_names_are_pinned():
    assert sorted(vnestruct.__all__) == NAMES
    for name in NAMES:
        assert getattr(vnestruct, name) is not None
    assert set(NAMES) <= set(dir(vnestruct))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = vnestruct.nothing


def test_importing_loads_nothing_heavy():
    code = f"import sys, vnestruct; print([m for m in {HEAVY!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_embedding_loads_no_library_it_does_not_need():
    optional = ("sklearn", "torch", "ray", "matplotlib", "pandas", "polars", "networkx", "igraph")
    code = f"import sys, vnestruct; vnestruct.embed([(0, 1)]); print([m for m in {optional!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_importing_is_quick():
    def seconds(code: str) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - begin

    # The interpreter's own start is not ours; the best of several shrugs off a busy machine.
    assert min(seconds("import vnestruct") for _ in range(5)) - min(seconds("pass") for _ in range(5)) < 0.5


def test_layers_are_kept():
    shown = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"], cwd=ROOT, capture_output=True, text=True
    )
    assert shown.returncode == 0, shown.stdout + shown.stderr


def test_the_version_is_stated_once():
    version = vnestruct.__version__
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" in project["dynamic"]
    assert "version" not in project
    stated = [path for path in SOURCE.rglob("*.py") if re.search(rf"['\"]{re.escape(version)}['\"]", path.read_text())]
    assert stated == [SOURCE / "_version.py"]


def test_type_hints_are_shipped():
    assert (SOURCE / "py.typed").is_file()


def test_no_file_is_several_rooms():
    long = {
        str(path.relative_to(SOURCE)): n_lines
        for path in SOURCE.rglob("*.py")
        if (n_lines := len(path.read_text().splitlines())) > 400
    }
    assert long == {}


MODULES = sorted(
    module.name for module in pkgutil.walk_packages(vnestruct.__path__, "vnestruct.") if "__main__" not in module.name
)


@pytest.mark.parametrize("name", ["vnestruct", *MODULES])
def test_examples_run(name):
    if name == "vnestruct.pyg":
        pytest.importorskip("torch_geometric", reason="the PyTorch Geometric extra is not installed")
    outcome = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert outcome.failed == 0
