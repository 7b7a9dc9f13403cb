"""The examples in the docstrings of this part, run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import vnestruct.graph

MODULES = [found.name for found in pkgutil.iter_modules(vnestruct.graph.__path__, "vnestruct.graph.")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0
