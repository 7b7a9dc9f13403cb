"""Names that distinguish the roles of a graph, and a sentence about each, both made from measurements of the nodes.

A name is a noun, which holds whatever the other roles are, and as many words as it takes to distinguish the roles with
the same noun: they are graded by the measurement that separates most of them, and those still together by the next. A
sentence lists what differs most from all other nodes. How clearly a measurement differs is the probability that a node
of the role has the larger value of two, minus that of the smaller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from vnestruct.types import OffsetArray, ValueArray

_CLEAR_GAP = 1.0
"""A measurement separates two roles if their medians are farther apart than half of both interquartile ranges."""

_CLEAR_EFFECT = 0.4
_LEAST_EFFECT = 0.15
"""How clear a difference must be to be listed, and to be one of the first two."""

_FRAGMENTS = 3
"""Most differences that a sentence lists."""

_MOSTLY = 0.2
"""How much larger than elsewhere the share of links to another role must be to be listed."""

Words = tuple[str, ...]


@dataclass(frozen=True)
class _Measure:
    """How a measurement is put into words, from small values to large ones."""

    grades: Words
    low: str
    high: str
    family: str
    """Measurements of a family tell much the same; a sentence begins with one of each."""
    comes_first: bool = False
    is_share: bool = False


_SUPERLATIVES = {2: (1, 3), 3: (1, 2, 3), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4)}
"""Which of five grades are used for so many groups of roles."""


def _graded(text: str, *grades: str) -> Words:
    return tuple(text.format(grade) for grade in grades)


_MEASURES = {
    "degree": _Measure(
        ("quietest", "quieter", "half-busy", "busier", "busiest"), "fewer links ({} against {})",
        "more links ({} against {})", "size", comes_first=True,
    ),
    "clustering": _Measure(
        ("loosest", "looser", "half-knit", "closer-knit", "closest-knit"),
        "neighbours less often linked to each other ({} of pairs against {})",
        "neighbours more often linked to each other ({} of pairs against {})", "density", True, True,
    ),
    "neighbour_degree": _Measure(
        _graded("with {} neighbours", "the quietest", "quieter", "half-busy", "busier", "the busiest"),
        "quieter neighbours (degree {} against {})", "busier neighbours (degree {} against {})", "neighbours",
    ),
    "core": _Measure(
        ("outermost", "outer", "middle", "inner", "innermost"), "farther from the core (core number {} against {})",
        "deeper in the core (core number {} against {})", "size", comes_first=True,
    ),
    "cut": _Measure(
        ("bypassable", "connecting"), "seldom holding parts together ({} are cut nodes against {})",
        "holding parts together ({} are cut nodes against {})", "cut", True, True,
    ),
    "neighbour_clustering": _Measure(
        _graded("next to {} groups", "the loosest", "looser", "half-knit", "tighter", "the tightest"),
        "next to looser groups (clustering {} against {})",
        "next to tighter groups (clustering {} against {})", "density", is_share=True,
    ),
    "reach": _Measure(
        _graded("with {} nodes nearby", "the fewest", "fewer", "some", "more", "the most"),
        "fewer nodes within two hops ({} against {})", "more nodes within two hops ({} against {})", "size",
    ),
    "entropy": _Measure(
        _graded("in {} surroundings", "the simplest", "simpler", "mixed", "richer", "the richest"),
        "simpler surroundings (entropy {} against {})", "richer surroundings (entropy {} against {})", "size",
    ),
}  # fmt: skip
"""By name, in the order in which they are preferred; the names are keys of the evidence."""


@dataclass(frozen=True)
class RoleWords:
    """The words about one role, and the numbers behind them."""

    name: str
    sentence: str
    evidence: dict[str, dict[str, float]]


def describe_roles(measures: dict[str, ValueArray], roles: OffsetArray, links: ValueArray) -> list[RoleWords]:
    """Name and describe roles 0, 1, ...

    Parameters
    ----------
    measures : dict of array
        For each node: degree, clustering, neighbour_degree, neighbour_clustering, core, cut, reach and, if signatures
        are known, entropy; NaN where it was not measured.
    roles : array of int
        Role of each node.
    links : array, shape (number of roles, number of roles)
        How many arcs lead from each role to each other.
    """
    table = _Table(measures, roles)
    plural = [_noun(table, role) for role in range(table.n_roles)]
    nouns = [noun if table.sizes[role] > 1 else _SINGULAR[noun] for role, noun in enumerate(plural)]
    names = list(nouns)
    partner, share, usual = _partners(links)
    together = defaultdict(list)
    for role, noun in enumerate(plural):
        together[noun].append(role)
    for group in together.values():
        for role, (before, after) in _distinguished(table, group, plural, partner).items():
            names[role] = " ".join([*before, nouns[role], ", ".join(after)]).strip()
    words = []
    for role, name in enumerate(names):
        evidence = table.evidence(role)
        fragments = _fragments(evidence)
        if table.n_roles > 1 and share[role] - usual[role] >= _MOSTLY:
            fragments.append(f"{share[role]:.0%} of links to {names[partner[role]]} (against {usual[role]:.0%})")
        words.append(RoleWords(name, _sentence(table, role, fragments), evidence))
    return words


class _Table:
    """Measurements role by role: quartiles, what they are elsewhere, and how clearly they differ."""

    def __init__(self, measures: dict[str, ValueArray], roles: OffsetArray) -> None:
        self.measures, self.roles = measures, roles
        self.sizes = np.bincount(roles)
        self.n_roles = self.sizes.size
        self.members = [roles == role for role in range(self.n_roles)]

    @cached_property
    def quartiles(self) -> dict[str, ValueArray]:
        """For each measurement, the quartiles of each role; the median of a yes or no is the share of yes."""
        quartiles = {}
        for name, values in self.measures.items():
            rows = np.array([_quartiles(values[members]) for members in self.members])
            if name == "cut":
                middle = np.array([values[members].mean() for members in self.members])
                rows = np.column_stack([middle - 0.25, middle, middle + 0.25])
            quartiles[name] = rows
        return quartiles

    def typical(self, name: str, role: int) -> float:
        return float(self.quartiles[name][role, 1])

    @cached_property
    def effects(self) -> dict[str, ValueArray]:
        """For each measurement and role, from -1 to 1, by the ranks of all nodes."""
        from scipy.stats import rankdata

        effects = {}
        for name, values in self.measures.items():
            measured = ~np.isnan(values)
            roles = self.roles[measured]
            ranks = rankdata(values[measured])
            sizes = np.bincount(roles, minlength=self.n_roles)
            means = np.bincount(roles, ranks, minlength=self.n_roles) / np.maximum(sizes, 1)
            # The mean rank is (n + 1) / 2 if nothing differs, and others times the effect over 2 away from it.
            away = np.where(sizes > 0, means - (ranks.size + 1) / 2.0, 0.0)
            effects[name] = 2.0 * away / np.maximum(ranks.size - sizes, 1) * np.where(sizes < ranks.size, 1.0, 0.0)
        return effects

    def evidence(self, role: int) -> dict[str, dict[str, float]]:
        """Return what the role's nodes and all others are like, the clearest difference first."""
        order = sorted(self.measures, key=lambda name: -abs(self.effects[name][role]))
        found = {}
        for name in order:
            entry = {"role": self.typical(name, role)}
            if self.n_roles > 1:
                others = self.measures[name][~self.members[role]]
                entry["others"] = float(others.mean() if name == "cut" else _quartiles(others)[1])
                entry["effect"] = float(self.effects[name][role])
            if not np.isnan(list(entry.values())).any():
                found[name] = entry
        return found


