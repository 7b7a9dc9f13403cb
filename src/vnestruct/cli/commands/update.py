"""`vnestruct update`: bring an embedding file up to date after edges have come or gone."""

from __future__ import annotations

import json
import time
from typing import Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console, duration, print_json
from vnestruct.cli.inputs import load_graph
from vnestruct.cli.interrupts import ending_soon
from vnestruct.cli.outputs import (
    STANDARD_OUTPUT,
    check_embedding_output,
    check_labels,
    check_place,
    embedding_metadata,
    write_rows,
)
from vnestruct.errors import ParameterError

Embedding = Annotated[str, typer.Argument(metavar="EMB", help="Its embedding, a file that `vnestruct embed` wrote.")]
Output = Annotated[
    str,
    typer.Option("--output", "-o", metavar="OUT", help="File to write, as for embed; - for standard output, as CSV."),
]
Added = Annotated[
    str | None,
    typer.Option("--added", metavar="FILE", help="Edges that come, in any graph format; new labels are new nodes."),
]
Removed = Annotated[
    str | None, typer.Option("--removed", metavar="FILE", help="Edges that go, in any graph format; their nodes stay.")
]
GraphOutput = Annotated[
    str | None,
    typer.Option("--graph-output", metavar="FILE", help="Write the changed graph, too, for the next update."),
]


def update(
    input: options.Input,
    embedding: Embedding,
    output: Output = STANDARD_OUTPUT,
    added: Added = None,
    removed: Removed = None,
    graph_output: GraphOutput = None,
    kind: options.Kind = None,
    weighted: options.Weighted = False,
    direction: options.Direction = "all",
    aggregate: options.Aggregate = None,
    jobs: options.Jobs = None,
    format: options.Format = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    directed: options.Directed = None,
    output_format: options.OutputFormat = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Bring an embedding up to date after edges have come or gone.

    Only the rows that can have changed are computed; the result is that of embedding the changed graph from scratch.
    Parquet, Feather and npz files know how they were made, and of which graph; for other files give the options of the
    embedding again.

    Examples
    --------
    vnestruct update friends.csv signatures.parquet --added new.csv --removed gone.csv -o today.parquet
    vnestruct update monday.vng monday.npz --added tuesday.txt -o tuesday.npz --graph-output tuesday.vng
    """
    from vnestruct.embedding import update as bring_up_to_date
    from vnestruct.embedding.parameters import checked_settings
    from vnestruct.io import write_graph

    console = Console(quiet)
    if added is None and removed is None:
        raise ParameterError("nothing to do: name the edges that come with --added FILE, those that go with --removed")
    form = check_embedding_output(output, output_format, as_json)
    if graph_output is not None:
        check_place(graph_output)
    with ending_soon(None):
        graph = load_graph(
            input, console, format=format, source=source, target=target, weight=weight, directed=directed
        )
        values, made = _stored_rows(embedding, graph)
        parameters = made or {
            "kind": options.words(kind) or "approx",
            "weighted": weighted,
            "direction": direction,
            "aggregate": options.words(aggregate),
        }
        begin = time.perf_counter()
        result = bring_up_to_date(
            graph,
            values,
            added=() if added is None else _edges(added, graph),
            removed=() if removed is None else [edge[:2] for edge in _edges(removed, graph)],
            n_jobs=jobs,
            **parameters,
        )
        seconds = time.perf_counter() - begin
        settings = checked_settings(_radius(result.H, parameters), **parameters)
        check_labels(result.graph.nodes, form)
        metadata = embedding_metadata(result.graph, settings)
        write_rows(output, form, result.graph.nodes, result.H, settings, metadata, None)
        if graph_output is not None:
            write_graph(result.graph, graph_output)
        console.note(f"Recomputed {result.changed.size:,} of {result.graph.n_nodes:,} rows in {duration(seconds)}.")
    if as_json:
        print_json(
            {
                "input": input,
                "nodes": result.graph.n_nodes,
                "edges": result.graph.n_edges,
                "recomputed": int(result.changed.size),
                **metadata,
                "output": output,
                "format": form,
                "seconds": {"compute": seconds},
            }
        )


def _stored_rows(path: str, graph: Any) -> tuple[Any, dict[str, Any]]:
    """Return the rows of an embedding file in the graph's node order, and the parameters it names, if any."""
    import numpy as np

    from vnestruct.store import read_embedding

    stored = read_embedding(path)
    known = stored.metadata.get("graph_hash")
    if known is not None and known != graph.hash:
        raise ParameterError(
            f"{path} is the embedding of another graph; embed this graph first, or name the right file"
        )
    if len(stored.values) != graph.n_nodes:
        raise ParameterError(f"{path} has {len(stored.values):,} rows, but the graph has {graph.n_nodes:,} nodes")
    values = stored.values
    if stored.nodes is not None:
        place = {str(label): row for row, label in enumerate(stored.nodes.tolist())}
        missing = next((label for label in graph.nodes.tolist() if str(label) not in place), None)
        if missing is not None:
            raise ParameterError(f"{path} has no row for node {missing!r} of the graph")
        values = values[np.array([place[str(label)] for label in graph.nodes.tolist()], dtype=np.int64)]
    made: dict[str, Any] = {}
    if "parameters" in stored.metadata:
        named = json.loads(stored.metadata["parameters"])
        directions = named["direction"]
        made = {
            "kind": named["kind"],
            "weighted": named["weighted"],
            "direction": "+".join(directions),
            "aggregate": named["aggregate"],
            "tol": named["tol"],
        }
    return values, made


def _edges(path: str, graph: Any) -> list[tuple[Any, ...]]:
    """Return the edges of a file as pairs or triples of labels, which stand as they do in the graph."""
    import numpy as np

    from vnestruct.graph import OUT
    from vnestruct.io import read_graph

    change = read_graph(path, directed=True)
    assert change.directions is not None
    keep = (change.directions & OUT) > 0
    rows = np.repeat(np.arange(change.n_nodes), change.degrees)[keep]
    labels = change.nodes.tolist()
    if graph.nodes.dtype == object:
        # A file of numbers reads as numbers, even if the graph's labels are text.
        labels = [str(label) if isinstance(label, int) else label for label in labels]
    ends = zip(rows.tolist(), change.indices[keep].tolist(), strict=True)
    pairs = [(labels[u], labels[v]) for u, v in ends]
    if change.weights is None or graph.weights is None:
        return list(pairs)
    return [(*pair, value) for pair, value in zip(pairs, change.weights[keep].tolist(), strict=True)]


def _radius(values: Any, parameters: dict[str, Any]) -> int:
    from vnestruct.embedding.parameters import checked_settings

    return int(values.shape[1]) // len(checked_settings(1, **parameters).columns)
