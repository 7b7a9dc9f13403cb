"""Colours and marks of a page, on a light and on a dark ground."""

from __future__ import annotations

from vnestruct.roles.palette import COLOURS, marker_of

DARK_COLOURS = (
    "#719BF8", "#F99900", "#30ED83", "#C85307", "#D19ED0", "#CBFFEC", "#8EA58B", "#8D54FF", "#965A3D", "#FFFF0A"
)  # fmt: skip
"""The colours of `vnestruct.roles.palette` in the same order, made light enough for a dark ground.

Seen with any kind of dichromacy, every two are at least 25 units apart in CIELAB; roles differ in their marks too.
"""

LIGHT_COLOURS = COLOURS

_MARKS = {
    "o": ("circle", "●"), "s": ("square", "■"), "^": ("triangle", "▲"), "D": ("diamond", "◆"),
    "v": ("inverted_triangle", "▼"), "P": ("plus", "✚"), "X": ("square_pin", "✦"), "<": ("triangle_pin", "◭"),
    ">": ("star", "★"), "h": ("hex", "⬢"), "p": ("diamond_dot", "◈"), "*": ("star_dot", "✪"),
}  # fmt: skip
"""For each marker of the printed pictures: what Bokeh calls the one nearest to it, and a letter that looks like it."""


def mark_of(role: int) -> tuple[str, str]:
    """Return Bokeh's marker of a role, and the letter that stands for it in tables.

    Examples
    --------
    >>> mark_of(1)
    ('square', '■')
    """
    return _MARKS[marker_of(role)]


def ramp() -> list[str]:
    """Return the colours of a scale from low to high: cividis, which looks the same to nearly everybody."""
    from bokeh.palettes import Cividis256

    return list(Cividis256[::5])
