"""Phrases that do not belong in the project: they sound archaic or translated, and a plainer one exists."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

THINGS = "rows?|columns?|lines?|files?|readers?|kernels?|numbers?|pages?|values?|entry|entries|names?|bits?"
UNITS = "bytes|ns|ms|seconds|edges|arcs|nodes"

# Pattern, and what to write instead. A space in a pattern also matches a line break, with or without a comment sign.
PHRASES = {
    r"\b(an?|one|two|three|\d+) (" + THINGS + r") an? (?!few|little|lot)\w+": "one row per node",
    r"\b\d[\d.,]* (" + UNITS + r") an? (node|edge|arc|graph|ball|thread|machine|row|radius)\b": "8 bytes per node",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bedges? (that )?(has|have|had)? ?(come|comes|came) (or|and) (go|goes|gone|went)\b": "added and removed edges",
    r"\b(has|have|had) come or gone\b": "have changed",
    r"\bcan be told (from|by)\b": "can be predicted",
    r"\blet edge weights count\b": "use edge weights",
    r"\bby hops all the same\b": "are still measured in hops",
    r"\bmemory to stay within\b": "memory limit",
    r"\bof like (structure|size|kind)\b": "structurally similar; of similar size",
    r"\bfor want of\b": "for lack of; (time limit)",
    r"\bas ever\b": "as usual",
    r"\blinks step aside\b": "links are hidden",
    r"\bbears? it out\b": "is checked against",
    r"\bheld as a whole\b": "read whole",
    r"\bpast (one machine|its memory)\b": "beyond one machine",
    r"\banew\b": "again; recompute",
    r"\bends soon\b|\bover in a moment\b|\bto be had\b": "say what is meant",
    r"\balways would be right\b": "always guessing it would be right",
}
# Files of others, and files that must stay as they were written.
LEFT_OUT = ("tests/contracts/test_words.py", "tests/io/data/", "tests/io/malformed/")
TEXT = {".py", ".md", ".toml", ".yml", ".yaml", ".cff", ".cu", ".cuh", ".h", ".js", ".css", ".html", ".svg", ".txt", ""}


def tracked_texts(root: Path) -> list[Path]:
    """The text files that git tracks."""
    if not (root / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    names = [name for name in listed.split("\0") if name and not name.startswith(LEFT_OUT)]
    return [root / name for name in names if Path(name).suffix in TEXT and (root / name).is_file()]


def findings(text: str, pattern: str) -> list[tuple[int, str]]:
    """Line numbers and matches of a phrase, also where it continues on the next line."""
    spaced = pattern.replace(" ", r"\s+(?:(?:#|//|\*)\s*)?")
    return [(text.count("\n", 0, hit.start()) + 1, hit[0]) for hit in re.finditer(spaced, text, flags=re.IGNORECASE)]


@pytest.mark.parametrize("pattern", PHRASES, ids=list(PHRASES.values()))
def test_the_phrase_does_not_occur(root: Path, pattern: str) -> None:
    places = [
        f"{path.relative_to(root)}:{line}: {' '.join(words.split())!r}"
        for path in tracked_texts(root)
        for line, words in findings(path.read_text(encoding="utf-8"), pattern)
    ]
    assert not places, f"write {PHRASES[pattern]!r} instead:\n" + "\n".join(places)


def test_phrases_are_found_across_lines_and_whatever_their_case() -> None:
    rate, _, mend, *_ = PHRASES
    assert findings("One row a node,\none column\n    # a radius", rate) == [
        (1, "One row a node"),
        (2, "one column\n    # a radius"),
    ]
    assert findings("one row per node; name a file in it; lines a few", rate) == []
    assert findings("Amend or recommend it; Mended.", mend) == [(1, "Mended")]
