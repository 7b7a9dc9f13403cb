"""A toy column of the role table: how many links nodes of the role have to one another."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from vnestruct import Graph, RoleClusterer
from vnestruct.roles.describe import RoleSummary, describe_roles


@dataclass(frozen=True)
class SummaryWithLinks(RoleSummary):
    """As in `RoleSummary`, and one field more."""

    links_inside: int


def describe_with_links(graph: Graph, model: RoleClusterer) -> list[RoleSummary]:
    """Describe the roles of a fitted clusterer."""
    rows, columns = np.repeat(model.labels_, graph.degrees), model.labels_[graph.indices]
    inside = np.bincount(rows[rows == columns], minlength=model.n_roles_) // 2
    return [SummaryWithLinks(**asdict(role), links_inside=inside[role.role]) for role in describe_roles(graph, model)]
