"""The API reference is complete."""

from __future__ import annotations

import re
from importlib import import_module

from tests.documents.pages import ROOT

MODULES = (
    "vnestruct",
    "vnestruct.roles",
    "vnestruct.setmodel",
    "vnestruct.datasets",
    "vnestruct.explore",
    "vnestruct.io",
)


def test_every_public_name_is_described() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    # A name is described by its path, or by its heading if a module has the same name.
    described = {
        path.rpartition(".")[2] for path in re.findall(r"^(?:::: |      heading: )([\w.]+)$", text, re.MULTILINE)
    }
    for module in MODULES:
        public = import_module(module).__all__
        names = {name for name in public if not name.startswith("__") and not name.endswith("Error")}
        assert names <= described, f"docs/api.md does not describe {sorted(names - described)} of {module}"
    assert "vnestruct.errors" in text
    assert "vnestruct.pyg.AddVNEstruct" in text
