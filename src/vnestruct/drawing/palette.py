"""Colours and markers of roles that people with any kind of colour vision can tell apart."""

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

PAGE_COLOURS = {
    "light": (*(COLOURS[place] for place in (0, 1, 2, 3, 4, 5, 7)), "#C0C4C8"),
    "dark": (*(DARK_COLOURS[place] for place in (0, 1, 2, 3, 4, 5, 7)), "#4A4E52"),
}
"""The colours of a page by theme: seven hues, and a grey for everything beyond."""

COLOUR_SCALE = (
    "#00204C", "#00316F", "#31446B", "#4D556B", "#666870", "#7C7B78", "#958F78", "#AEA373", "#CAB969", "#E7D158",
    "#FFE945",
)  # fmt: skip
"""A scale from low to high: cividis (Nuñez, Anderton and Renslow 2018), which looks the same to nearly everybody."""

AREAS = {
    "o": 1.0, "s": 0.9, "^": 1.15, "D": 0.75, "v": 1.15, "P": 1.2, "X": 1.1, "<": 1.1, ">": 1.1, "h": 1.1, "p": 1.1,
    "*": 1.8,
}  # fmt: skip
"""For each marker of Matplotlib, the area that makes it look as large as a circle."""

MARKERS = tuple(AREAS)


def colour_of(role: int) -> str:
    """Return the colour of a role."""
    return COLOURS[role % len(COLOURS)]


def marker_of(role: int) -> str:
    """Return Matplotlib's marker of a role; together with the colour it is different for each of the first 60 roles."""
    return MARKERS[role % len(MARKERS)]