def _quartiles(values: ValueArray) -> ValueArray:
    measured = values[~np.isnan(values)]
    return np.quantile(measured, (0.25, 0.5, 0.75)) if measured.size else np.full(3, np.nan)


_SINGULAR = {
    "isolated nodes": "isolated node", "nearly isolated nodes": "nearly isolated node", "isolated pairs": "isolated pair",
    "leaves": "leaf", "chain nodes": "chain node", "gateways": "gateway", "hubs": "hub", "core members": "core member",
    "clique members": "clique member", "group members": "group member", "satellites": "satellite",
    "loose ends": "loose end", "connectors": "connector", "well-linked nodes": "well-linked node",
    "fringe nodes": "fringe node", "ordinary nodes": "ordinary node",
}  # fmt: skip


def _noun(table: _Table, role: int) -> str:
    """Return what the nodes of a role are: the first noun whose rule holds."""
    members, measures = table.members[role], table.measures
    degree, clustering, around, dense_around, cut, core = (
        table.typical(name, role)
        for name in ("degree", "clustering", "neighbour_degree", "neighbour_clustering", "cut", "core")
    )
    degrees, own, met = (measures[name][members] for name in ("degree", "clustering", "neighbour_degree"))
    smallest, largest, usual = degrees.min(), degrees.max(), float(np.median(measures["degree"]))
    is_large = degree >= max(float(np.quantile(measures["degree"], 7 / 8)), 2.0 * usual)
    rules: Iterable[tuple[bool, str]] = (
        (largest == 0, "isolated nodes"),
        (largest == 1 and smallest == 0, "nearly isolated nodes"),
        (largest == 1 and met.max() <= 1, "isolated pairs"),
        (largest == 1, "leaves"),
        (largest == smallest == 2 and own.max() == 0.0, "chain nodes"),
        (cut >= 0.5 and dense_around >= 0.5 and clustering < dense_around, "gateways"),
        (is_large and clustering < 0.5, "hubs"),
        (is_large and core >= 0.5 * measures["core"].max(), "core members"),
        (own.min() == 1.0, "clique members"),
        (clustering >= (0.6 if degree < 1.5 * usual else 0.8), "group members"),
        (around >= 5.0 * degree, "satellites"),
        (degree <= 1.5, "loose ends"),
        (cut >= 0.5, "connectors"),
        (degree >= 1.5 * usual, "well-linked nodes"),
        (around >= 3.0 * degree, "satellites"),
        (degree <= 0.5 * usual, "fringe nodes"),
    )
    return next((noun for holds, noun in rules if holds), "ordinary nodes")


