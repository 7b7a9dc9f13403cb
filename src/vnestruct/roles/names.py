"""Names that distinguish the roles of a graph, and a sentence about each, both made from measurements of the nodes.

A name is a noun, which holds whatever the other roles are, and as many words as it takes to distinguish the roles with
the same noun: they are graded by the measurement that separates most of them, and those still together by the next. A
sentence lists what differs most from all other nodes. How clearly a measurement differs is the probability that of two
nodes the one of the role has the larger value, minus that it has the smaller.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from vnestruct.types import OffsetArray, ValueArray

# A measurement separates two roles if their medians are farther apart than half of both interquartile ranges.
_CLEAR_GAP = 1.0
# How clear a difference must be to be listed, and to be one of the first two; how many are listed.
_CLEAR_EFFECT, _LEAST_EFFECT, _MOST_EFFECTS = 0.4, 0.15, 3
_MOSTLY = 0.2  # how much larger than elsewhere the share of links to another role must be to be listed


class _Measure(NamedTuple):
    """How a measurement is put into words; of a family, which says much the same, a sentence has only one."""

    family: str
    phrase: str
    grades: str
    less: str = ""
    more: str = ""
    difference: str = ""
    is_share: bool = False

    def graded(self, n_grades: int) -> list[str]:
        """Return words for so many groups of roles, by ascending values; superlatives if there are more than three."""
        words = self.grades.split(", ")
        if len(words) > 2:
            if self.follows_noun:
                words[0], words[-1] = f"the {words[0]}", f"the {words[-1]}"
            words = [words[place] for place in {2: (1, 3), 3: (1, 2, 3), 4: (0, 1, 3, 4)}.get(n_grades, range(5))]
        return [self.phrase.format(word) for word in words]

    @property
    def follows_noun(self) -> bool:
        return self.phrase != "{}"


_LINKS = "least connected, less connected, moderately connected, more connected, most connected"
_TIGHT, _CORE = "loosest, looser, fairly tight, tighter, tightest", "outermost, outer, middle, inner, innermost"
_GROUPS = "neighbours in {} groups (their clustering {} against {})"
_LINKED, _CUT = "neighbours {} often linked to each other ({} of pairs against {})", "{} ({} are cut nodes against {})"
_MEASURES = {
    "degree": _Measure("size", "{}", _LINKS, "fewer", "more", "{} links ({} against {})"),
    "clustering": _Measure("density", "{}", _TIGHT, "less", "more", _LINKED, True),
    "neighbour_degree": _Measure(
        "neighbours", "with {} neighbours", _LINKS, "fewer", "more", "neighbours with {} links ({} against {})"
    ),
    "core": _Measure("size", "{}", _CORE, "less", "more", "{} deeply embedded (core number {} against {})"),
    "cut": _Measure(
        "cut", "{}", "bypassable, connecting", "seldom holding parts together", "holding parts together", _CUT, True
    ),
    "neighbour_clustering": _Measure("density", "next to {} groups", _TIGHT, "looser", "tighter", _GROUPS, True),
    "entropy": _Measure("", "in {} surroundings", "simplest, simpler, mixed, richer, richest"),
}
"""By name, in the order in which they are preferred; the names are keys of the evidence."""


def describe_roles(measures: dict[str, ValueArray], roles: OffsetArray, links: ValueArray) -> list[dict[str, Any]]:
    """Return name, sentence and evidence of roles 0, 1, ... from measurements of nodes and the arcs between roles."""
    table = _Table(measures, roles)
    together: dict[str, list[int]] = defaultdict(list)
    for role in range(table.n_roles):
        together[_noun(table, role)].append(role)
    names = [""] * table.n_roles
    for noun, group in together.items():
        singular = "leaf" if noun == "leaves" else noun.removesuffix("s")
        for role, (before, after) in _distinguished(table, group, [n for n in _MEASURES if n in measures]).items():
            words = [", ".join(before), noun if table.sizes[role] > 1 else singular, ", ".join(after)]
            names[role] = " ".join(words).strip()
    share = links / np.maximum(links.sum(axis=1, keepdims=True), 1.0)
    elsewhere = links.sum(axis=0) - links
    usual = elsewhere / np.maximum(elsewhere.sum(axis=1, keepdims=True), 1.0)
    described = []
    for role, name in enumerate(names):
        evidence = table.evidence(role)
        fragments = _fragments(evidence)
        if "hub satellite" in name and not any(text.startswith("neighbours with") for text in fragments):
            fragments.append(f"neighbours with {_number(evidence['neighbour_degree']['role'])} links")
        surplus = np.where(np.arange(table.n_roles) == role, 0.0, share[role] - usual[role])
        if surplus.max() >= _MOSTLY:
            other = int(np.argmax(surplus))
            fragments.append(f"{share[role, other]:.0%} of links to {names[other]} (against {usual[role, other]:.0%})")
        described.append({"name": name, "sentence": _sentence(table, role, fragments), "evidence": evidence})
    return described


class _Table:
    """Measurements role by role: quartiles, and from -1 to 1 how clearly they differ from those of all other nodes."""

    def __init__(self, measures: dict[str, ValueArray], roles: OffsetArray) -> None:
        from scipy.stats import rankdata

        self.measures, self.sizes = measures, np.bincount(roles)
        self.n_roles = self.sizes.size
        self.members = [roles == role for role in range(self.n_roles)]
        self.quartiles: dict[str, ValueArray] = {}
        self.effects: dict[str, ValueArray] = {}
        for name, values in measures.items():
            self.quartiles[name] = np.array([_quartiles(name, values[members]) for members in self.members])
            # Half of the others times the effect is how far the mean rank is from that of all nodes.
            away = np.bincount(roles, rankdata(values)) / self.sizes - (roles.size + 1) / 2.0
            self.effects[name] = 2.0 * away / np.maximum(roles.size - self.sizes, 1)

    def typical(self, name: str, role: int) -> float:
        return float(self.quartiles[name][role, 1])

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
    """Return quartiles; instead of those of a yes or no, the share of yes and values around it."""
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
        (around >= max(5.0 * degree, 2.0 * usual), "hub satellites"),
        (own.min() == 1.0, "clique members"),
        (clustering >= (0.6 if degree < 1.5 * usual else 0.8), "group members"),
        (degree <= 1.5, "loose ends"),
        (cut >= 0.5, "connectors"),
        (degree >= 1.5 * usual, "well-connected nodes"),
        (around >= max(3.0 * degree, 2.0 * usual), "hub satellites"),
        (degree <= 0.5 * usual, "fringe nodes"),
    )
    return next((noun for holds, noun in rules if holds), "average nodes")


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
            words[role] = (before, [grade, *after]) if _MEASURES[name].follows_noun else ([grade, *before], after)
    return words


def _best_split(table: _Table, group: list[int], names: list[str]) -> tuple[str, list[list[int]]]:
    """Return the measurement that separates most roles of a group clearly, and the parts, by ascending values.

    If none separates any of them clearly, the widest gap divides the group in two.
    """
    best: tuple[int, float] = (1, 0.0)
    found: tuple[str, list[list[int]]] = ("", [])
    for name in names:
        low, middle, high = np.log1p(np.maximum(table.quartiles[name][group], 0.0)).T
        order = np.argsort(middle, kind="stable")
        half = ((high - low) / 2.0)[order]
        steps = np.diff(middle[order])
        # A tiny part of the range keeps roles without spread from being infinitely far apart.
        gaps = np.where(steps > 1e-9, steps / (half[1:] + half[:-1] + 0.02 * np.ptp(middle) + 1e-12), 0.0)
        widest = np.argsort(-gaps, kind="stable")[: _MEASURES[name].grades.count(",")]
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
        # Nodes with one link have no pairs of neighbours.
        is_best = is_best and (name != "clustering" or evidence["degree"]["role"] >= 2)
        if measure.family and abs(effect) >= _LEAST_EFFECT and is_wide and is_best:
            numbers = (_number(value, measure.is_share) for value in values)
            text = measure.difference.format(measure.more if effect > 0 else measure.less, *numbers)
            found[measure.family] = abs(effect), text
    n_clear = sum(effect >= _CLEAR_EFFECT for effect, _ in found.values())
    order = sorted(found, key=lambda family: (-round(found[family][0], 2), family != "size"))
    return [found[family][1] for family in order][: min(max(n_clear, 2), _MOST_EFFECTS)]


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
    """Format a median: with one decimal if it is below 100 and not whole; or a share in percent."""
    if is_share:
        return f"{value:.0%}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}".removesuffix(".0")
