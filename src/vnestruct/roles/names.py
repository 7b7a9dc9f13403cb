"""Names that distinguish the roles of a graph, and a sentence about each, both made from measurements of the nodes.

A name is a noun, which holds whatever the other roles are, and as many words as it takes to distinguish the roles with
the same noun: they are graded by the measurement that separates most of them, and those still together by the next. A
sentence lists what differs most from all other nodes. How clearly a measurement differs is the probability that of two
nodes the one of the role has the larger value, minus that it has the smaller.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from vnestruct.types import OffsetArray, ValueArray

_CLEAR_GAP = 1.0
"""A measurement separates two roles if their medians are farther apart than half of both interquartile ranges."""

_CLEAR_EFFECT, _LEAST_EFFECT = 0.4, 0.15
"""How clear a difference must be to be listed, and to be one of the first two."""

_FRAGMENTS = 3
"""Most differences that a sentence lists."""

_MOSTLY = 0.2
"""How much larger than elsewhere the share of links to another role must be to be listed."""


@dataclass(frozen=True)
class _Measure:
    """How a measurement is put into words, from small values to large ones."""

    phrase: str
    grades: str
    low: str
    high: str
    family: str
    """Measurements of a family say much the same; a sentence has one of each."""
    is_share: bool = False

    def graded(self, n_grades: int) -> list[str]:
        """Return words for so many groups of roles: two to five, superlatives if there are more than three."""
        words = self.grades.split()
        if len(words) > 2:
            words = [words[place] for place in {2: (1, 3), 3: (1, 2, 3), 4: (0, 1, 3, 4)}.get(n_grades, range(5))]
        article = "the " if self.phrase != "{}" else ""
        return [self.phrase.format(f"{article if word.endswith('est') else ''}{word}") for word in words]


_MEASURES = {
    "degree": _Measure(
        "{}", "quietest quieter half-busy busier busiest", "fewer links ({} against {})", "more links ({} against {})",
        "size",
    ),
    "clustering": _Measure(
        "{}", "loosest looser half-knit tighter tightest",
        "neighbours less often linked to each other ({} of pairs against {})",
        "neighbours more often linked to each other ({} of pairs against {})", "density", True,
    ),
    "neighbour_degree": _Measure(
        "with {} neighbours", "quietest quieter half-busy busier busiest",
        "quieter neighbours (degree {} against {})", "busier neighbours (degree {} against {})", "neighbours",
    ),
    "core": _Measure(
        "{}", "outermost outer middle inner innermost", "farther from the core (core number {} against {})",
        "deeper in the core (core number {} against {})", "size",
    ),
    "cut": _Measure(
        "{}", "bypassable connecting", "seldom holding parts together ({} are cut nodes against {})",
        "holding parts together ({} are cut nodes against {})", "cut", True,
    ),
    "neighbour_clustering": _Measure(
        "next to {} groups", "loosest looser half-knit tighter tightest",
        "next to looser groups (clustering {} against {})", "next to tighter groups (clustering {} against {})",
        "density", True,
    ),
    "entropy": _Measure("in {} surroundings", "simplest simpler mixed richer richest", "", "", ""),
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
        What `node_measures` returns and, if signatures are known, entropy.
    roles : array of int
        Role of each node.
    links : array, shape (number of roles, number of roles)
        How many arcs lead from each role to each other.
    """
    table = _Table(measures, roles)
    together: dict[str, list[int]] = defaultdict(list)
    for role in range(table.n_roles):
        together[_noun(table, role)].append(role)
    names = [""] * table.n_roles
    for noun, group in together.items():
        singular = "leaf" if noun == "leaves" else noun.removesuffix("s")
        for role, (before, after) in _distinguished(table, group, list(_MEASURES)).items():
            words = [*before, noun if table.sizes[role] > 1 else singular, ", ".join(after)]
            names[role] = " ".join(words).strip()
    share = links / np.maximum(links.sum(axis=1, keepdims=True), 1.0)
    elsewhere = links.sum(axis=0) - links
    usual = elsewhere / np.maximum(elsewhere.sum(axis=1, keepdims=True), 1.0)
    described = []
    for role, name in enumerate(names):
        evidence = table.evidence(role)
        fragments = _fragments(evidence)
        partner = max(
            set(range(table.n_roles)) - {role}, key=lambda other: share[role, other] - usual[role, other], default=role
        )
        if partner != role and share[role, partner] - usual[role, partner] >= _MOSTLY:
            counts = f"{share[role, partner]:.0%} of links to {names[partner]} (against {usual[role, partner]:.0%})"
            fragments.append(counts)
        described.append(RoleWords(name, _sentence(table, role, fragments), evidence))
    return described


