"""`vnestruct embed`: a graph file in, one row of entropies a node out."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console, count, duration, print_json
from vnestruct.cli.inputs import chosen_positions, load_graph
from vnestruct.cli.interrupts import ending_soon
from vnestruct.cli.long_runs import command_line, resume_line, working
from vnestruct.cli.outputs import (
    STANDARD_OUTPUT,
    check_embedding_output,
    check_labels,
    embedding_metadata,
    write_rows,
)
from vnestruct.errors import ParameterError

Output = Annotated[
    str,
    typer.Option(
        "--output",
        "-o",
        metavar="OUT",
        help="File to write: .parquet .feather .csv .tsv .npy .npz or .emb; - for standard output, as CSV.",
    ),
]
Nodes = Annotated[
    str | None,
    typer.Option(
        "--nodes", metavar="FILE|A,B,...", help="Compute these nodes only, in this order; a file names one a line."
    ),
]
Part = Annotated[
    str | None,
    typer.Option(
        "--part",
        metavar="K/N",
        help="Compute only the K-th of N shares into --checkpoint; the same command without --part joins all.",
    ),
]


def embed(
    input: options.Input,
    output: Output = STANDARD_OUTPUT,
    radius: options.Radius = 2,
    kind: options.Kind = None,
    weighted: options.Weighted = False,
    direction: options.Direction = "all",
    aggregate: options.Aggregate = None,
    nodes: Nodes = None,
    engine: options.Engine = "threads",
    address: options.Address = None,
    jobs: options.Jobs = None,
    checkpoint: options.Checkpoint = None,
    max_memory: options.MaxMemory = None,
    part: Part = None,
    format: options.Format = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    directed: options.Directed = None,
    output_format: options.OutputFormat = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Describe every node by the entropies of its ego networks.

    The columns are node, h1, ..., hR, one for each radius. Nodes that play the same structural role get the
    same row, wherever they are in the graph. Long runs can be interrupted, killed or shared among machines
    with --checkpoint and --part: the result is the same to the last bit.

    Examples
    --------
    vnestruct embed friends.csv -o signatures.parquet
    vnestruct embed flights.csv --source from --target to --directed --direction out+in
    vnestruct embed web.txt.gz -r 3 --checkpoint web.run -o web.npz
    vnestruct embed web.txt.gz -r 3 --checkpoint web.run -o web.npz --part 3/16
    vnestruct embed web.vng -r 2 --engine ray --address auto --checkpoint /shared/web.run -o web.npz
    vnestruct embed huge.vng -r 1 --max-memory 2G -o huge.npy
    """
    from vnestruct.embedding.parameters import checked_settings
    from vnestruct.store import parse_part

    console = Console(quiet)
    kinds, aggregates = options.words(kind) or "approx", options.words(aggregate)
    settings = checked_settings(radius, kinds, weighted, direction, aggregates)
    limit = None if max_memory is None else options.parse_size(max_memory)
    share = None if part is None else parse_part(part)
    if share is not None and (checkpoint is None or nodes is not None):
        raise ParameterError("--part needs --checkpoint DIR, where the shares meet, and takes no --nodes")
    form = check_embedding_output(output, output_format, as_json and share is None)
    with ending_soon(resume_line(checkpoint)):
        begin = time.perf_counter()
        graph = load_graph(
            input, console, format=format, source=source, target=target, weight=weight, directed=directed
        )
        read = time.perf_counter()
        chosen = None if nodes is None else chosen_positions(graph, nodes)
        labels = graph.nodes if chosen is None else graph.nodes[chosen]
        check_labels(labels, form)
        with working(console, graph, settings, engine, address, jobs, checkpoint, limit) as runner:
            result: dict[str, Any]
            if share is not None:
                result = _compute_share(graph, settings, share, runner, console)
            else:
                result, values = _compute_all(graph, settings, chosen, runner)
        seconds = {"read": read - begin, "compute": time.perf_counter() - read}
        if share is None:
            write_rows(output, form, labels, values, settings, embedding_metadata(graph, settings), checkpoint)
            console.note(
                f"Wrote {len(values):,} rows of {values.shape[1]} columns to "
                f"{'standard output' if output == STANDARD_OUTPUT else output} in {form} format, "
                f"computed in {duration(seconds['compute'])}."
            )
            result |= {"output": output, "format": form}
    if as_json:
        print_json(
            {
                "input": input,
                "nodes": graph.n_nodes,
                "edges": graph.n_edges,
                "cleaning": asdict(graph.report),
                **embedding_metadata(graph, settings),
                "parameters": settings.identity() | {"aggregate": list(settings.aggregates)},
                **result,
                "checkpoint": checkpoint,
                "seconds": seconds,
            }
        )


def _compute_share(graph: Any, settings: Any, share: tuple[int, int], runner: Any, console: Console) -> dict[str, Any]:
    from vnestruct.embedding.signatures import compute_part

    n_worked = compute_part(graph, settings, *share, runner)
    part = f"{share[0]}/{share[1]}"
    console.note(
        f"Part {part} is done: {count(n_worked)} nodes. When all are, join them: {command_line(without='--part')}"
    )
    return {"part": part, "nodes_worked_on": n_worked}


def _compute_all(graph: Any, settings: Any, chosen: Any, runner: Any) -> tuple[dict[str, Any], Any]:
    from vnestruct.embedding.embed_graph import signature_matrix

    values = signature_matrix(graph, settings, chosen, runner)
    return {"rows": len(values), "columns": settings.columns}, values
