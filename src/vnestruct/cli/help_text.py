"""The docstring of a command as its help: examples keep their lines."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

_HEADING = "Examples\n--------\n"


def description(command: Callable[..., Any]) -> str:
    """Return what a command does, without its examples."""
    return _parts(command)[0]


def examples(command: Callable[..., Any]) -> list[str]:
    """Return the example lines of a command."""
    return _parts(command)[1]


def help_text(command: Callable[..., Any]) -> str:
    """Return the help of a command, with Click's mark in front of lines that must not be joined."""
    text, lines = _parts(command)
    return "\n".join([text, "", "Examples:", "", "\b", *(f"  {line}" for line in lines)]) if lines else text


def _parts(command: Callable[..., Any]) -> tuple[str, list[str]]:
    text, _, lines = (inspect.getdoc(command) or "").partition(_HEADING)
    return text.strip(), lines.strip().splitlines()
