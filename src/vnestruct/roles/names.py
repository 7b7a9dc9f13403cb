"""Names of roles, and the numbers that decide them.

A name is a noun, the first whose rule holds for the role's medians, and one qualifier where roles share the noun: the
measurement that distinguishes them best, or two where one is not enough. The numbers stand in the description.
"""

import re
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vnestruct.roles.describe import RoleMeasures

_CLEAR, _VISIBLE = 1.3, 1.05  # ratios of medians that a reader notices at once, and that are still visible
_REPEATED = 0.5  # `repeats` from which a role is in dense groups, if it is also twice that of the other roles

_LEVELS = {
    "degree": tuple(f"with {amount} links" for amount in ("very few", "few", "some", "many", "very many")),
    "neighbour_degree": tuple(f"with {x} neighbours" for x in ("very quiet", "quiet", "active", "busy", "very busy")),
    "clustering": tuple(f"in {how} groups" for how in ("very loose", "loose", "fairly tight", "tight", "very tight")),
    "core": ("at the edge", "near the edge", "between edge and core", "near the core", "in the core"),
}
"""Qualifiers by measurement, in the order in which these are preferred, from low to high."""

_CHOSEN = {2: (1, 3), 3: (1, 2, 3), 4: (0, 1, 3, 4), 5: (0, 1, 2, 3, 4)}  # which of five levels fewer roles get
_STEPS = {"degree": (0.25, 0.67, 1.5, 4.0), "clustering": (0.1, 0.25, 0.5, 0.75)}  # where levels end, if roles differ
_SIZES = ("very small", "small", "medium-sized", "large", "very large")
_NEAR_HUBS = ("away from hubs", "away from hubs", "not far from hubs", "near hubs", "near hubs")
_ALL_NEAR_HUBS = tuple(f"near {size} hubs" for size in _SIZES)
_SIZED = {noun: [f"{size} {noun}" for size in _SIZES] for noun in ("hubs", "brokers", "gateways")} | {
    "clique members": [f"members of {size} cliques" for size in _SIZES],
    "well-connected nodes": [f"{how}well-connected nodes" for how in ("rather ", "fairly ", "", "very ", "extremely ")],
}
_BY_NEIGHBOURS = ("pendant nodes", "links in chains")
_BY_CLUSTERING = ("members", "connected", "tied", "fringe")
_SINGULAR = {r"links in chains": "link in a chain", r"members of (\S+|very \S+) cliques": r"member of a \1 clique"}


class TypicalNode:
    """What the nodes of a role are like: medians of the role, next to what is usual on its side."""

    def __init__(self, measures: "RoleMeasures", role: int) -> None:
        self.median = partial(measures.median, role=role)
        self.degree, self.usual = self.median("degree"), measures.usual("degree", role)
        self.clustering, self.around = self.median("clustering"), self.median("neighbour_clustering")
        self.efficiency, self.many = self.median("efficiency"), max(3.0 * self.usual, 5.0)
        self.is_in_core = self.median("core") >= measures["core"].max() / 2.0
        self.is_link = self.degree == 2 and self.clustering == 0
        self.has_balance: bool = "balance" in measures.model.columns_ and self.degree >= max(self.usual, 5.0)

    @property
    def is_broker(self) -> bool:
        """Whether it joins groups: its neighbours know each other much less than theirs do."""
        if self.around < 0.05 or self.efficiency < 0.6:
            return False
        is_looser = self.clustering <= 0.75 * self.around and self.degree > self.usual
        is_much_looser = self.clustering <= 0.5 * self.around and self.degree >= max(3.0, self.usual / 2.0)
        return (is_looser or is_much_looser) and self.median("parts") >= 2


