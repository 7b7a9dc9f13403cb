"""The examples in all docstrings are run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import vnestruct
from tests.cases import for_each

PACKAGE = Path(vnestruct.__path__[0])


def modules_with_examples() -> list[str]:
    """The names of all modules with an example that runs; one that needs a GPU or a cluster is marked `+SKIP`."""
    runs = re.compile(r">>> (?!.*\+SKIP)")
    paths = [path.relative_to(PACKAGE.parent) for path in PACKAGE.rglob("*.py") if runs.search(path.read_text())]
    return sorted(".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in paths)


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_hold(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The only place that runs doctests: every module once."""
    monkeypatch.chdir(tmp_path)
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "vnestruct"):
            raise
        pytest.skip(f"needs {missing}, which is not installed")
    results = doctest.testmod(module)
    assert results.attempted > 0
    assert results.failed == 0


def public_names() -> list[str]:
    """The names that people call; `Update` is returned by `update` and shown there."""
    others = {"__version__", "Update"}
    return [name for name in vnestruct.__all__ if not name.endswith("Error") and name not in others]


@for_each("name", public_names())
def test_public_names_have_an_example(name: str) -> None:
    documented = getattr(vnestruct, name).__doc__ or ""
    assert ">>>" in documented