def _partners(links: ValueArray) -> tuple[OffsetArray, ValueArray, ValueArray]:
    """Return the role that each is linked to most unusually often, the share of these links, and the usual share."""
    share = links / np.maximum(links.sum(axis=1, keepdims=True), 1.0)
    others = links.sum(axis=0) - links
    usual = others / np.maximum(others.sum(axis=1, keepdims=True), 1.0)
    surplus = share - usual
    np.fill_diagonal(surplus, -np.inf)
    partner = np.argmax(surplus, axis=1)
    rows = np.arange(len(links))
    return partner, share[rows, partner], usual[rows, partner]


def _distinguished(
    table: _Table, group: list[int], nouns: list[str], partner: OffsetArray, used: frozenset[str] = frozenset()
) -> dict[int, tuple[list[str], list[str]]]:
    """Return for each role of a group the words to put before and after the noun that they share."""
    if len(group) == 1:
        return {group[0]: ([], [])}
    name, classes = _best_split(table, group, used)
    if name and len(classes) > 1:
        grades = list(_MEASURES[name].grades)
        if len(grades) > 2:
            grades = [grades[place] for place in _SUPERLATIVES[len(classes)]]
        comes_first = _MEASURES[name].comes_first
    else:
        beside = defaultdict(list)
        for role in group:
            beside[nouns[partner[role]]].append(role)
        name, comes_first = "partner", False
        grades, classes = [f"next to {noun}" for noun in beside], list(beside.values())
        if len(classes) == 1 or name in used:
            # Nothing measured differs.
            return {role: ([], [f"kind {number}"]) for number, role in enumerate(group, start=1)}
    words = {}
    for grade, part in zip(grades, classes, strict=True):
        for role, (before, after) in _distinguished(table, part, nouns, partner, used | {name}).items():
            words[role] = ([grade, *before], after) if comes_first else (before, [grade, *after])
    return words


