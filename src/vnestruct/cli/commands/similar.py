"""`vnestruct similar`: the nodes most similar to a given node."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.interrupts import interruptible
from vnestruct.cli.options import option
from vnestruct.cli.role_options import SCALINGS, NodeSignatures, json_label
from vnestruct.errors import UnknownNodeError

if TYPE_CHECKING:
    from vnestruct.graph import Graph

Node = Annotated[str, option("--node", "X", "The node to compare with, by its label.")]
Number = Annotated[int, option("-k", "K", "How many nodes to show.")]


def similar(*, node: Node, k: Number = 10, nodes: NodeSignatures, console: Console) -> None:
    """Show the nodes whose structural role is closest to a node's.

    They have the nearest signatures, wherever they are in the graph. The search is exact, and equally near nodes are
    listed in the order of the file. A distance of 0 means the same signature.

    Examples
    --------
    vnestruct similar flights.csv --node GRU
    vnestruct similar flights.csv --node GRU -k 3 --radius 3 --json
    """
    from vnestruct.checks import one_of, whole_number
    from vnestruct.roles import similar_nodes

    whole_number("k", k, 1)
    one_of("scaling", nodes.scaling, SCALINGS)
    with interruptible(nodes.run.resume_line):
        loaded = nodes.graph.load(console)
        label = _label(loaded, node)
        values, columns = nodes.compute(loaded, console)
        nearest = similar_nodes(values, loaded.nodes, label, k, scaling=nodes.scaling)
    degrees = loaded.degrees[loaded.positions([other for other, _ in nearest])].tolist() if nearest else []
    rows = [(other, distance, degree) for (other, distance), degree in zip(nearest, degrees, strict=True)]
    if console.json:
        listed = [{"node": json_label(other), "distance": near, "degree": degree} for other, near, degree in rows]
        print_json({"input": nodes.graph.input, "node": json_label(label), "columns": columns, "similar": listed})
        return
    width = max([4, *(len(str(other)) for other, _ in nearest)])
    sys.stdout.write(f"{'node':<{width}}    distance   degree\n")
    sys.stdout.writelines(f"{other!s:<{width}}  {near:10.8f}  {degree:7,}\n" for other, near, degree in rows)


def _label(graph: Graph, word: str) -> Any:
    label = next((label for label in graph.nodes.tolist() if str(label) == word), None)
    if label is None:
        some = ", ".join(repr(str(label)) for label in graph.nodes[:3].tolist())
        raise UnknownNodeError(f"--node: the graph has no node {word!r}; its labels are such as {some}")
    return label
