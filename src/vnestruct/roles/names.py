"""Names of roles, and the numbers that decide them.

A name is a noun, the first whose rule holds for the role's medians, and one qualifier where roles share the noun: the
measurement that distinguishes them best, or two where one is not enough. The numbers stand in the description.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from vnestruct.embedding.neighbours import neighbour_groups
from vnestruct.embedding.node_measures import cut_nodes
from vnestruct.graph import Graph
from vnestruct.roles.views import nearest_members
from vnestruct.types import ValueArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

_CLEAR, _VISIBLE = 1.3, 1.05  # ratios of medians that a reader notices at once, and that are still visible
_REPEATED = 0.5  # `repeats` from which a role is in dense groups, if it is also twice that of the other roles
_TYPICAL = 25  # nodes next to the centre of a role whose neighbours are looked at, which is expensive
_SIDES = ("first side", "second side")

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


class NamedRole:
    """The nodes of a role: medians of their measurements next to what is usual on their side, and their name."""

    def __init__(self, graph: Graph, model: "RoleClusterer", measures: Mapping[str, ValueArray], number: int) -> None:
        self.graph, self.group = graph, int(model.groups_[number])
        self.members = np.flatnonzero(model.labels_ == number)
        self.typical = nearest_members(model, number)[:_TYPICAL]
        self.median = {name: float(np.median(values[self.members])) for name, values in measures.items()}
        linked = graph.degrees[(graph.degrees > 0) & (model.groups_[model.labels_] == self.group)]
        self.usual = float(np.median(linked)) if linked.size else 0.0
        self.many = max(3.0 * self.usual, 5.0)
        self.degree, self.clustering = self.median["degree"], self.median["clustering"]
        self.efficiency, self.around = self.median["efficiency"], self.median["neighbour_clustering"]
        self.is_in_core = self.median["core"] >= measures["core"].max() / 2.0
        self.is_link = self.degree == 2 and self.clustering == 0
        self.has_balance = "balance" in model.columns_ and self.degree >= max(self.usual, 5.0)
        self.name = self.noun = next(noun for noun, holds in NOUNS if holds(self))
        self.decisive: set[str] = set()  # measurements that the name says something about

    @cached_property
    def n_groups(self) -> float:
        """Median number of groups among the neighbours of typical nodes, with no link to each other."""
        return float(np.median([np.ptp(neighbour_groups(self.graph, v)) + 1 for v in self.typical.tolist()]))

    @cached_property
    def cut_share(self) -> float:
        """Share of the nodes whose removal divides their component."""
        return float(cut_nodes(self.graph)[self.members].mean())

    @property
    def is_broker(self) -> bool:
        """Whether it joins groups: its neighbours know each other much less than theirs do."""
        if self.around < 0.05 or self.efficiency < 0.6:
            return False
        is_looser = self.clustering <= 0.75 * self.around and self.degree > self.usual
        is_much_looser = self.clustering <= 0.5 * self.around and self.degree >= max(3.0, self.usual / 2.0)
        return (is_looser or is_much_looser) and self.n_groups >= 2

    @property
    def side_word(self) -> str:
        """What names of roles on one side start with, nothing where there are no sides."""
        if self.graph.sides is None or self.group < 0:
            return ""
        return f"{(self.graph.side_names or _SIDES)[self.group]}: "


NOUNS: list[tuple[str, Callable[[NamedRole], bool]]] = [
    ("isolated nodes", lambda one: one.degree == 0),
    ("isolated pairs", lambda one: one.degree < 2 and one.median["neighbour_degree"] <= 1),
    ("pendant nodes", lambda one: one.degree < 2),
    ("broadcasters", lambda one: one.has_balance and one.median["out_per_in"] >= 3.0),
    ("collectors", lambda one: one.has_balance and one.median["out_per_in"] <= 1.0 / 3.0),
    ("gateways", lambda one: one.clustering >= 0.5 and one.n_groups >= 2),
    ("clique members", lambda one: one.clustering >= 0.8),
    ("hubs", lambda one: one.degree >= one.many and one.efficiency >= 0.8),
    ("core members", lambda one: one.degree >= one.many and one.clustering >= 0.4 and one.is_in_core),
    ("links in chains", lambda one: one.is_link and one.median["neighbour_degree"] < one.many),
    ("fringe nodes", lambda one: one.is_link),  # what joins two hubs is no chain
    ("brokers", lambda one: one.is_broker),
    ("group members", lambda one: one.clustering >= 0.4),
    ("well-connected nodes", lambda one: one.degree >= 2.0 * one.usual),
    ("bridges", lambda one: one.clustering < 0.2 and one.cut_share >= 0.5),
    ("fringe nodes", lambda one: one.degree <= one.usual / 2.0),
    ("loosely tied nodes", lambda one: True),
]
"""What the nodes of a role are called: the first noun whose rule holds."""


def tell_apart(roles: list[NamedRole]) -> None:
    """Make the names of all roles differ: a qualifier where several share a noun, the word of their side."""
    together: dict[tuple[int, bool, str], list[NamedRole]] = defaultdict(list)
    for role in roles:
        together[role.group, _is_dense(role, roles), role.noun].append(role)
    for (_, is_dense, _), group in together.items():
        _qualify(group, list(_LEVELS))
        for role in group if is_dense else ():
            role.name += " in dense groups"
            role.decisive.add("repeats")
    for role in roles:
        if role.members.size == 1:
            for plural, singular in ({role.noun: role.noun.removesuffix("s")} | _SINGULAR).items():
                role.name = re.sub(plural, singular, role.name, count=1)
        role.name = role.side_word + role.name


def _is_dense(role: NamedRole, roles: list[NamedRole]) -> bool:
    """Tell whether nodes of a role share neighbours much more often than those of any other role of their side."""
    repeats = sorted(other.median["repeats"] for other in roles if other.group == role.group)
    return len(repeats) > 1 and role.median["repeats"] >= max(_REPEATED, 2.0 * repeats[-2])


def _qualify(group: list[NamedRole], unused: list[str]) -> None:
    """Add to the names of roles that share a noun what distinguishes them: one measurement, or a second as well."""
    if len(group) < 2:
        return
    name, parts = _best_split(group, unused)
    if not name:
        # Nothing to see: what is left are typical nodes.
        for role in group:
            node = str(role.graph.nodes[role.typical[0]])
            role.name += f": {node}" if role.members.size == 1 else f" such as {node}"
        return
    first, words = group[0], _LEVELS[name]
    middle = np.array([np.median([role.median[name] for role in part]) for part in parts])
    if name == "neighbour_degree" and middle[-1] >= first.many:
        words = _ALL_NEAR_HUBS if middle[0] >= first.many else _NEAR_HUBS if len(parts) <= 3 else words
    levels, is_sized = _CHOSEN[len(parts)], first.noun in _SIZED
    own = np.searchsorted(_STEPS.get(name, ()), middle / (first.usual if name == "degree" else 1.0))
    if len(set(own.tolist())) == len(parts) and not is_sized:
        levels = tuple(own.tolist())
    for level, part in zip(levels, parts, strict=True):
        for role in part:
            role.decisive.add(name)
            if name == "degree" and is_sized:
                role.name = role.name.replace(role.noun, _SIZED[role.noun][level], 1)
            elif " with " in role.name and words[level].startswith("with "):
                role.name += f" and {words[level].removeprefix('with ')}"
            else:
                role.name += f" {words[level]}"
        _qualify(part, [other for other in unused if other != name])


def _best_split(group: list[NamedRole], names: list[str]) -> tuple[str, list[list[NamedRole]]]:
    """Return the measurement that distinguishes the roles of a group best, and these by ascending values."""
    best: tuple[str, list[list[NamedRole]]] = ("", [group])
    for ratio in (_CLEAR, _VISIBLE):
        for name in names:
            if len(parts := _split(name, group, ratio)) > len(best[1]):
                best = name, parts
    return best


def _split(name: str, group: list[NamedRole], ratio: float) -> list[list[NamedRole]]:
    """Return the roles of a group by ascending medians, divided at the widest gaps of at least a ratio."""
    floor = 0.02 if name == "clustering" else 1.0  # below which nothing is noticed
    values = np.maximum([role.median[name] for role in group], floor)
    order = np.argsort(values, kind="stable")
    ratios = values[order[1:]] / values[order[:-1]]
    widest = np.argsort(-ratios, kind="stable")[: len(_LEVELS[name]) - 1]
    ends = np.sort(widest[ratios[widest] >= ratio] + 1)
    return [[group[i] for i in part] for part in np.split(order, ends)]


def numbers_of(role: NamedRole) -> str:
    """Return the numbers that decide the name of a role."""
    noun, median = role.noun, role.median
    degrees = np.unique(role.graph.degrees[role.members])
    found = ["no links" if noun == "isolated nodes" else _links(_whole(role.degree))]
    if role.members.size == degrees.size == 2:
        found = [f"{degrees[0]:,} and {degrees[1]:,} links"]
    if noun in ("broadcasters", "collectors"):
        found.append(f"{_whole(median['out'])} out and {_whole(median['in'])} in")
    if noun in ("brokers", "gateways"):
        found.append(f"{_whole(role.n_groups)} unconnected groups")
    if "clustering" in role.decisive or (role.graph.sides is None and any(word in noun for word in _BY_CLUSTERING)):
        found.append(f"{role.clustering:.0%} of the pairs of neighbours linked")
    if noun == "core members" or "core" in role.decisive:
        found.append(f"core number {_whole(median['core'])}")
    if noun == "bridges":
        found.append(f"removing one splits the graph in {role.cut_share:.0%} of cases")
    if noun in _BY_NEIGHBOURS or "neighbour_degree" in role.decisive:
        near = median["neighbour_degree"]
        found.append(f"neighbours with {_links(f'{near:,.0f}' if near >= 10 else f'{near:.1f}'.removesuffix('.0'))}")
    if "repeats" in role.decisive:
        found.append("several neighbours shared with the same others")
    return ", ".join(found)


def _whole(median: float) -> str:
    return f"{int(median):,}"  # of a median between two whole numbers, the smaller one


def _links(number: str) -> str:
    return f"{number} link{'' if number == '1' else 's'}"
