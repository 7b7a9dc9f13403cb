"""Tests that loop over their cases: one reported test, whose failure names the case."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

Test = Callable[..., None]


def for_each(
    names: str | Sequence[str], values: Iterable[Any], ids: Sequence[str] | None = None
) -> Callable[[Test], Test]:
    """Run a test for each value in turn. Written like `pytest.mark.parametrize`, but reported as a single test.

    A folder from `tmp_path` is new for each value, and changes through `monkeypatch` end with it. If some values skip
    the test, the others still run; if all do, it is skipped.

    Examples
    --------
    >>> @for_each(("text", "length"), [("a", 1), ("bcd", 3)])
    ... def test_length(text, length):
    ...     assert len(text) == length
    >>> test_length()
    """
    split = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(split, _tuple(value, len(split)), strict=True)) for value in values]

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def looped(**fixtures: Any) -> None:
            skipped = []
            for place, case in enumerate(cases):
                with ExitStack() as stack:
                    fresh = {}
                    if "tmp_path" in fixtures:
                        fresh["tmp_path"] = fixtures["tmp_path"] / f"case_{place}"
                        fresh["tmp_path"].mkdir()
                    if "monkeypatch" in fixtures:
                        fresh["monkeypatch"] = stack.enter_context(fixtures["monkeypatch"].context())
                    try:
                        test(**fixtures | fresh | case)
                    except pytest.skip.Exception as reason:
                        skipped.append(str(reason))
                    except BaseException as error:
                        which = f" ({ids[place]})" if ids else ""
                        error.add_note(f"Case {place}{which}: " + ", ".join(f"{k}={v!r}" for k, v in case.items()))
                        raise
            if skipped and len(skipped) == len(cases):
                pytest.skip(skipped[0])

        signature = inspect.signature(test)
        rest = [parameter for name, parameter in signature.parameters.items() if name not in split]
        looped.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return looped

    return decorate


def _tuple(value: Any, length: int) -> tuple[Any, ...]:
    """Return the values of one case."""
    return (value,) if length == 1 else tuple(value)
