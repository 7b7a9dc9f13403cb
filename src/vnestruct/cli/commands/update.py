"""`vnestruct update`: update an embedding file after edges were added or removed."""

import json
import time
from typing import Annotated, Any

from vnestruct.cli.console import Console, duration, print_json
from vnestruct.cli.options import GraphOptions, Jobs, SignatureOptions, argument, option
from vnestruct.cli.outputs import EmbeddingOutput, check_labels, embedding_metadata, rows_of_graph
from vnestruct.errors import ParameterError
from vnestruct.files.output_checks import check_place


def update(
    *,
    graph: GraphOptions,
    embedding: Annotated[str, argument("EMB", "Its embedding, a file written by vnestruct embed.")],
    output: EmbeddingOutput,
    added: Annotated[str | None, option("FILE", "Added edges, in any graph format; new labels are new nodes.")] = None,
    removed: Annotated[str | None, option("FILE", "Removed edges, in any graph format; their nodes stay.")] = None,
    graph_output: Annotated[str | None, option("FILE", "Also write the changed graph, for the next update.")] = None,
    signature: SignatureOptions,
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
    import vnestruct
    from vnestruct.embedding.parameters import checked_settings, is_entropy
    from vnestruct.io import write_graph

    if added is None and removed is None:
        raise ParameterError("nothing to do: give the added edges with --added FILE, the removed ones with --removed")
    output.check(console)
    if graph_output is not None:
        check_place(graph_output)
    loaded = graph.load(console)
    values, stored = _stored_rows(embedding, loaded)
    parameters = stored or signature.keywords()
    begin = time.perf_counter()
    new = () if added is None else _edges(added, loaded, graph.bipartite)
    gone = () if removed is None else [edge[:2] for edge in _edges(removed, loaded, graph.bipartite)]
    result = vnestruct.update(loaded, values, added=new, removed=gone, n_jobs=n_jobs, **parameters)
    seconds = time.perf_counter() - begin
    radius = None
    if is_entropy(parameters["kind"]):
        radius = int(result.H.shape[1]) // len(checked_settings(1, **parameters).columns)
    settings = checked_settings(radius, **parameters).on(result.graph)
    check_labels(result.graph.nodes, output.format)
    output.write(result.graph.nodes, result.H, result.graph, settings)
    if graph_output is not None:
        write_graph(result.graph, graph_output)
    console.note(f"Recomputed {result.changed.size:,} of {result.graph.n_nodes:,} rows in {duration(seconds)}.")
    if console.json:
        facts = graph.facts(result.graph) | {"recomputed": int(result.changed.size)}
        written = {"output": output.output, "format": output.format, "seconds": {"compute": seconds}}
        print_json(facts | embedding_metadata(result.graph, settings) | written)


def _stored_rows(path: str, graph: Any) -> tuple[Any, dict[str, Any]]:
    """Return the rows of an embedding file in the graph's node order, and its parameters if it stores them."""
    from vnestruct.store import read_embedding

    stored = read_embedding(path)
    values = rows_of_graph(stored, path, graph)
    parameters: dict[str, Any] = json.loads(stored.metadata.get("parameters", "{}"))
    if "approximate" in parameters:
        raise ParameterError(f"{path} holds estimates, which cannot be updated; compute it again with vnestruct embed")
    parameters.pop("radius", None)
    if parameters:
        parameters["direction"] = "+".join(parameters["direction"])
    return values, parameters


def _edges(path: str, graph: Any, bipartite: bool | None) -> list[tuple[Any, ...]]:
    """Return the edges of a file as pairs or triples of labels, written as in the graph."""
    import numpy as np

    from vnestruct.graph import OUT
    from vnestruct.io import read_graph

    change = read_graph(path, directed=True, bipartite=bipartite)
    if bipartite and change.side_names != graph.side_names:
        raise ParameterError(f"{path}: with --bipartite, its columns need the names of those of the graph")
    assert change.directions is not None
    keep = (change.directions & OUT) > 0
    rows = np.repeat(np.arange(change.n_nodes), change.degrees)[keep]
    labels = change.nodes.tolist()
    if graph.nodes.dtype == object:
        # A file of numbers reads as numbers, even if the graph's labels are text.
        labels = [str(label) if isinstance(label, int) else label for label in labels]
    pairs = [(labels[u], labels[v]) for u, v in zip(rows.tolist(), change.indices[keep].tolist(), strict=True)]
    if change.weights is None or graph.weights is None:
        return list(pairs)
    return [(*pair, value) for pair, value in zip(pairs, change.weights[keep].tolist(), strict=True)]
