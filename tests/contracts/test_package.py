"""The metadata of the package, and limits on the size of its source."""

from __future__ import annotations

import re
import subprocess
import tomllib
from datetime import date
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


def test_the_version_is_stated_in_one_place(root: Path, project: dict[str, Any]) -> None:
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
    assert needed == {"numpy", "scipy", "numba", "scikit-learn", "joblib", "narwhals", "pyarrow", "typer", "rich"}
    extras = project["project"]["optional-dependencies"]
    assert set(extras) >= {"graphs", "plot", "explore", "torch", "pyg", "ray", "cuda", "all"}


def test_requirements_are_ranges_not_pins(project: dict[str, Any]) -> None:
    lines = list(project["project"]["dependencies"])
    for extra in project["project"]["optional-dependencies"].values():
        lines += extra
    assert not [line for line in lines if "==" in line or "<" in line]


def test_the_source_stays_small(root: Path) -> None:
    """No long file, and no growth without a decision: raise a limit here only with a reason."""
    lengths = {str(path.relative_to(root)): len(path.read_text().splitlines()) for path in sources(root)}
    assert not {name: length for name, length in lengths.items() if length > 300}
    assert len(lengths) <= 200
    assert sum(lengths.values()) <= 28_000


def test_the_citation_names_this_version(root: Path) -> None:
    stated = dict(
        re.findall(r"^(version|date-released): (\S+)$", (root / "CITATION.cff").read_text(), flags=re.MULTILINE)
    )
    assert stated["version"] == vnestruct.__version__
    assert date.fromisoformat(stated["date-released"]) >= date(2026, 11, 15)
    # Once the changelog states the day of this release, the citation states the same.
    heading = re.search(
        rf"^## {re.escape(vnestruct.__version__)} \((.+)\)$", (root / "CHANGELOG.md").read_text(), re.MULTILINE
    )
    assert heading is not None
    assert heading[1] in ("unreleased", stated["date-released"])


def test_tested_versions_of_python_are_the_stated_ones(root: Path, project: dict[str, Any]) -> None:
    prefix = "Programming Language :: Python :: 3."
    versions = [line.removeprefix(prefix) for line in project["project"]["classifiers"] if line.startswith(prefix)]
    assert project["project"]["requires-python"] == f">=3.{versions[0]}"
    assert f"Python 3.{' and 3.'.join(versions)}" in " ".join((root / "CONTRIBUTING.md").read_text().split())


def test_hooks_run_the_checks_of_make_lint(root: Path) -> None:
    hooks = (root / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"repo: (.+)", hooks) == ["local"]
    programs = re.findall(r"entry: \.venv/bin/(ruff \w+|[\w-]+)", hooks)
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (root / "Makefile").read_text(), flags=re.MULTILINE)
    assert recipe is not None
    assert programs == re.findall(r"\$\(BIN\)/(ruff \w+|[\w-]+)", recipe[1])


def test_no_module_has_a_catch_all_name(root: Path) -> None:
    names = {part for path in sources(root) for part in path.relative_to(root / "src").with_suffix("").parts}
    assert not names & {"utils", "util", "helpers", "misc", "common", "core"}
