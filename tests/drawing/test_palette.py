"""Colours that people with any kind of colour vision can tell apart, on either background, and marks that differ."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np

from vnestruct.drawing.palette import COLOUR_SCALE, COLOURS, DARK_COLOURS, PAGE_COLOURS, colour_of, marker_of

# Linear light as seen without one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1).
VISIONS = {
    "trichromat": np.eye(3),
    "protanope": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranope": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanope": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
DARK_BACKGROUND = "#16191f"


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def lab(light: np.ndarray) -> np.ndarray:
    ratio = (TO_XYZ @ light) / (TO_XYZ @ np.ones(3))
    root = np.where(ratio > 216 / 24389, np.cbrt(ratio), (24389 / 27 * ratio + 16) / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def contrast(first: str, second: str) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (first, second))
    return (high + 0.05) / (low + 0.05)


def test_colours_differ_for_any_kind_of_vision() -> None:
    pages = (PAGE_COLOURS["light"], 15), (PAGE_COLOURS["dark"], 15)
    for palette, least in ((COLOURS, 15), (DARK_COLOURS, 25), *pages):
        for name, vision in VISIONS.items():
            seen = [lab(np.clip(vision @ linear(colour), 0, 1)) for colour in palette]
            assert min(np.linalg.norm(first - second) for first, second in combinations(seen, 2)) >= least, name


def test_dark_colours_stand_out_on_a_dark_background() -> None:
    assert min(contrast(colour, DARK_BACKGROUND) for colour in DARK_COLOURS) >= 3
    assert len(DARK_COLOURS) == len(COLOURS)


def test_a_page_has_seven_hues_and_a_grey() -> None:
    for palette in PAGE_COLOURS.values():
        assert len(set(palette)) == 8
        spread = [np.ptp([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) for colour in palette]
        assert max(spread[-1:]) < 16 < min(spread[:-1])


def test_scales_grow_lighter_and_roles_differ_in_colour_or_mark() -> None:
    assert len({(colour_of(role), marker_of(role)) for role in range(60)}) == 60
    levels = [lab(linear(colour))[0] for colour in COLOUR_SCALE]
    assert all(high > low for low, high in pairwise(levels))
