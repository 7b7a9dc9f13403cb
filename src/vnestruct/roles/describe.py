"""What each role looks like: its size, medians of plain measurements, a name, a description, typical nodes.

A name is a noun, the first whose rule holds for the role's medians, and one qualifier where roles share the noun: the
measurement that distinguishes them best. The numbers that decide stand in the description. Whatever is expensive, such
as the number of groups among a node's neighbours, is counted only where a rule depends on it, and only for the nodes
nearest to the centre of the role.
"""

from collections import defaultdict
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from vnestruct.embedding import embed
from vnestruct.embedding.named_kinds import arc_counts
from vnestruct.embedding.neighbours import neighbour_groups
from vnestruct.embedding.parameters import ROLE_COLUMNS
from vnestruct.files.model_file import decode_value, encode_value
from vnestruct.graph import IN, OUT, Graph
from vnestruct.kernels.reductions import cut_nodes
from vnestruct.types import OffsetArray, ValueArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

_TYPICAL = 25  # nodes next to the centre of a role whose neighbours are looked at
_EXAMPLES = 3
_CLEAR, _VISIBLE = 1.3, 1.05  # ratios of medians that a reader notices at once, and that can be told apart
_REPEATED = 0.5  # `repeats` from which a role is in dense groups, if it is also twice that of the other roles

_AMOUNTS = ("very few", "few", "some", "many", "very many")
_SIZES = ("very small", "small", "medium-sized", "large", "very large")
_LEVELS = {
    "degree": tuple(f"with {amount} links" for amount in _AMOUNTS),
    "neighbour_degree": tuple(f"with {size} neighbours" for size in _SIZES),
    "clustering": tuple(f"in {how} groups" for how in ("very loose", "loose", "fairly tight", "tight", "very tight")),
    "core": ("at the edge", "near the edge", "between edge and core", "near the core", "in the core"),
}
"""Qualifiers by measurement, in the order in which these are preferred, from low to high."""

_NEAR_HUBS = ("away from hubs", "away from hubs", "not far from hubs", "near hubs", "near hubs")
_RARE = ("very rare {}", "rare {}", "occasional {}", "common {}", "very common {}")
_CHOSEN = {
    1: (2,),
    2: (1, 3),
    3: (1, 2, 3),
    4: (0, 1, 3, 4),
    5: (0, 1, 2, 3, 4),
}  # which of five levels fewer roles get
_SIZED = {
    "hubs": "{} hubs",
    "brokers": "{} brokers",
    "gateways": "{} gateways",
    "clique members": "members of {} cliques",
}
_ORDINALS = ("first", "second")
_SINGULAR = {"links in chains": "link in a chain", "members of": "member of"}


