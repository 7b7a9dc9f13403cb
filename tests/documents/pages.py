"""The parts of documents: code blocks, links, headings, and the data that a page needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted(
    path
    for path in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
        *(ROOT / "experiments").glob("*.md"),
        ROOT / "experiments" / "baselines" / "README.md",
    ]
    # Rendered reports have no code to run and no links to other pages.
    if path.name != "REPORT.md"
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, and the number of its first line."""

    language: str
    text: str
    line: int


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a page."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(match[2], match[3], text.count("\n", 0, match.start()) + 2)
        for match in re.finditer(r"^(```+)([^\n`]*)\n(.*?)^\1\s*$", text, flags=re.DOTALL | re.MULTILINE)
    ]


def pages_with(language: str) -> list[Any]:
    """Return the pages that have blocks of a language, as parameters of a test."""
    pages = [path for path in DOCUMENTS if any(block.language == language for block in blocks(path))]
    return [pytest.param(path, id=str(path.relative_to(ROOT))) for path in pages]


def prose(path: Path) -> str:
    """The page without its code."""
    text = re.sub(r"^(```+)[^\n`]*\n.*?^\1\s*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def needed_data(path: Path) -> list[str]:
    """The files of the data folder that a page reads, as listed in its comment `<!-- data: ... -->`."""
    return [
        name
        for names in re.findall(r"<!-- data: (.*?) -->", path.read_text(encoding="utf-8"))
        for name in names.split()
    ]


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as the site and code hosts generate them."""
    text = re.sub(r"^(```+)[^\n`]*\n.*?^\1\s*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
