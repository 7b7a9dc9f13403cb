"""The examples in the docstrings of the generators, run; tests/contracts runs those of the package."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

from tests import generators


def test_examples_hold() -> None:
    for module in pkgutil.iter_modules(generators.__path__, "tests.generators."):
        results = doctest.testmod(importlib.import_module(module.name))
        assert results.failed == 0, module.name
