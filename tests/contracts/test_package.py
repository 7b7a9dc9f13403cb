"""The metadata of the package, and limits on the size of its source."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import vnestruct

MOST_FILES, MOST_LINES = 180, 23_700  # asked without `columns`: 135 files


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def sources(root: Path) -> dict[Path, str]:
    return {path.relative_to(root): path.read_text("utf-8") for path in (root / "src").rglob("*.py")}


def test_the_version_is_stated_in_one_place_and_cited(root: Path, sources: dict[Path, str]) -> None:
    version = vnestruct.__version__
    assert [path.name for path, text in sources.items() if f'"{version}"' in text] == ["_version.py"]
    assert re.search(rf"^## {re.escape(version)} \(", (root / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    assert f"\nversion: {version}\n" in (root / "CITATION.cff").read_text()


def test_the_package_says_that_it_is_typed(project: dict[str, Any]) -> None:
    assert resources.files("vnestruct").joinpath("py.typed").is_file()
    assert "Typing :: Typed" in project["project"]["classifiers"]


def test_heavy_libraries_are_extras_and_requirements_ranges(project: dict[str, Any]) -> None:
    lines: list[str] = project["project"]["dependencies"]
    extras: dict[str, list[str]] = project["project"]["optional-dependencies"]
    needed = {line.partition(">=")[0] for line in lines}
    assert needed == {"numpy", "scipy", "numba", "scikit-learn", "joblib", "narwhals", "pyarrow", "typer", "rich"}
    assert extras.keys() >= {"graphs", "plot", "explore", "torch", "pyg", "ray", "cuda", "all"}
    assert not [line for line in sum(extras.values(), lines) if re.search("==|<", line)]


def test_the_source_stays_small(sources: dict[Path, str]) -> None:
    """No long file, and no growth without a decision: raise a limit here only with a reason."""
    lengths = {path: text.count("\n") for path, text in sources.items()}
    assert not {path: length for path, length in lengths.items() if length > 300}
    assert len(lengths) <= MOST_FILES
    assert sum(lengths.values()) <= MOST_LINES


def test_no_module_has_a_catch_all_name(sources: dict[Path, str]) -> None:
    assert not {path.stem for path in sources} & {"utils", "util", "helpers", "misc", "common", "core"}