@dataclass(frozen=True)
class RoleSummary:
    """What one role looks like.

    Parameters
    ----------
    role : int
        Number of the role.
    name : str
        A name that no other role of the graph has.
    description : str
        The name with the numbers that decide it.
    nodes : int
        Number of its nodes.
    share : float
        Share of all nodes.
    degree, clustering, neighbour_degree, core : float
        Medians of the degree, of the clustering coefficient (the share of a node's pairs of neighbours that are
        linked), of the mean degree of a node's neighbours, and of the core number.
    degree_range : tuple of int
        Smallest and largest degree.
    examples : list
        Labels of typical nodes, those nearest to the centre first.
    exceptional : list
        Labels of the nodes that no other node is like.
    """

    role: int
    name: str
    description: str
    nodes: int
    share: float
    degree: float
    clustering: float
    neighbour_degree: float
    core: float
    degree_range: tuple[int, int]
    examples: list[Any] = field(default_factory=list)
    exceptional: list[Any] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the summary as a saved model keeps it."""
        return {name: encode_value(value) for name, value in asdict(self).items()}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """Read what `to_json` returned."""
        return cls(**{name: decode_value(value) for name, value in stored.items()})


def describe_roles(graph: Graph, model: "RoleClusterer") -> list[RoleSummary]:
    """Describe the roles of a fitted clusterer by their nodes in the graph."""
    measures = Measures(graph, model)
    nouns = [_noun(measures, role) for role in range(measures.n_roles)]
    names, decisive = _names(measures, nouns)
    exceptional = np.flatnonzero(model.exceptional_)
    summaries = []
    for role, name in enumerate(names):
        members = measures.members[role]
        medians: dict[str, Any] = {
            key: measures.median(key, role) for key in ("degree", "clustering", "neighbour_degree", "core")
        }
        degrees = graph.degrees[members]
        numbers = _numbers(measures, role, nouns[role], decisive[role])
        side = measures.side_word(role)
        description = f"{name} ({side}, {numbers})" if side and side not in name else f"{name} ({numbers})"
        extent = (int(degrees.min()), int(degrees.max()))
        examples = graph.nodes[measures.typical(role)[:_EXAMPLES]].tolist()
        odd = graph.nodes[exceptional[model.labels_[exceptional] == role]].tolist()
        size: dict[str, Any] = {"nodes": members.size, "share": members.size / graph.n_nodes, "degree_range": extent}
        summaries.append(RoleSummary(role, name, description, **size, **medians, examples=examples, exceptional=odd))
    return summaries


class Measures:
    """Plain measurements of all nodes, and their medians within roles; directions and weights do not matter."""

    def __init__(self, graph: Graph, model: "RoleClusterer") -> None:
        self.graph, self.model, self.n_roles = graph, model, model.n_roles_
        self.members = [np.flatnonzero(model.labels_ == role) for role in range(self.n_roles)]
        self._medians: dict[tuple[str, int], float] = {}

    @cached_property
    def rows(self) -> ValueArray:
        """Kind "roles" of every node, from which most measurements follow."""
        if tuple(self.model.columns_[: len(ROLE_COLUMNS)]) == ROLE_COLUMNS:
            rows: ValueArray = self.model.signatures_
            return rows
        return embed(self.graph, kind="roles", n_jobs=self.model.n_jobs)

    @cached_property
    def degree(self) -> ValueArray:
        """Number of neighbours."""
        return self.graph.degrees.astype(np.float64)

    @cached_property
    def triangles(self) -> ValueArray:
        """Number of triangles through each node: the links of its ball less its own."""
        n_links = np.rint(np.exp(self.rows[:, ROLE_COLUMNS.index("log_links")]) * (self.degree + 1.0) / 2.0)
        return np.maximum(n_links - self.degree, 0.0)

    @cached_property
    def clustering(self) -> ValueArray:
        """Share of the pairs of neighbours that are linked."""
        return self.triangles / np.maximum(self.degree * (self.degree - 1.0) / 2.0, 1.0)

    @cached_property
    def efficiency(self) -> ValueArray:
        """Burt's effective size over the degree: 1 if no two neighbours are linked."""
        efficiency: ValueArray = 1.0 - 2.0 * self.triangles / np.maximum(self.degree, 1.0) ** 2
        return efficiency

    @cached_property
    def core(self) -> ValueArray:
        """Largest k such that the node is in a subgraph of degrees of at least k."""
        return np.rint(np.expm1(2.0 * self.rows[:, ROLE_COLUMNS.index("log_core")]))

    @cached_property
    def neighbour_degree(self) -> ValueArray:
        """Mean degree of the neighbours."""
        return self._over_neighbours(self.degree)

    @cached_property
    def neighbour_clustering(self) -> ValueArray:
        """Mean clustering of the neighbours."""
        return self._over_neighbours(self.clustering)

    @cached_property
    def cut(self) -> ValueArray:
        """1 for a node whose removal divides its component."""
        is_cut: ValueArray = cut_nodes(self.graph.indptr, self.graph.indices).astype(np.float64)
        return is_cut

    @cached_property
    def repeats(self) -> ValueArray:
        """How often a node shares several neighbours with the same others; known where sides are."""
        at = len(ROLE_COLUMNS)
        return self.rows[:, at] if self.rows.shape[1] > at else np.zeros(self.graph.n_nodes)

    @cached_property
    def out(self) -> ValueArray:
        """Number of links out."""
        return arc_counts(self.graph, OUT)

    @cached_property
    def in_(self) -> ValueArray:
        """Number of links in."""
        return arc_counts(self.graph, IN)

    @cached_property
    def out_per_in(self) -> ValueArray:
        """Links out per link in."""
        return (1.0 + self.out) / (1.0 + self.in_)

    def median(self, name: str, role: int) -> float:
        """Return the median of a measurement within a role; the share of those with it for a yes or no."""
        if (name, role) not in self._medians:
            if name == "parts":
                values = np.array([np.ptp(neighbour_groups(self.graph, v)) + 1 for v in self.typical(role).tolist()])
            else:
                values = getattr(self, name)[self.members[role]]
            self._medians[name, role] = float(values.mean() if name == "cut" else np.median(values))
        return self._medians[name, role]

    def typical(self, role: int) -> OffsetArray:
        """Return the nodes next to the centre of a role, the nearest first."""
        members, model = self.members[role], self.model
        away = ((model.signatures_[members] - model.centres_[role]) ** 2).sum(axis=1)
        # Equally typical nodes stay in node order, whatever the last bits of their distances.
        return members[np.argsort(np.round(away, 8), kind="stable")[:_TYPICAL]]

    def usual_degree(self, role: int) -> float:
        """Return the median degree of the nodes with links, on the side of a role."""
        groups = self.model.groups_[self.model.labels_]
        chosen = (self.graph.degrees > 0) & (groups == self.model.groups_[role])
        return float(np.median(self.degree[chosen])) if chosen.any() else 0.0

    def side_word(self, role: int) -> str:
        """Return the word for the nodes of a role's side, empty where there are no sides."""
        graph, side = self.graph, int(self.model.groups_[role])
        if graph.sides is None or side < 0:
            return ""
        return f"{graph.side_names[side]} nodes" if graph.side_names else f"nodes of the {_ORDINALS[side]} side"

    def _over_neighbours(self, values: ValueArray) -> ValueArray:
        """Return means over neighbours; their last bits do not matter here."""
        sums = np.concatenate([[0.0], np.cumsum(values[self.graph.indices])])
        return np.diff(sums[self.graph.indptr]) / np.maximum(self.degree, 1.0)


