"""`vnestruct update`: update an embedding file after edges were added or removed."""

import json
import time
from typing import Annotated, Any

import vnestruct
from vnestruct import io
from vnestruct.cli.options import (
    Aggregate,
    Direction,
    EmbeddingOutput,
    GraphOptions,
    Jobs,
    Kind,
    Weighted,
    argument,
    option,
    rows_of_graph,
)
from vnestruct.cli.output import Console, duration, print_json
from vnestruct.embedding.parameters import checked_settings, is_entropy
from vnestruct.errors import ParameterError


def update(
    *,
    graph: GraphOptions,
    embedding: Annotated[str, argument("EMB", "Its embedding, a file written by vnestruct embed.")],
    output: EmbeddingOutput,
    added: Annotated[str | None, option("FILE", "Added edges, in any graph format; new labels are new nodes.")] = None,
    removed: Annotated[str | None, option("FILE", "Removed edges, in any graph format; their nodes stay.")] = None,
    graph_output: Annotated[str | None, option("FILE", "Also write the changed graph, for the next update.")] = None,
    kind: Kind = None,
    weighted: Weighted = False,
    direction: Direction = "all",
    aggregate: Aggregate = None,
    n_jobs: Jobs = None,
    console: Console,
) -> None:
    """Update an embedding after edges were added or removed.

    Only rows that can have changed are computed; the result is the same as embedding the changed graph from scratch.
    Parquet, Feather and npz files store their graph and parameters; for other files, repeat the options that were
    given to vnestruct embed.

    Examples
    --------
    vnestruct update friends.csv signatures.parquet --added new.csv --removed gone.csv -o today.parquet
    vnestruct update monday.vng monday.npz --added tuesday.txt -o tuesday.npz --graph-output tuesday.vng
    """
    if added is None and removed is None:
        raise ParameterError("nothing to do: give the added edges with --added FILE, the removed ones with --removed")
    output.check(console)
    console.check_outputs(graph_output)
    loaded = graph.load(console)
    stored = vnestruct.read_embedding(embedding)
    values = rows_of_graph(stored, embedding, loaded)
    given = {"kind": kind or ["approx"], "weighted": weighted, "direction": direction, "aggregate": aggregate or []}
    parameters = _stored_parameters(stored.metadata, embedding) or given
    begin = time.perf_counter()
    new, gone = (_edges(path, loaded, graph.bipartite) for path in (added, removed))
    pairs = [edge[:2] for edge in gone]
    result = vnestruct.update(loaded, values, added=new, removed=pairs, n_jobs=n_jobs, **parameters)
    seconds = time.perf_counter() - begin
    radius = None
    if is_entropy(parameters["kind"]):
        radius = values.shape[1] // len(checked_settings(1, **parameters).columns)
    output.check_labels(result.graph.nodes)
    settings = checked_settings(radius, **parameters).on(result.graph)
    written = output.write(result.graph.nodes, result.H, result.graph, settings)
    if graph_output is not None:
        io.write_graph(result.graph, graph_output)
    console.note(f"Recomputed {result.changed.size:,} of {result.graph.n_nodes:,} rows in {duration(seconds)}.")
    if console.json:
        work = {"recomputed": result.changed.size, "seconds": {"compute": seconds}}
        print_json(graph.facts(result.graph) | written | work)


def _stored_parameters(metadata: dict[str, str], path: str) -> dict[str, Any]:
    """Return the parameters of an embedding file, none if its format does not store them."""
    parameters: dict[str, Any] = json.loads(metadata.get("parameters", "{}"))
    if "approximate" in parameters:
        raise ParameterError(f"{path} holds estimates, which cannot be updated; compute it again with vnestruct embed")
    parameters.pop("radius", None)
    if parameters:
        parameters["direction"] = "+".join(parameters["direction"])
    return parameters


def _edges(path: str | None, graph: "vnestruct.Graph", bipartite: bool | None) -> list[tuple[Any, ...]]:
    """Return the edges of a file as pairs or triples of labels, written as in the graph."""
    if path is None:
        return []
    change = vnestruct.read_graph(path, directed=True, bipartite=bipartite)
    if bipartite and change.side_names != graph.side_names:
        raise ParameterError(f"{path}: with --bipartite, its columns need the names of those of the graph")
    *ends, weights = change.edges()
    # A file of numbers reads as numbers, even if the graph's labels are text.
    labels = list(map(str, change.nodes.tolist())) if graph.nodes.dtype == object else change.nodes.tolist()
    columns = [[labels[place] for place in end.tolist()] for end in ends]
    if weights is not None and graph.weights is not None:
        columns.append(weights.tolist())
    return list(zip(*columns, strict=True))