def _best_split(table: _Table, group: list[int], used: frozenset[str]) -> tuple[str, list[list[int]]]:
    """Return the measurement that separates most roles of a group clearly, and the parts, by ascending values.

    If none separates any of them clearly, the widest gap divides the group in two.
    """
    best: tuple[float, float, str, list[list[int]]] = (1, 0.0, "", [])
    for name in _MEASURES:
        if name in used or name not in table.measures:
            continue
        low, middle, high = np.log1p(np.maximum(table.quartiles[name][group], 0.0)).T
        if np.isnan(middle).any():
            continue
        order = np.argsort(middle, kind="stable")
        half = ((high - low) / 2.0)[order]
        # A tiny part of the range keeps roles without spread from being infinitely far apart.
        gaps = np.diff(middle[order]) / (half[1:] + half[:-1] + 0.02 * np.ptp(middle) + 1e-12)
        gaps[np.diff(middle[order]) < 1e-9] = 0.0
        wide = np.sort(np.argsort(-gaps, kind="stable")[: len(_MEASURES[name].grades) - 1])
        clear = [place for place in wide.tolist() if gaps[place] >= _CLEAR_GAP]
        score = (len(clear) + 1, 0.0) if clear else (1, float(gaps.max()))
        if score > best[:2]:
            cuts = clear or [int(np.argmax(gaps))]
            parts = np.split(np.array(group)[order], [place + 1 for place in cuts])
            best = (*score, name, [part.tolist() for part in parts])
    return best[2], best[3]


def _fragments(evidence: dict[str, dict[str, float]]) -> list[str]:
    """Return the clearest differences in words, one of each family of measurements."""
    found: dict[str, tuple[float, str]] = {}
    for name, entry in evidence.items():
        effect, measure = entry.get("effect", 0.0), _MEASURES[name]
        if abs(effect) >= _LEAST_EFFECT and name != "entropy" and _differ(entry, measure.is_share):
            texts = [_number(entry[key], measure.is_share) for key in ("role", "others")]
            # Everybody knows what a link is: of clear differences in size, the degree is listed.
            if measure.family not in found or (name == "degree" and abs(effect) >= _CLEAR_EFFECT):
                found[measure.family] = abs(effect), (measure.high if effect > 0 else measure.low).format(*texts)
    clear = sum(effect >= _CLEAR_EFFECT for effect, _ in found.values())
    return [text for _, text in sorted(found.values(), reverse=True)][: min(max(clear, 2), _FRAGMENTS)]


def _differ(entry: dict[str, float], is_share: bool) -> bool:
    """Return whether two medians differ enough to be worth a word."""
    gap, larger = abs(entry["role"] - entry["others"]), max(entry["role"], entry["others"])
    return gap >= (0.05 if is_share else 0.1 * larger)


def _sentence(table: _Table, role: int, fragments: list[str]) -> str:
    degrees = table.measures["degree"][table.members[role]]
    each = " each" if table.sizes[role] > 1 else ""
    if degrees.max() == 0:
        return "no links"
    if degrees.max() == 1:
        whom = _number(table.typical("neighbour_degree", role))
        return f"one link{each}, to a node of degree {whom}" if degrees.min() else f"at most one link{each}"
    if not fragments:
        pairs = _number(table.typical("clustering", role), True)
        links = _number(table.typical("degree", role))
        return f"{links} links{each}, {pairs} of the pairs of neighbours linked to each other"
    return ", ".join([fragments[0].replace(")", " elsewhere)"), *fragments[1:]])


def _number(value: float, is_share: bool = False) -> str:
    """Format a median: with one decimal if it is small and not whole; or a share in percent."""
    if is_share:
        return f"{value:.0%}"
    return f"{value:,.0f}" if value >= 10 or value == int(value) else f"{value:,.1f}"
