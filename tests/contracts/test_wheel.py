"""The wheel as people install it: built, put into an environment with nothing but what it needs, and used."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

USE = """
import sys
import vnestruct
assert vnestruct.__file__.startswith(sys.prefix) or ".whl" in vnestruct.__file__, vnestruct.__file__
ring = [(i, (i + 1) % 6) for i in range(6)]
print(vnestruct.embed(ring, radius=RADIUS).round(3).tolist()[0])
from vnestruct.roles import RoleClusterer
print(RoleClusterer(2).fit([("hub", i) for i in range(5)]).labels_.tolist())
try:
    from vnestruct.setmodel import DeepSetsClassifier
except vnestruct.MissingExtraError as error:
    print(error)
"""
EXPECTED = {1: ["[0.108]", "[1, 0, 0, 0, 0, 0]"], 2: ["[0.108, 0.521]", "[1, 0, 0, 0, 0, 0]"]}


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout without a network."""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", build, folder], cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [path] = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_package_and_nothing_else(wheel: Path, root: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = next(archive.read(name).decode() for name in names if name.endswith("METADATA"))
    source = root / "src"
    tracked = {
        str(path.relative_to(source))
        for path in (source / "vnestruct").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix not in (".nbi", ".nbc")
    }
    assert tracked <= names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"vnestruct"}
    assert "vnestruct/explore/assets/page.html" in names
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist") and "extra" not in line]
    assert len(needed) == 9


def test_the_wheel_alone_imports_and_embeds(wheel: Path, tmp_path: Path) -> None:
    """The quick form: only the wheel and the libraries it asks for can be imported; all others are hidden."""
    hide = f"""
import sys
from importlib.abc import MetaPathFinder
HIDDEN = {{"pandas", "polars", "networkx", "igraph", "matplotlib", "torch",
          "torch_geometric", "ray", "cupy"}}
class Hide(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Hide())
sys.path.insert(0, {str(tmp_path / "installed")!r})
"""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    (tmp_path / "use.py").write_text(hide + "RADIUS = 1\n" + USE.replace("sys.prefix", repr(str(tmp_path))))
    used(sys.executable, tmp_path, 1)


@pytest.mark.full
def test_an_environment_with_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """The long form: an environment of its own, into which pip brings what the wheel asks for."""
    folder = tmp_path / "environment"
    venv.create(folder, with_pip=True)
    python = str(folder / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", str(wheel)]
    if subprocess.run(install, check=False).returncode:
        pytest.skip("pip could not bring what the wheel asks for: no network?")
    listed = subprocess.run(
        [python, "-m", "pip", "list", "--format", "freeze"], capture_output=True, text=True, check=True
    )
    assert not re.search(r"^(torch|ray|networkx|igraph|matplotlib)==", listed.stdout, flags=re.MULTILINE)
    (tmp_path / "use.py").write_text("RADIUS = 2\n" + USE)
    used(python, tmp_path, 2)
    shown = subprocess.run([folder / "bin" / "vnestruct", "--version"], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith("vnestruct ")


def used(python: str, folder: Path, radius: int) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, "-I", folder / "use.py"], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    first, second, third = done.stdout.splitlines()
    assert [first, second] == EXPECTED[radius]
    assert "vnestruct[torch]" in third


def test_the_oldest_versions_are_those_that_are_promised(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *extras["graphs"], *extras["plot"], *extras["explore"]]
    promised = {Requirement(line).name: Requirement(line) for line in lines}
    text = (root / "constraints-oldest.txt").read_text().partition("# Not ours")[0]
    pinned = dict(line.split("==") for line in text.splitlines() if line and not line.startswith("#"))
    assert pinned.keys() == promised.keys()
    for name, version in pinned.items():
        [lowest] = [Version(one.version) for one in promised[name].specifier if one.operator == ">="]
        assert Version(version) == lowest, name
