"""What the wheel will say and hold, and the size of what is in it."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

import vnestruct


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    with (root / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def sources(root: Path) -> list[Path]:
    return sorted((root / "src").rglob("*.py"))


def test_the_version_stands_in_one_place(root: Path, project: dict[str, Any]) -> None:
    assert "version" not in project["project"]
    assert project["project"]["dynamic"] == ["version"]
    home = root / project["tool"]["hatch"]["version"]["path"]
    assert vnestruct.__version__ in home.read_text()
    assert re.fullmatch(r"\d+\.\d+\.\d+([ab.]\w+)?", vnestruct.__version__)
    literal = re.compile(rf"['\"]{re.escape(vnestruct.__version__)}['\"]|^__version__\s*[:=]", re.MULTILINE)
    stated = [path for path in sources(root) if literal.search(path.read_text())]
    assert stated == [home]


def test_the_package_says_that_it_is_typed(root: Path, project: dict[str, Any]) -> None:
    assert resources.files("vnestruct").joinpath("py.typed").is_file()
    assert "Typing :: Typed" in project["project"]["classifiers"]
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/vnestruct"]
    assert not {"exclude", "only-include", "include"} & set(wheel)
    # The build leaves out what git ignores.
    command = ["git", "check-ignore", "--quiet", "src/vnestruct/py.typed"]
    if (root / ".git").exists():
        assert subprocess.run(command, cwd=root, check=False).returncode == 1


def test_heavy_libraries_are_extras(project: dict[str, Any]) -> None:
    needed = {re.split(r"[<>=!~\[ ]", line)[0] for line in project["project"]["dependencies"]}
    assert needed == {"numpy", "scipy", "numba", "scikit-learn", "typer", "rich"}
    extras = project["project"]["optional-dependencies"]
    assert set(extras) >= {"parquet", "graphs", "plot", "explore", "torch", "pyg", "ray", "cuda", "all"}


def test_requirements_are_ranges_not_pins(project: dict[str, Any]) -> None:
    lines = list(project["project"]["dependencies"])
    for extra in project["project"]["optional-dependencies"].values():
        lines += extra
    assert not [line for line in lines if "==" in line or "<" in line]


def test_no_file_is_too_long(root: Path) -> None:
    long = {path.name: lines for path in sources(root) if (lines := len(path.read_text().splitlines())) > 400}
    assert not long


def test_no_drawer_for_odds_and_ends(root: Path) -> None:
    names = {part for path in sources(root) for part in path.relative_to(root / "src").with_suffix("").parts}
    assert not names & {"utils", "util", "helpers", "misc", "common", "core"}
