"""The built site loads nothing from other hosts, and its links have targets."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.documents.pages import ROOT


@pytest.fixture(scope="module")
def check_site() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_site", ROOT / "docs" / "check_site.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    for name in ("mkdocs", "material", "mkdocstrings"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed; make docs builds and checks the site")
    folder = tmp_path_factory.mktemp("built") / "site"
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", folder],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def test_the_site_builds_without_a_warning_and_works_offline(site: Path, check_site: ModuleType) -> None:
    assert check_site.problems(site) == []


def test_call_signatures_are_shown(site: Path) -> None:
    page = (site / "api-signatures.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>|\s+", "", page)
    assert "embed(g:Any,radius:int=2,*,kind:" in text


def test_search_works_in_pages_opened_from_disk(site: Path, browser: Any) -> None:
    tab = browser.new_page()
    tab.goto((site / "tour.html").as_uri())
    for words in ("notebook", "compile", "api reference"):
        tab.fill("input.md-search__input", "")
        tab.click("input.md-search__input")
        tab.keyboard.type(words)
        tab.wait_for_function(
            "(words) => [...document.querySelectorAll('.md-search-result__item')]"
            ".some((found) => found.textContent.toLowerCase().includes(words))",
            arg=words, timeout=60_000,
        )  # fmt: skip
    tab.close()


PROBLEMS = {
    "<script src='https://unpkg.com/x.js'></script>": "loads https://unpkg.com/x.js",
    "<link rel='stylesheet' href='//fonts.example/a.css'>": "loads //fonts.example/a.css",
    "<img src='http://example.org/a.png'>": "loads http://example.org/a.png",
    "<pre class='mermaid'>graph</pre>": "loads https://unpkg.com/mermaid",
    "<a href='gone.html'>x</a>": "links to gone.html, which does not exist",
    "<a href='#nowhere'>x</a>": "links to #nowhere, and that page has no such anchor",
}


def test_problems_of_a_site_are_found(tmp_path: Path, check_site: ModuleType) -> None:
    for text, problem in PROBLEMS.items():
        (tmp_path / "page.html").write_text(f"<html><body>{text}<a href='https://example.org'>fine</a></body></html>")
        assert check_site.problems(tmp_path) == [f"page.html {problem}"], text


def test_a_style_that_loads_from_another_host_is_found(tmp_path: Path, check_site: ModuleType) -> None:
    (tmp_path / "page.html").write_text("<p id='a'>x</p><a href='#a'>up</a>")
    (tmp_path / "a.css").write_text("@font-face { src: url('https://example.org/font.woff') }")
    assert check_site.problems(tmp_path) == ["a.css loads https://example.org/font.woff"]