def _noun(measures: Measures, role: int) -> str:
    """Return what the nodes of a role are: the first noun whose rule holds."""

    def median(name: str) -> float:
        return measures.median(name, role)

    d, usual = median("degree"), measures.usual_degree(role)
    if d == 0:
        return "isolated nodes"
    if d < 2:
        return "isolated pairs" if median("neighbour_degree") <= 1 else "pendant nodes"
    c, e = median("clustering"), median("efficiency")
    if measures.graph.directed and "balance" in measures.model.columns_ and d >= max(usual, 5.0):
        if median("out_per_in") >= 3.0:
            return "broadcasters"
        if median("out_per_in") <= 1.0 / 3.0:
            return "collectors"
    if c >= 0.5 and median("parts") >= 2:
        return "gateways"
    if c >= 0.8:
        return "clique members"
    if d >= max(3.0 * usual, 5.0):
        if e >= 0.8:
            return "hubs"
        if c >= 0.4:
            return "core members"
    if d == 2 and c == 0:
        return "links in chains"
    around = median("neighbour_clustering")
    is_between = (c <= 0.75 * around and d > usual) or (c <= 0.5 * around and d >= max(3.0, usual / 2.0))
    if around > 0 and e >= 0.6 and is_between and median("parts") >= 2:
        return "brokers"
    if c >= 0.4:
        return "group members"
    if d >= 2.0 * usual:
        return "well-connected nodes"
    if c < 0.2 and median("cut") >= 0.5:
        return "bridges"
    return "fringe nodes" if d <= usual / 2.0 else "loosely tied nodes"


def _names(measures: Measures, nouns: list[str]) -> tuple[list[str], list[set[str]]]:
    """Return a name for each role, the noun with a qualifier where several share it, and what the qualifier says."""
    names, decisive = list(nouns), [set[str]() for _ in nouns]
    together: dict[tuple[int, str], list[int]] = defaultdict(list)
    for role, noun in enumerate(nouns):
        together[int(measures.model.groups_[role]), noun].append(role)
    dense = set() if measures.model.columns_[-1] != "repeats" else _in_dense_groups(measures)
    for role in dense:
        names[role] += " in dense groups"
        decisive[role].add("repeats")
    for (_, noun), group in together.items():
        _qualify(measures, noun, [role for role in group if role not in dense], list(_LEVELS), names, decisive)
    for role, noun in enumerate(nouns):
        if measures.members[role].size == 1:
            start = next((words for words in _SINGULAR if words in names[role]), noun)
            names[role] = names[role].replace(start, _SINGULAR.get(start, noun.removesuffix("s")), 1)
    twice = {name for name in names if names.count(name) > 1}
    names = [f"{name} among {measures.side_word(role)}" if name in twice else name for role, name in enumerate(names)]
    return names, decisive


