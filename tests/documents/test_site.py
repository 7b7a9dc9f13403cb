"""The built site: offline, and whole."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.documents.pages import ROOT


@pytest.fixture(scope="module")
def check_site() -> ModuleType:
    found = importlib.util.spec_from_file_location("check_site", ROOT / "docs" / "check_site.py")
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_site_builds_without_a_warning_and_loads_nothing(tmp_path: Path, check_site: ModuleType) -> None:
    for name in ("mkdocs", "material", "mkdocstrings"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed; make docs builds and checks the site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", tmp_path / "site"],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert check_site.problems(tmp_path / "site") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("<script src='https://unpkg.com/x.js'></script>", "loads https://unpkg.com/x.js"),
        ("<link rel='stylesheet' href='//fonts.example/a.css'>", "loads //fonts.example/a.css"),
        ("<img src='http://example.org/a.png'>", "loads http://example.org/a.png"),
        ("<pre class='mermaid'>graph</pre>", "loads https://unpkg.com/mermaid"),
        ("<a href='gone.html'>x</a>", "links to gone.html, which is not there"),
        ("<a href='#nowhere'>x</a>", "links to #nowhere, and there is no such place in that page"),
    ],
)
def test_what_is_wrong_with_a_site_is_found(text: str, problem: str, tmp_path: Path, check_site: ModuleType) -> None:
    (tmp_path / "page.html").write_text(f"<html><body>{text}<a href='https://example.org'>fine</a></body></html>")
    assert check_site.problems(tmp_path) == [f"page.html {problem}"]


def test_a_style_that_loads_is_found(tmp_path: Path, check_site: ModuleType) -> None:
    (tmp_path / "page.html").write_text("<p id='a'>x</p><a href='#a'>up</a>")
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/font.woff') }")
    assert check_site.problems(tmp_path) == ["a.css loads https://example.org/font.woff"]
