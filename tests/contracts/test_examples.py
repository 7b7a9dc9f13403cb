"""The examples in all docstrings, run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import vnestruct

MODULES = sorted(found.name for found in pkgutil.walk_packages(vnestruct.__path__, "vnestruct."))


@pytest.mark.parametrize("name", ["vnestruct", *(name for name in MODULES if not name.endswith("__main__"))])
def test_examples_hold(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in ("", "vnestruct"):
            raise
        pytest.skip(f"needs {missing}, which is not installed")
    results = doctest.testmod(module)
    assert results.failed == 0


def public_names() -> list[str]:
    """What people call; `Update` is what `update` returns, and is shown there."""
    others = {"__version__", "Update"}
    return [name for name in vnestruct.__all__ if not name.endswith("Error") and name not in others]


@pytest.mark.parametrize("name", public_names())
def test_public_names_have_an_example(name: str) -> None:
    documented = getattr(vnestruct, name).__doc__ or ""
    assert ">>>" in documented
