"""What each role looks like: its size, medians of plain measurements, a name, a description, typical nodes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vnestruct.embedding.named_kinds import is_role_signature
from vnestruct.embedding.neighbours import neighbour_groups
from vnestruct.embedding.node_measures import NodeMeasures
from vnestruct.graph import Graph
from vnestruct.roles.names import names_of, noun_of, numbers_of
from vnestruct.roles.views import nearest_members
from vnestruct.types import OffsetArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

_TYPICAL = 25  # nodes next to the centre of a role whose neighbours are looked at, which is expensive
_EXAMPLES = 3
_SIDES = ("first side", "second side")
_MEDIANS = ("degree", "clustering", "neighbour_degree", "core")


@dataclass(frozen=True)
class RoleSummary:
    """What one role looks like.

    No other role of the graph has its name; the description adds the numbers that decide it. Degree, clustering
    coefficient (the share of a node's pairs of neighbours that are linked), mean degree of a node's neighbours and core
    number are medians. Examples are the nodes nearest to the centre; no other node is like the exceptional ones.
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
    examples: list[Any]
    exceptional: list[Any]


def describe_roles(graph: Graph, model: "RoleClusterer") -> list[RoleSummary]:
    """Describe the roles of a fitted clusterer by their nodes in the graph."""
    measures = RoleMeasures(graph, model)
    nouns = [noun_of(measures, role) for role in range(measures.n_roles)]
    names, decisive = names_of(measures, nouns)
    is_exceptional, summaries = model.exceptional_, []
    for role, name in enumerate(names):
        members, medians = measures.members[role], {key: measures.median(key, role) for key in _MEDIANS}
        degrees = graph.degrees[members]
        summaries.append(
            RoleSummary(
                role, name, f"{name} ({numbers_of(measures, role, nouns[role], decisive[role])})",
                nodes=members.size, share=members.size / graph.n_nodes, **medians,
                degree_range=(int(degrees.min()), int(degrees.max())),
                examples=graph.nodes[measures.typical(role)[:_EXAMPLES]].tolist(),
                exceptional=graph.nodes[members[is_exceptional[members]]].tolist(),
            )
        )  # fmt: skip
    return summaries


class RoleMeasures(NodeMeasures):
    """Plain measurements of the nodes of a graph, and their medians within roles."""

    def __init__(self, graph: Graph, model: "RoleClusterer") -> None:
        known = dict(zip(model.columns_, model.signatures_.T, strict=True)) if is_role_signature(model.columns_) else {}
        super().__init__(graph, known, model.n_jobs)
        self.model, self.n_roles = model, model.n_roles_
        self.members = [np.flatnonzero(model.labels_ == role) for role in range(self.n_roles)]
        self._medians: dict[tuple[str, int], float] = {}

    def median(self, name: str, role: int) -> float:
        """Return the median of a measurement within a role; the share of those with it for a yes or no."""
        if (name, role) not in self._medians:
            if name == "parts":
                values = np.array([np.ptp(neighbour_groups(self.graph, v)) + 1 for v in self.typical(role).tolist()])
            else:
                values = self[name][self.members[role]]
            self._medians[name, role] = float(values.mean() if name == "cut" else np.median(values))
        return self._medians[name, role]

    def typical(self, role: int) -> OffsetArray:
        """Return the nodes next to the centre of a role, the nearest first."""
        return nearest_members(self.model, role)[:_TYPICAL]

    def usual(self, name: str, role: int) -> float:
        """Return the median over the nodes with links, on the side of a role."""
        groups = self.model.groups_[self.model.labels_]
        chosen = (self.graph.degrees > 0) & (groups == self.model.groups_[role])
        return float(np.median(self[name][chosen])) if chosen.any() else 0.0

    def side_word(self, role: int) -> str:
        """Return what names of roles on one side start with, nothing where there are no sides."""
        graph, side = self.graph, int(self.model.groups_[role])
        if graph.sides is None or side < 0:
            return ""
        return f"{graph.side_names[side] if graph.side_names else _SIDES[side]}: "
