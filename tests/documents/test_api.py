"""The API reference is complete."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

from tests.documents.pages import ROOT

MODULES = (
    "vnestruct",
    "vnestruct.roles",
    "vnestruct.setmodel",
    "vnestruct.datasets",
    "vnestruct.explore",
    "vnestruct.live",
    "vnestruct.io",
)


TEXT = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs").glob("api*.md")))
PATHS = re.findall(r"^::: ([\w.]+)$", TEXT, re.MULTILINE)


def test_all_exported_names_are_described() -> None:
    described = {path.rpartition(".")[2] for path in PATHS}
    for module in MODULES:
        public = import_module(module).__all__
        names = {name for name in public if not name.startswith("__") and not name.endswith("Error")}
        assert names <= described, f"docs/api-*.md do not describe {sorted(names - described)} of {module}"
    assert "vnestruct.errors" in PATHS
    assert "vnestruct.pyg.AddVNEstruct" in PATHS


def test_everything_described_exists_and_has_a_docstring() -> None:
    assert len(PATHS) == len(set(PATHS))
    for path in PATHS:
        module, _, name = path.rpartition(".")
        if path == "vnestruct.errors":
            assert import_module(path).__doc__
        elif find_spec("torch_geometric") or not path.startswith("vnestruct.pyg"):
            assert getattr(import_module(module), name).__doc__, path
