"""What commands about roles share: how roles are found, and the signatures they are found from."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any

import vnestruct
from vnestruct import roles, store
from vnestruct.cli.options import GraphOptions, RunOptions, SignatureOptions, option, rows_of_graph
from vnestruct.cli.output import Console
from vnestruct.errors import ParameterError


@dataclass(frozen=True)
class LoadedNodes:
    """The nodes of a command: their labels, their graph if it is known, and their signatures if a file has them."""

    nodes: Any
    graph: Any
    values: Any = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class NodeSignatures:
    """The signatures of all nodes of a graph, in which they are compared."""

    graph_file: Annotated[
        str | None,
        option("--graph", "FILE", "The graph, if IN holds signatures that embed wrote and more is to be shown of it."),
    ] = None
    signature: SignatureOptions
    run: RunOptions
    graph: GraphOptions

    def load(self, console: Console, why_graph: str | None = None) -> LoadedNodes:
        """Read the graph, or signatures and their graph; this may be left out unless there is a reason to need it."""
        from vnestruct.store.tables import writable_labels

        path = self.graph.input
        if self.graph.format is not None or not store.holds_embedding(path):
            if self.graph_file is not None:
                raise ParameterError(f"--graph is for signatures, and {path} is read as a graph; leave it out")
            graph = self.graph.load(console, weighted=self.signature.weighted)
            return LoadedNodes(graph.nodes, graph)
        if self.signature != SignatureOptions():
            raise ParameterError(f"{path} holds signatures, which --radius, --kind and the like would not change")
        stored = vnestruct.read_embedding(path)
        console.note(f"{path}: signatures of {len(stored.values):,} nodes.")
        columns = stored.columns or ()
        if self.graph_file is None:
            if why_graph is not None:
                raise ParameterError(f"{path} holds signatures only, and {why_graph}; add --graph FILE with the graph")
            return LoadedNodes(writable_labels(stored.nodes, len(stored.values)), None, stored.values, columns)
        graph = replace(self.graph, input=self.graph_file).load(console)
        return LoadedNodes(graph.nodes, graph, rows_of_graph(stored, path, graph), columns)

    def compute(self, loaded: LoadedNodes, console: Console, default: str) -> tuple[Any, list[str]]:
        """Return the signature of every node, of kind `default` by default, and the names of the columns."""
        if loaded.values is not None:
            return loaded.values, list(loaded.columns)
        from vnestruct.embedding.embed_graph import compared_nodes

        options = self.signature.keywords(default) | asdict(self.run)
        with console.progress() as progress:
            return compared_nodes(loaded.graph, progress=progress, **options)[1:]


@dataclass(frozen=True)
class ClusterOptions:
    """How roles are found."""

    n_roles: Annotated[
        int | None, option("--roles", "K", "Number of all roles. Default: the first that says enough.")
    ] = None

    def model(self, nodes: NodeSignatures) -> "roles.RoleClusterer":
        """Return the clusterer that these options mean, with its parameters checked."""
        number = "auto" if self.n_roles is None else self.n_roles
        model = roles.RoleClusterer(number, n_jobs=nodes.run.n_jobs, **nodes.signature.keywords("roles"))
        model.check_parameters()
        return model

    def fit(self, model: "roles.RoleClusterer", nodes: NodeSignatures, loaded: LoadedNodes, console: Console) -> None:
        """Compute the signatures and find the roles in them."""
        values, columns = nodes.compute(loaded, console, "roles")
        console.phase("Clustering", len(loaded.nodes))
        model.fit_signatures(values, loaded.nodes, columns, graph=loaded.graph)


@dataclass(frozen=True)
class RoleOptions(ClusterOptions):
    """How roles are found, and labels to compare them with."""

    labels: Annotated[
        str | None, option("FILE", "Known labels to compare the roles with: one node and its label per line.")
    ] = None
    node: Annotated[str, option("--node-column", "COLUMN", "Column of --labels with the nodes, by name or number.")] = (
        "1"
    )
    label: Annotated[
        str, option("--label-column", "COLUMN", "Column of --labels with the labels, by name or number.")
    ] = "2"

    def known_labels(self) -> Mapping[Any, Any] | None:
        """Read the known labels, if there are any."""
        node, label = (int(column) if column.isdigit() else column for column in (self.node, self.label))
        return None if self.labels is None else roles.read_labels(self.labels, node=node, label=label)
