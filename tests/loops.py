"""One reported case for many graphs: values are looped over inside a test instead of multiplying it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def each(name: str, values: Iterable[Any], ids: Iterable[str] | None = None) -> Callable[[Callable[..., None]], Any]:
    """Run a test for each value, as `pytest.mark.parametrize` does, but as one case; a failure names the value."""
    cases = list(values)
    labels = list(map(repr, cases)) if ids is None else list(ids)

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def loop(**fixtures: Any) -> None:
            for label, value in zip(labels, cases, strict=True):
                try:
                    test(**fixtures, **{name: value})
                except BaseException as error:
                    error.add_note(f"{name}: {label}")
                    raise

        others = [parameter for key, parameter in signature.parameters.items() if key != name]
        loop.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return loop

    return decorate
