"""What each role looks like: its size, medians of plain measurements, a name, a description, typical nodes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from vnestruct.embedding.named_kinds import is_role_signature
from vnestruct.embedding.node_measures import node_measures
from vnestruct.graph import Graph
from vnestruct.roles.names import NamedRole, numbers_of, tell_apart
from vnestruct.types import ValueArray

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

_EXAMPLES = 3
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


def measures_of(graph: Graph, model: "RoleClusterer") -> dict[str, ValueArray]:
    """Return plain measurements of the nodes of a graph, which follow from signatures of kind "roles"."""
    known = dict(zip(model.columns_, model.signatures_.T, strict=True)) if is_role_signature(model.columns_) else {}
    return node_measures(graph, known, model.n_jobs)


def describe_roles(graph: Graph, model: "RoleClusterer") -> list[RoleSummary]:
    """Describe the roles of a fitted clusterer by their nodes in the graph."""
    measures, is_exceptional, summaries = measures_of(graph, model), model.exceptional_, []
    roles = [NamedRole(graph, model, measures, number) for number in range(model.n_roles_)]
    tell_apart(roles)
    for number, role in enumerate(roles):
        degrees = graph.degrees[role.members]
        summaries.append(
            RoleSummary(
                number, role.name, f"{role.name} ({numbers_of(role)})",
                nodes=role.members.size, share=role.members.size / graph.n_nodes,
                **{name: role.median[name] for name in _MEDIANS},
                degree_range=(int(degrees.min()), int(degrees.max())),
                examples=graph.nodes[role.typical[:_EXAMPLES]].tolist(),
                exceptional=graph.nodes[role.members[is_exceptional[role.members]]].tolist(),
            )
        )  # fmt: skip
    return summaries
