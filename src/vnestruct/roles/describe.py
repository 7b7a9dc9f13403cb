"""What each role looks like: its size, medians of plain measurements, a name, a description, typical nodes."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from vnestruct.embedding import embed
from vnestruct.embedding.named_kinds import arc_counts
from vnestruct.embedding.neighbours import neighbour_groups
from vnestruct.embedding.parameters import ROLE_COLUMNS
from vnestruct.files.container import decode_value, encode_value
from vnestruct.graph import IN, OUT, Graph
from vnestruct.kernels.reductions import cut_nodes
from vnestruct.roles.names import names_of, noun_of, numbers_of
from vnestruct.types import OffsetArray, ValueArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

_TYPICAL = 25  # nodes next to the centre of a role whose neighbours are looked at, which is expensive
_EXAMPLES = 3
_ORDINALS = ("first", "second")


@dataclass(frozen=True)
class RoleSummary:
    """What one role looks like.

    No other role of the graph has its name; the description adds the numbers that decide it. The size is a number of
    nodes and their share of all. Degree, clustering coefficient (the share of a node's pairs of neighbours that are
    linked), mean degree of a node's neighbours and core number are medians; the range is that of the degrees. Examples
    are typical nodes, those nearest to the centre first; exceptional are the nodes that no other node is like.
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
    nouns = [noun_of(measures, role) for role in range(measures.n_roles)]
    names, decisive = names_of(measures, nouns)
    exceptional = np.flatnonzero(model.exceptional_)
    summaries = []
    for role, name in enumerate(names):
        members = measures.members[role]
        medians: dict[str, Any] = {key: measures.median(key, role) for key in _MEDIANS}
        degrees = graph.degrees[members]
        numbers = numbers_of(measures, role, nouns[role], decisive[role])
        side = measures.side_word(role)
        description = f"{name} ({side}, {numbers})" if side and side not in name else f"{name} ({numbers})"
        extent = (int(degrees.min()), int(degrees.max()))
        examples = graph.nodes[measures.typical(role)[:_EXAMPLES]].tolist()
        odd = graph.nodes[exceptional[model.labels_[exceptional] == role]].tolist()
        size: dict[str, Any] = {"nodes": members.size, "share": members.size / graph.n_nodes, "degree_range": extent}
        summaries.append(RoleSummary(role, name, description, **size, **medians, examples=examples, exceptional=odd))
    return summaries


class Measures:
    """Plain measurements of all nodes by name, computed when needed, and their medians within roles."""

    def __init__(self, graph: Graph, model: "RoleClusterer") -> None:
        self.graph, self.model, self.n_roles = graph, model, model.n_roles_
        self.members = [np.flatnonzero(model.labels_ == role) for role in range(self.n_roles)]
        self._values: dict[str, ValueArray] = {}
        self._rows: ValueArray | None = None
        self._medians: dict[tuple[str, int], float] = {}

    def __getitem__(self, name: str) -> ValueArray:
        if name not in self._values:
            self._values[name] = _DEFINITIONS[name](self)
        return self._values[name]

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
        """Return the nodes next to the centre of a role, the nearest first, equally near ones in node order."""
        members, model = self.members[role], self.model
        away = ((model.signatures_[members] - model.centres_[role]) ** 2).sum(axis=1)
        return members[np.argsort(np.round(away, 8), kind="stable")[:_TYPICAL]]

    def usual_degree(self, role: int) -> float:
        """Return the median degree of the nodes with links, on the side of a role."""
        groups = self.model.groups_[self.model.labels_]
        chosen = (self.graph.degrees > 0) & (groups == self.model.groups_[role])
        return float(np.median(self["degree"][chosen])) if chosen.any() else 0.0

    def side_word(self, role: int) -> str:
        """Return the word for the nodes of a role's side, empty where there are no sides."""
        graph, side = self.graph, int(self.model.groups_[role])
        if graph.sides is None or side < 0:
            return ""
        return f"{graph.side_names[side]} nodes" if graph.side_names else f"nodes of the {_ORDINALS[side]} side"

    def column(self, name: str) -> ValueArray:
        """Return a column of kind "roles"; 0 for one that this graph does not have."""
        if name in self.model.columns_:
            return self.model.signatures_[:, self.model.columns_.index(name)]
        if self._rows is None:
            self._rows = embed(self.graph, kind="roles", n_jobs=self.model.n_jobs)
        return self._rows[:, ROLE_COLUMNS.index(name)] if name in ROLE_COLUMNS else np.zeros(len(self._rows))

    def over_neighbours(self, name: str) -> ValueArray:
        """Return means of a measurement over neighbours; their last bits do not matter here."""
        sums = np.concatenate([[0.0], np.cumsum(self[name][self.graph.indices])])
        means: ValueArray = np.diff(sums[self.graph.indptr]) / np.maximum(self["degree"], 1.0)
        return means


_DEFINITIONS: dict[str, Callable[[Measures], ValueArray]] = {
    "degree": lambda m: m.graph.degrees.astype(np.float64),
    # The links of a 1-ball less those of its centre: one for each triangle.
    "triangles": lambda m: (
        np.rint(np.exp(m.column("log_links")) * (m["degree"] + 1.0) / 2.0).clip(m["degree"]) - m["degree"]
    ),
    "clustering": lambda m: m["triangles"] / np.maximum(m["degree"] * (m["degree"] - 1.0) / 2.0, 1.0),
    # Burt's effective size over the degree: 1 if no two neighbours are linked.
    "efficiency": lambda m: 1.0 - 2.0 * m["triangles"] / np.maximum(m["degree"], 1.0) ** 2,
    "core": lambda m: np.rint(np.expm1(2.0 * m.column("log_core"))),
    "neighbour_degree": lambda m: m.over_neighbours("degree"),
    "neighbour_clustering": lambda m: m.over_neighbours("clustering"),
    # Whether the removal of a node divides its component.
    "cut": lambda m: cut_nodes(m.graph.indptr, m.graph.indices).astype(np.float64),
    "repeats": lambda m: m.column("repeats"),
    "out": lambda m: arc_counts(m.graph, OUT),
    "in": lambda m: arc_counts(m.graph, IN),
    "out_per_in": lambda m: (1.0 + m["out"]) / (1.0 + m["in"]),
}
_MEDIANS = ("degree", "clustering", "neighbour_degree", "core")