NOUNS: list[tuple[str, Callable[[TypicalNode], bool]]] = [
    ("isolated nodes", lambda one: one.degree == 0),
    ("isolated pairs", lambda one: one.degree < 2 and one.median("neighbour_degree") <= 1),
    ("pendant nodes", lambda one: one.degree < 2),
    ("broadcasters", lambda one: one.has_balance and one.median("out_per_in") >= 3.0),
    ("collectors", lambda one: one.has_balance and one.median("out_per_in") <= 1.0 / 3.0),
    ("gateways", lambda one: one.clustering >= 0.5 and one.median("parts") >= 2),
    ("clique members", lambda one: one.clustering >= 0.8),
    ("hubs", lambda one: one.degree >= one.many and one.efficiency >= 0.8),
    ("core members", lambda one: one.degree >= one.many and one.clustering >= 0.4 and one.is_in_core),
    ("links in chains", lambda one: one.is_link and one.median("neighbour_degree") < one.many),
    ("fringe nodes", lambda one: one.is_link),  # what joins two hubs is no chain
    ("brokers", lambda one: one.is_broker),
    ("group members", lambda one: one.clustering >= 0.4),
    ("well-connected nodes", lambda one: one.degree >= 2.0 * one.usual),
    ("bridges", lambda one: one.clustering < 0.2 and one.median("cut") >= 0.5),
    ("fringe nodes", lambda one: one.degree <= one.usual / 2.0),
    ("loosely tied nodes", lambda one: True),
]
"""What the nodes of a role are called: the first noun whose rule holds."""


def noun_of(measures: "RoleMeasures", role: int) -> str:
    """Return what the nodes of a role are."""
    one = TypicalNode(measures, role)
    return next(noun for noun, holds in NOUNS if holds(one))


def names_of(measures: "RoleMeasures", nouns: list[str]) -> tuple[list[str], list[set[str]]]:
    """Return a name for each role, the noun with a qualifier where several share it, and what the qualifier says."""
    names, decisive = list(nouns), [set[str]() for _ in nouns]
    together: dict[tuple[int, bool, str], list[int]] = defaultdict(list)
    for role, noun in enumerate(nouns):
        together[int(measures.model.groups_[role]), _is_dense(measures, role), noun].append(role)
    for (_, is_dense, noun), group in together.items():
        _qualify(measures, noun, group, list(_LEVELS), names, decisive)
        for role in group if is_dense else ():
            names[role] += " in dense groups"
            decisive[role].add("repeats")
    for role, noun in enumerate(nouns):
        if measures.members[role].size == 1:
            for plural, singular in ({noun: noun.removesuffix("s")} | _SINGULAR).items():
                names[role] = re.sub(plural, singular, names[role], count=1)
    return [measures.side_word(role) + name for role, name in enumerate(names)], decisive


def _is_dense(measures: "RoleMeasures", role: int) -> bool:
    """Tell whether nodes of a role share neighbours much more often than those of any other role of their side."""
    groups = measures.model.groups_
    repeats = [measures.median("repeats", other) for other in np.flatnonzero(groups == groups[role]).tolist()]
    return len(repeats) > 1 and measures.median("repeats", role) >= max(_REPEATED, 2.0 * sorted(repeats)[-2])


def _qualify(
    measures: "RoleMeasures", noun: str, group: list[int], unused: list[str], names: list[str], decisive: list[set[str]]
) -> None:
    """Add to the names of roles that share a noun what distinguishes them: one measurement, or a second as well."""
    if len(group) < 2:
        return
    name, parts = _best_split(measures, group, unused)
    if not name:
        # Nothing to see: what is left are typical nodes.
        for role in group:
            node = str(measures.graph.nodes[measures.typical(role)[0]])
            names[role] += f": {node}" if measures.members[role].size == 1 else f" such as {node}"
        return
    words, usual = _LEVELS[name], measures.usual("degree", group[0])
    middle = [float(np.median([measures.median(name, role) for role in part])) for part in parts]
    if name == "neighbour_degree" and middle[-1] >= (many := max(3.0 * usual, 5.0)):
        words = _ALL_NEAR_HUBS if middle[0] >= many else _NEAR_HUBS if len(parts) <= 3 else words
    unit = usual if name == "degree" else 1.0
    own = np.searchsorted(_STEPS[name], np.array(middle) / unit).tolist() if name in _STEPS else []
    has_own = len(set(own)) == len(parts) and noun not in _SIZED
    for place, part in zip(own if has_own else _CHOSEN[len(parts)], parts, strict=True):
        for role in part:
            decisive[role].add(name)
            if name == "degree" and noun in _SIZED:
                names[role] = names[role].replace(noun, _SIZED[noun][place], 1)
            else:
                names[role] = _joined(names[role], words[place])
        _qualify(measures, noun, part, [other for other in unused if other != name], names, decisive)


