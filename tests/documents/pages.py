"""The parts of documents: code blocks, links, headings, and the data that a page needs."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[2]
# Rendered reports have no code to run and no links to other pages.
DOCUMENTS = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("experiments/*/README.md")]
)


def tokens(page: Path) -> list[Token]:
    """All parts of a page, one after the other."""
    parsed = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    return [part for token in parsed for part in [token, *(token.children or [])]]


def blocks(page: Path, language: str = "") -> list[Token]:
    """The fenced blocks of a page, of a language or all: `info` is the language, `content` the text."""
    return [token for token in tokens(page) if token.type == "fence" and language in ("", token.info)]


def place_of(page: Path, block: Token) -> str:
    """Where a block is."""
    return f"{page.relative_to(ROOT)}, line {(block.map or [0])[0] + 1}"


def pages_with(language: str) -> list[Any]:
    """Return the pages that have blocks of a language, as parameters of a test."""
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in DOCUMENTS if blocks(page, language)]


def links(page: Path) -> list[str]:
    """The targets of links and pictures."""
    targets = [token.attrs.get("href") or token.attrs.get("src") for token in tokens(page)]
    return [str(target) for target in targets if target]


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the site and code hosts generate them."""
    parts = tokens(page)
    headings = [text.content for mark, text in pairwise(parts) if mark.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def bring_data(page: Path, code: list[Token], folder: Path, request: pytest.FixtureRequest) -> None:
    """Link the data that code needs, of what its page lists in `<!-- data: ... -->`; skip the test if it is missing."""
    text = "".join(block.content for block in code)
    listed = re.findall(r"<!-- data: (.*?) -->", page.read_text(encoding="utf-8"))
    for path in map(Path, " ".join(listed).split()):
        if path.name.partition(".")[0] in text:
            source: Path = request.getfixturevalue("data_folder") / path
            if not source.is_file():
                pytest.skip(f"{page.name} needs {source}")
            (folder / path.name).symlink_to(source)
