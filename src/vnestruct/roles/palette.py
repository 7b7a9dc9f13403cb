"""Colours and markers of roles that people with any kind of colour vision can tell apart."""

from __future__ import annotations

COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#5B5B5B", "#1B1B5E", "#8B4513", "#F0E442"
)  # fmt: skip
"""Okabe and Ito's palette, its black lightened and its yellow last, which is pale on white; navy and brown are added.

Seen with any kind of dichromacy, every two are at least 15 units apart in CIELAB.
"""

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "h", "p", "*")

_AREAS = {"o": 1.0, "s": 0.9, "^": 1.15, "D": 0.75, "v": 1.15, "P": 1.2, "X": 1.1, "*": 1.8}
"""Areas that make markers look equally large."""


def colour_of(role: int) -> str:
    """Return the colour of a role.

    Examples
    --------
    >>> colour_of(0)
    '#0072B2'
    """
    return COLOURS[role % len(COLOURS)]


def marker_of(role: int) -> str:
    """Return the marker of a role: together with its colour it is different for each of the first 60 roles."""
    return MARKERS[role % len(MARKERS)]


def area_of(role: int) -> float:
    """Return the area of the marker of a role relative to that of a circle."""
    return _AREAS.get(marker_of(role), 1.1)
