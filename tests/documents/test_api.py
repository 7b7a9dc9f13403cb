"""The page of public names has every one of them."""

from __future__ import annotations

import re
from importlib import import_module

import pytest

from tests.documents.pages import ROOT


@pytest.mark.parametrize(
    "module",
    ["vnestruct", "vnestruct.roles", "vnestruct.setmodel", "vnestruct.datasets", "vnestruct.explore", "vnestruct.io"],
)
def test_every_public_name_is_described(module: str) -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    # A name is described by its path, or by the heading it is given where modules have the same name.
    described = {
        path.rpartition(".")[2] for path in re.findall(r"^(?:::: |      heading: )([\w.]+)$", text, re.MULTILINE)
    }
    names = {name for name in import_module(module).__all__ if not name.startswith("__") and not name.endswith("Error")}
    assert names <= described
    assert "vnestruct.errors" in text
    assert "vnestruct.pyg.AddVNEstruct" in text
