"""Phrases that do not belong in the project: they sound archaic or translated, and a plainer one exists."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

THINGS = "rows?|columns?|lines?|files?|readers?|kernels?|numbers?|pages?|values?|entry|entries|names?|bits?"
UNITS = "bytes|ns|ms|seconds|edges|arcs|nodes"
EACH = "node|edge|arc|graph|ball|block|thread|worker|device|machine|line|row|column|radius|file|case|role|class|fold"
SMALL = "is|as|in|of|for|to|on|by|and|or|has|with|from|at|if|makes?|ends?|begins?|starts?|than|into|that|which|when|are"

# Pattern, and what to write instead. A space in a pattern also matches a line break, with or without a comment sign.
PHRASES = {
    r"\b(an?|one|two|three|\d+) (" + THINGS + r") an? (?!few|little|lot)\w+": "one row per node",
    r"\b\d[\d.,]* (" + UNITS + r") an? (" + EACH + r")\b": "8 bytes per node",
    r"\b(one|two|three|four|\d+) (?!(" + SMALL + r")\b)[\w-]+ an? (" + EACH + r")\b": "one worker per device",
    r"\ban? (line|row|column|number|file|name|value|entry) each\b": "one line for each",
    r"\bmend(s|ed|ing)?\b": "fix",
    r"\bedges? (that )?(has|have|had)? ?(come|comes|came) (or|and) (go|goes|gone|went)\b": "added and removed edges",
    r"\b(has|have|had) come or gone\b|\bcome or gone\b": "have changed",
    r"\bedges? (that|which) (come|comes|go|goes|came|went)\b": "added edges; removed edges",
    r"\bby a saved classifier\b": "with a saved classifier",
    r"\bcan be told\b": "can be predicted",
    r"\blet edge weights count\b": "use edge weights",
    r"\bby hops all the same\b": "are still measured in hops",
    r"\bmemory to stay within\b": "memory limit",
    r"\bof like (structure|size|kind)\b": "structurally similar; of similar size",
    r"\bare the hubs\b": "contains the hubs",
    r"\bfor want of\b": "for lack of; (time limit)",
    r"\bas ever\b": "as usual",
    r"\bsteps? aside\b": "are hidden",
    r"\bformats? cannot say\b": "nothing is lost; cannot express",
    r"\bis believed\b|\bbears? it out\b": "is checked against",
    r"\bheld as a whole\b": "read whole",
    r"\bpast (one machine|its memory)\b": "beyond one machine",
    r"\banew\b": "again; recompute",
    r"\bto look at\b": "to process; to count",
    r"\bevery public name\b": "API reference",
    r"\bends soon\b|\bover in a moment\b|\bto be had\b|\bbrings? the same\b|\bso do\b": "say what is meant",
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


def test_no_phrase_occurs(root: Path) -> None:
    places = [
        f"{path.relative_to(root)}:{line}: {' '.join(words.split())!r}; write {better!r} or the like"
        for path in tracked_texts(root)
        for text in [path.read_text(encoding="utf-8")]
        for pattern, better in PHRASES.items()
        for line, words in findings(text, pattern)
    ]
    assert not places, "\n".join(["phrases to replace:", *places])


def test_phrases_are_found_across_lines_and_whatever_their_case() -> None:
    rate, _, other_rate, _, fix, *_ = PHRASES
    assert findings("One row a node,\none column\n    # a radius", rate) == [
        (1, "One row a node"),
        (2, "one column\n    # a radius"),
    ]
    assert findings("one row per node; name a file in it; lines a few", rate) == []
    assert findings("One CPU a block. One of a graph. Two balls in a row.", other_rate) == [(1, "One CPU a block")]
    assert findings("Amend or recommend it; Mended.", fix) == [(1, "Mended")]
