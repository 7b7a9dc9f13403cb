"""`vnestruct convert`: a graph from one file format to another."""

from __future__ import annotations

from typing import Annotated

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.errors import in_options
from vnestruct.cli.inputs import load_graph
from vnestruct.cli.outputs import STANDARD_OUTPUT, check_place
from vnestruct.errors import ParameterError

Output = Annotated[
    str,
    typer.Argument(
        metavar="OUT",
        help="File to write; its suffix tells the format, and .gz or the like compresses; - for standard output.",
    ),
]


def convert(
    input: options.Input,
    output: Output,
    format: options.Format = None,
    output_format: options.OutputFormat = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    directed: options.Directed = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Write a graph in another file format.

    Says what the other format cannot hold. The format .vng keeps everything and is mapped into memory rather
    than read: convert a large graph once and work with that.

    Examples
    --------
    vnestruct convert web.txt.gz web.vng
    vnestruct convert flights.csv flights.graphml --source from --target to --directed
    vnestruct convert web.vng - --output-format edgelist
    """
    from vnestruct.io import write_graph
    from vnestruct.io.registry import format_named, format_of_path

    console = Console(quiet)
    if output_format is not None:
        format_named(output_format)[0].load_writer()
    elif format_of_path(output) is None:
        raise ParameterError(f"cannot tell the format of {output}; end it in a known suffix, or say --output-format")
    check_place(output)
    if as_json and output == STANDARD_OUTPUT:
        raise ParameterError("--json prints to standard output, where the graph goes already; name a file")
    graph = load_graph(input, console, format=format, source=source, target=target, weight=weight, directed=directed)
    lost = write_graph(graph, output, output_format)
    for loss in lost:
        console.note(f"Note: {in_options(loss)}.")
    console.note(f"Wrote {'standard output' if output == STANDARD_OUTPUT else output}.")
    if as_json:
        print_json({"input": input, "output": output, "nodes": graph.n_nodes, "edges": graph.n_edges, "lost": lost})