def _qualify(
    measures: Measures, noun: str, group: list[int], unused: list[str], names: list[str], decisive: list[set[str]]
) -> None:
    """Add to the names of roles that share a noun what distinguishes them: one measurement, or a second as well."""
    if len(group) < 2:
        return
    name, parts = _best_split(measures, group, unused)
    if not name:
        # Nothing to see: what is left is how many there are of each.
        order = sorted(group, key=lambda role: (measures.members[role].size, -role))
        for place, role in zip(np.linspace(0, len(_RARE) - 1, len(order)).astype(int).tolist(), order, strict=True):
            names[role] = _RARE[place].format(names[role])
        return
    words = _LEVELS[name]
    if name == "neighbour_degree" and len(parts) <= 3:
        largest = max(measures.median(name, role) for role in parts[-1])
        words = _NEAR_HUBS if largest >= max(3.0 * measures.usual_degree(group[0]), 5.0) else words
    for place, part in zip(_CHOSEN[len(parts)], parts, strict=True):
        for role in part:
            decisive[role].add(name)
            is_sized = name == "degree" and noun in _SIZED
            names[role] = _SIZED[noun].format(_SIZES[place]) if is_sized else _joined(names[role], words[place])
        _qualify(measures, noun, part, [other for other in unused if other != name], names, decisive)


def _joined(name: str, qualifier: str) -> str:
    """Append a qualifier to a name, which may have one already."""
    *_, last = name.split(" with ")
    is_list = last != name and qualifier.startswith("with ")
    return f"{name} and {qualifier.removeprefix('with ')}" if is_list else f"{name} {qualifier}"


def _best_split(measures: Measures, group: list[int], names: list[str]) -> tuple[str, list[list[int]]]:
    """Return the measurement that distinguishes the roles of a group best, and these by ascending values."""
    best: tuple[str, list[list[int]]] = ("", [group])
    for ratio in (_CLEAR, _VISIBLE):
        splits = {name: _split(measures, name, group, ratio) for name in names}
        for name, parts in splits.items():
            if len(parts) > len(best[1]):
                best = name, parts
    return best


def _split(measures: Measures, name: str, group: list[int], ratio: float) -> list[list[int]]:
    """Return the roles of a group by ascending medians, divided at the widest gaps of at least a ratio."""
    floor = 0.02 if name == "clustering" else 1.0  # below which nothing is noticed
    values = {role: max(measures.median(name, role), floor) for role in group}
    order = sorted(group, key=lambda role: (values[role], role))
    ratios = [values[b] / values[a] for a, b in pairwise(order)]
    widest = sorted(range(len(ratios)), key=lambda i: -ratios[i])[: len(_LEVELS[name]) - 1]
    ends = sorted(i + 1 for i in widest if ratios[i] >= ratio)
    return [order[a:b] for a, b in pairwise([0, *ends, len(order)])]


def _in_dense_groups(measures: Measures) -> set[int]:
    """Return the roles, one at most on each side, whose nodes share neighbours much more often than others there."""
    groups, found = measures.model.groups_, set()
    for side in (0, 1):
        repeats = {role: measures.median("repeats", role) for role in np.flatnonzero(groups == side).tolist()}
        most = max(repeats, key=lambda role: repeats[role], default=None)
        rest = [value for role, value in repeats.items() if role != most]
        if rest and most is not None and repeats[most] >= max(_REPEATED, 2.0 * max(rest)):
            found.add(most)
    return found


def _numbers(measures: Measures, role: int, noun: str, decisive: set[str]) -> str:
    """Return the numbers that decide the name of a role."""

    def median(name: str, share: bool = False) -> str:
        value = measures.median(name, role)
        if share:
            return f"{value:.0%}"
        return f"{value:,.0f}" if value >= 10 else f"{value:.1f}".removesuffix(".0")

    links = median("degree")
    found = ["no links" if noun == "isolated nodes" else f"{links} link{'' if links == '1' else 's'}"]
    if noun in ("broadcasters", "collectors"):
        found.append(f"{median('out')} out and {median('in_')} in")
    if noun in ("brokers", "gateways"):
        found.append(f"{median('parts')} unconnected groups")
    if noun in ("clique members", "group members", "core members") or "clustering" in decisive:
        found.append(f"{median('clustering', share=True)} of the pairs of neighbours linked")
    if noun == "core members" or "core" in decisive:
        found.append(f"core number {median('core')}")
    if noun == "bridges":
        found.append(f"{median('cut', share=True)} hold parts of the graph together")
    if (
        noun in ("pendant nodes", "links in chains", "fringe nodes", "loosely tied nodes")
        or "neighbour_degree" in decisive
    ):
        found.append(f"neighbours with {median('neighbour_degree')}")
    if "repeats" in decisive:
        found.append("several neighbours shared with the same others")
    return ", ".join(found)