def _joined(name: str, qualifier: str) -> str:
    """Append a qualifier to a name, which may have one already."""
    *_, last = name.split(" with ")
    is_list = last != name and qualifier.startswith("with ")
    return f"{name} and {qualifier.removeprefix('with ')}" if is_list else f"{name} {qualifier}"


def _best_split(measures: "RoleMeasures", group: list[int], names: list[str]) -> tuple[str, list[list[int]]]:
    """Return the measurement that distinguishes the roles of a group best, and these by ascending values."""
    best: tuple[str, list[list[int]]] = ("", [group])
    for ratio in (_CLEAR, _VISIBLE):
        for name in names:
            if len(parts := _split(measures, name, group, ratio)) > len(best[1]):
                best = name, parts
    return best


def _split(measures: "RoleMeasures", name: str, group: list[int], ratio: float) -> list[list[int]]:
    """Return the roles of a group by ascending medians, divided at the widest gaps of at least a ratio."""
    floor = 0.02 if name == "clustering" else 1.0  # below which nothing is noticed
    values = {role: max(measures.median(name, role), floor) for role in group}
    order = sorted(group, key=lambda role: (values[role], role))
    ratios = [values[b] / values[a] for a, b in pairwise(order)]
    widest = sorted(range(len(ratios)), key=lambda i: -ratios[i])[: len(_LEVELS[name]) - 1]
    ends = sorted(i + 1 for i in widest if ratios[i] >= ratio)
    return [order[a:b] for a, b in pairwise([0, *ends, len(order)])]


def numbers_of(measures: "RoleMeasures", role: int, noun: str, decisive: set[str]) -> str:
    """Return the numbers that decide the name of a role."""

    def median(name: str, share: bool = False) -> str:
        value = measures.median(name, role)
        if share:
            return f"{value:.0%}"
        if name == "neighbour_degree":
            return f"{value:,.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")
        return f"{int(value):,}"  # of a median between two whole numbers, the smaller one

    degrees = np.unique(measures.graph.degrees[measures.members[role]])
    found = ["no links" if noun == "isolated nodes" else _links(median("degree"))]
    if measures.members[role].size == degrees.size == 2:
        found = [f"{degrees[0]:,} and {degrees[1]:,} links"]
    if noun in ("broadcasters", "collectors"):
        found.append(f"{median('out')} out and {median('in')} in")
    if noun in ("brokers", "gateways"):
        found.append(f"{median('parts')} unconnected groups")
    if "clustering" in decisive or (measures.graph.sides is None and any(word in noun for word in _BY_CLUSTERING)):
        found.append(f"{median('clustering', share=True)} of the pairs of neighbours linked")
    if noun == "core members" or "core" in decisive:
        found.append(f"core number {median('core')}")
    if noun == "bridges":
        found.append(f"removing one splits the graph in {median('cut', share=True)} of cases")
    if noun in _BY_NEIGHBOURS or "neighbour_degree" in decisive:
        found.append(f"neighbours with {_links(median('neighbour_degree'))}")
    if "repeats" in decisive:
        found.append("several neighbours shared with the same others")
    return ", ".join(found)


def _links(number: str) -> str:
    return f"{number} link{'' if number == '1' else 's'}"
