"""What commands about roles share: how roles are found, and the signatures they are found from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console
from vnestruct.cli.options import GraphOptions, Radius, RunOptions, SignatureOptions, option
from vnestruct.errors import ParameterError

if TYPE_CHECKING:
    from vnestruct.graph import Graph
    from vnestruct.roles import RoleClusterer
    from vnestruct.types import ValueArray

METHODS = ("ward", "single", "average", "kmeans")
PRESETS = ("profile", "noisy")
SCALINGS = ("none", "standard")

Preset = Annotated[
    str | None, option("--preset", "NAME", "Named signature instead of --radius and --kind", words=PRESETS)
]


@dataclass(frozen=True, kw_only=True)
class NodeSignatures:
    """The signatures of all nodes of a graph, in which they are compared."""

    preset: Preset = None
    scaling: Annotated[
        str, option("--scaling", "NAME", "Divide each column by its standard deviation, or not", words=SCALINGS)
    ] = "none"
    radius: Radius = 2
    signature: SignatureOptions
    run: RunOptions
    graph: GraphOptions

    def compute(self, graph: Graph, console: Console) -> tuple[ValueArray, list[str]]:
        """Return the signature of every node and the names of the columns; show progress."""
        from vnestruct.roles.signature import role_signature

        if graph.n_nodes == 0:
            raise ParameterError("the graph has no nodes, so there is nothing to compare; check the file")
        with self.run.keywords(console) as keywords:
            return role_signature(graph, self.radius, preset=self.preset, **self.signature.keywords(), **keywords)


@dataclass(frozen=True)
class RoleOptions:
    """How roles are found, and labels to compare them with."""

    n_roles: Annotated[
        str, option("--roles", "K|auto", "Number of roles; auto takes the best silhouette up to 10.")
    ] = "auto"
    method: Annotated[str, option("--method", "NAME", "How to cluster signatures", words=METHODS)] = "ward"
    labels: Annotated[
        str | None,
        option("--labels", "FILE", "Known labels to compare the roles with: one node and its label per line."),
    ] = None
    label_column: Annotated[
        str | None, option("--label-column", "COLUMN", "Column of --labels, by name or number. Default: the second.")
    ] = None

    def model(self, nodes: NodeSignatures) -> RoleClusterer:
        """Return the clusterer that these options mean, with its parameters checked."""
        from vnestruct.roles import RoleClusterer

        try:
            number = self.n_roles if self.n_roles == "auto" else int(self.n_roles)
        except ValueError:
            raise ParameterError(f"--roles is {self.n_roles!r}; it must be a number of roles, or auto") from None
        model = RoleClusterer(
            number, self.method, radius=nodes.radius, preset=nodes.preset, scaling=nodes.scaling,
            **nodes.signature.keywords(),
        )  # fmt: skip
        model.check_parameters()
        return model

    def known_labels(self) -> Mapping[Any, Any] | None:
        """Read the known labels, if there are any."""
        from vnestruct.roles import read_labels

        if self.labels is None:
            return None
        column = self.label_column or "2"
        return read_labels(self.labels, label=int(column) if column.isdigit() else column)


def json_label(label: Any) -> str | int:
    """Return a node label as JSON can hold it: a number or a text."""
    return label if isinstance(label, str | int) else str(label)
