"""Colours and markers of roles that people with any kind of colour vision can tell apart."""

from __future__ import annotations

COLOURS = (
    "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#5B5B5B", "#1B1B5E", "#8B4513", "#F0E442"
)  # fmt: skip
"""Okabe and Ito's palette, its black lightened and its yellow last, which is pale on white; navy and brown are added.

Seen with any kind of dichromacy, every two are at least 15 units apart in CIELAB.
"""

DARK_COLOURS = (
    "#719BF8", "#F99900", "#30ED83", "#C85307", "#D19ED0", "#CBFFEC", "#8EA58B", "#8D54FF", "#965A3D", "#FFFF0A"
)  # fmt: skip
"""The same colours in the same order, light enough for a dark background.

Seen with any kind of dichromacy, every two are at least 25 units apart in CIELAB.
"""

_MARKERS = {
    "o": (1.0, "circle", "●"), "s": (0.9, "square", "■"), "^": (1.15, "triangle", "▲"), "D": (0.75, "diamond", "◆"),
    "v": (1.15, "inverted_triangle", "▼"), "P": (1.2, "plus", "✚"), "X": (1.1, "square_pin", "✦"),
    "<": (1.1, "triangle_pin", "◭"), ">": (1.1, "star", "★"), "h": (1.1, "hex", "⬢"), "p": (1.1, "diamond_dot", "◈"),
    "*": (1.8, "star_dot", "✪"),
}  # fmt: skip
"""For each marker of Matplotlib: the area that makes it look as large as a circle, the most similar marker of Bokeh,
and the most similar character."""

MARKERS = tuple(_MARKERS)


def colour_of(role: int) -> str:
    """Return the colour of a role."""
    return COLOURS[role % len(COLOURS)]


def marker_of(role: int) -> str:
    """Return Matplotlib's marker of a role; together with the colour it is different for each of the first 60 roles."""
    return MARKERS[role % len(MARKERS)]


def area_of(role: int) -> float:
    """Return the area of the marker of a role relative to that of a circle."""
    return _MARKERS[marker_of(role)][0]


def bokeh_marker_of(role: int) -> str:
    """Return Bokeh's marker of a role."""
    return _MARKERS[marker_of(role)][1]


def symbol_of(role: int) -> str:
    """Return the character that stands for the marker of a role in tables."""
    return _MARKERS[marker_of(role)][2]


def colour_scale() -> list[str]:
    """Return the colours of a scale from low to high: cividis, which looks the same to nearly everybody."""
    from bokeh.palettes import Cividis256

    return list(Cividis256[::5])
