"""The examples in all docstrings are run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import vnestruct

PACKAGE = Path(vnestruct.__path__[0])
RUNS = re.compile(r">>> (?!.*\+SKIP)")  # one that needs a GPU or a cluster is marked `+SKIP`
WITH_EXAMPLES = sorted(path for path in PACKAGE.rglob("*.py") if RUNS.search(path.read_text("utf-8")))


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_examples_hold(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        if (error.name or "vnestruct").startswith("vnestruct"):
            raise
        pytest.skip(f"needs {error.name}, which is not installed")
    assert doctest.testmod(module).failed == 0


def test_public_names_have_an_example() -> None:
    """All names that people call; `Update` is returned by `update` and shown there."""
    called = {name for name in vnestruct.__all__ if not name.endswith("Error")} - {"__version__", "Update"}
    assert {name for name in called if ">>>" not in (getattr(vnestruct, name).__doc__ or "")} == set()
