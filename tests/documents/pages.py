"""The documents, taken apart: blocks of code, links, headings, and the data a page needs."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted(
    path
    for path in [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").glob("*.md"),
        *(ROOT / "benchmarks").glob("*.md"),
        *(ROOT / "experiments").glob("*.md"),
    ]
    # What is rendered from results holds no code and no links of its own.
    if path.name not in ("REPORT.md",)
)
NAMES = [str(path.relative_to(ROOT)) for path in DOCUMENTS]


@dataclass(frozen=True)
class Block:
    """A fenced block: what language it says it is, its text, and its first line in the file."""

    language: str
    text: str
    line: int


def blocks(path: Path) -> list[Block]:
    """All fenced blocks of a page."""
    text = path.read_text(encoding="utf-8")
    return [
        Block(found[2], found[3], text.count("\n", 0, found.start()) + 2)
        for found in re.finditer(r"^(```+)([^\n`]*)\n(.*?)^\1\s*$", text, flags=re.DOTALL | re.MULTILINE)
    ]


def prose(path: Path) -> str:
    """The page without its code."""
    text = re.sub(r"^(```+)[^\n`]*\n.*?^\1\s*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def needed_data(path: Path) -> list[str]:
    """The files of the data folder that the code of a page reads, as its comment `<!-- data: ... -->` says."""
    return [
        name
        for found in re.findall(r"<!-- data: (.*?) -->", path.read_text(encoding="utf-8"))
        for name in found.split()
    ]


def anchors(path: Path) -> set[str]:
    """The anchors of a page's headings, as the site and code hosts make them."""
    text = re.sub(r"^(```+)[^\n`]*\n.*?^\1\s*$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    headings = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}
