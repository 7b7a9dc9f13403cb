"""`vnestruct similar`: the nodes most like a given one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.inputs import load_graph
from vnestruct.cli.interrupts import ending_soon
from vnestruct.cli.long_runs import resume_line
from vnestruct.cli.role_signatures import Preset, Scaling, computed_signature, json_label
from vnestruct.errors import UnknownNodeError

if TYPE_CHECKING:
    from vnestruct.graph import Graph

Node = Annotated[str, typer.Option("--node", metavar="X", help="The node to compare with, by its label.")]
Number = Annotated[int, typer.Option("-k", metavar="K", help="How many nodes to show.")]


def similar(
    input: options.Input,
    node: Node,
    k: Number = 10,
    preset: Preset = None,
    scaling: Scaling = "none",
    radius: options.Radius = 2,
    kind: options.Kind = None,
    weighted: options.Weighted = False,
    direction: options.Direction = "all",
    aggregate: options.Aggregate = None,
    engine: options.Engine = "threads",
    address: options.Address = None,
    jobs: options.Jobs = None,
    checkpoint: options.Checkpoint = None,
    format: options.Format = None,
    source: options.Source = None,
    target: options.Target = None,
    weight: options.Weight = None,
    directed: options.Directed = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Show the nodes that play the role most like that of one node.

    They are those with the nearest signatures, wherever they are in the graph; the search is exact, and equally
    near nodes come in the order of the file. A distance of 0 means the same signature.

    Examples
    --------
    vnestruct similar flights.csv --node GRU
    vnestruct similar flights.csv --node GRU -k 3 --radius 3 --json
    """
    from vnestruct.checks import one_of, whole_number
    from vnestruct.roles import similar_nodes
    from vnestruct.roles.distinct import SCALINGS

    console = Console(quiet)
    whole_number("k", k, 1)
    one_of("scaling", scaling, SCALINGS)
    with ending_soon(resume_line(checkpoint)):
        graph = load_graph(
            input, console, format=format, source=source, target=target, weight=weight, directed=directed
        )
        label = _label(graph, node)
        values, columns = computed_signature(
            graph, console, radius=radius, kind=kind, weighted=weighted, direction=direction, aggregate=aggregate,
            preset=preset, engine=engine, address=address, jobs=jobs, checkpoint=checkpoint,
        )  # fmt: skip
        found = similar_nodes(values, graph.nodes, label, k, scaling=scaling)
    degrees = graph.degrees[graph.positions([other for other, _ in found])].tolist() if found else []
    if as_json:
        nearest = [
            {"node": json_label(other), "distance": distance, "degree": degree}
            for (other, distance), degree in zip(found, degrees, strict=True)
        ]
        print_json({"input": input, "node": json_label(label), "columns": columns, "similar": nearest})
        return
    width = max((len(str(other)) for other, _ in found), default=0)
    sys.stdout.write(f"{'node':<{max(width, 4)}}    distance   degree\n")
    for (other, distance), degree in zip(found, degrees, strict=True):
        sys.stdout.write(f"{other!s:<{max(width, 4)}}  {distance:10.8f}  {degree:7,}\n")


def _label(graph: Graph, word: str) -> Any:
    found = next((label for label in graph.nodes.tolist() if str(label) == word), None)
    if found is None:
        such = ", ".join(repr(str(label)) for label in graph.nodes[:3].tolist())
        raise UnknownNodeError(f"--node: the graph has no node {word!r}; its labels are such as {such}")
    return found