class _Table:
    """Measurements role by role: quartiles, what they are elsewhere, and how clearly they differ."""

    def __init__(self, measures: dict[str, ValueArray], roles: OffsetArray) -> None:
        self.measures, self.roles = measures, roles
        self.sizes = np.bincount(roles)
        self.n_roles = self.sizes.size
        self.members = [roles == role for role in range(self.n_roles)]

    @cached_property
    def quartiles(self) -> dict[str, ValueArray]:
        """For each measurement, the quartiles of each role; those of a yes or no are around the share of yes."""
        return {
            name: np.array([_quartiles(name, values[members]) for members in self.members])
            for name, values in self.measures.items()
        }

    def typical(self, name: str, role: int) -> float:
        """Return the median of a role."""
        return float(self.quartiles[name][role, 1])

    @cached_property
    def effects(self) -> dict[str, ValueArray]:
        """For each measurement and role, from -1 to 1, by the ranks of all nodes."""
        from scipy.stats import rankdata

        others = np.maximum(self.roles.size - self.sizes, 1)
        effects = {}
        for name, values in self.measures.items():
            means = np.bincount(self.roles, rankdata(values)) / self.sizes
            # Half of the others times the effect is how far the mean rank is from that of all nodes.
            effects[name] = 2.0 * (means - (self.roles.size + 1) / 2.0) / others
        return effects

    def evidence(self, role: int) -> dict[str, dict[str, float]]:
        """Return what the role's nodes and all others are like, the clearest difference first."""
        found = {}
        for name in sorted(self.measures, key=lambda name: -abs(self.effects[name][role])):
            found[name] = {"role": self.typical(name, role)}
            if self.n_roles > 1:
                others = _quartiles(name, self.measures[name][~self.members[role]])[1]
                found[name] |= {"others": float(others), "effect": float(self.effects[name][role])}
        return found


def _quartiles(name: str, values: ValueArray) -> ValueArray:
    return values.mean() + np.array([-0.25, 0.0, 0.25]) if name == "cut" else np.quantile(values, (0.25, 0.5, 0.75))


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
        (largest == 1 and met.max() == 1, "isolated pairs"),
        (largest == 1, "leaves"),
        (cut >= 0.5 and dense_around >= 0.5 and clustering < dense_around, "gateways"),
        (largest == smallest == 2 and own.max() == 0.0, "chain nodes"),
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


def _distinguished(table: _Table, group: list[int], unused: list[str]) -> dict[int, tuple[list[str], list[str]]]:
    """Return for each role of a group the words to put before and after the noun that they share."""
    if len(group) == 1:
        return {group[0]: ([], [])}
    name, parts = _best_split(table, group, unused)
    if not name:
        return {role: ([], [f"kind {number}"]) for number, role in enumerate(group, start=1)}
    words = {}
    for grade, part in zip(_MEASURES[name].graded(len(parts)), parts, strict=True):
        for role, (before, after) in _distinguished(table, part, [other for other in unused if other != name]).items():
            words[role] = ([grade, *before], after) if " " not in grade else (before, [grade, *after])
    return words


def _best_split(table: _Table, group: list[int], names: list[str]) -> tuple[str, list[list[int]]]:
    """Return the measurement that separates most roles of a group clearly, and the parts, by ascending values.

    If none separates any of them clearly, the widest gap divides the group in two.
    """
    best: tuple[int, float] = (1, 0.0)
    found: tuple[str, list[list[int]]] = ("", [])
    for name in names:
        if name not in table.measures:
            continue
        low, middle, high = np.log1p(np.maximum(table.quartiles[name][group], 0.0)).T
        order = np.argsort(middle, kind="stable")
        half = ((high - low) / 2.0)[order]
        steps = np.diff(middle[order])
        # A tiny part of the range keeps roles without spread from being infinitely far apart.
        gaps = np.where(steps > 1e-9, steps / (half[1:] + half[:-1] + 0.02 * np.ptp(middle) + 1e-12), 0.0)
        widest = np.argsort(-gaps, kind="stable")[: len(_MEASURES[name].grades.split()) - 1]
        clear = np.sort(widest[gaps[widest] >= _CLEAR_GAP])
        score = (clear.size + 1, 0.0) if clear.size else (1, float(gaps.max()))
        if score > best:
            parts = np.split(np.array(group)[order], (clear if clear.size else widest[:1]) + 1)
            best, found = score, (name, [part.tolist() for part in parts])
    return found


def _fragments(evidence: dict[str, dict[str, float]]) -> list[str]:
    """Return the clearest differences in words, one of each family of measurements."""
    found: dict[str, tuple[float, str]] = {}
    for name, entry in evidence.items():
        measure, effect, values = _MEASURES[name], entry.get("effect", 0.0), list(entry.values())[:2]
        is_wide = abs(values[0] - values[-1]) >= (0.05 if measure.is_share else 0.1 * max(values))
        # Everybody knows what a link is: of clear differences in size, the degree is listed.
        is_best = measure.family not in found or (name == "degree" and abs(effect) >= _CLEAR_EFFECT)
        if measure.family and abs(effect) >= _LEAST_EFFECT and is_wide and is_best:
            text = measure.high if effect > 0 else measure.low
            found[measure.family] = abs(effect), text.format(*(_number(v, measure.is_share) for v in values))
    n_clear = sum(effect >= _CLEAR_EFFECT for effect, _ in found.values())
    order = sorted(found, key=lambda family: (-round(found[family][0], 2), family != "size"))
    return [found[family][1] for family in order][: min(max(n_clear, 2), _FRAGMENTS)]


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
