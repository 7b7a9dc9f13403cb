"""Notebooks run from top to bottom, and show what they have stored."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.documents.pages import ROOT

NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_show_what_is_stored(path: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        stored = [
            "".join(output["text"] if "text" in output else output["data"]["text/plain"]).split()
            for output in cell["outputs"]
        ]
        assert outputs("".join(cell["source"]), names) == stored, f"{path.name}: {''.join(cell['source'])}"


def outputs(source: str, names: dict[str, Any]) -> list[list[str]]:
    """Run a cell as a notebook does; return the words that it prints, and those of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names) if last is not None else None
    return [text.split() for text in (printed.getvalue(), "" if value is None else repr(value)) if text]
