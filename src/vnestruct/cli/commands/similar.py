"""`vnestruct similar`: the nodes most similar to a given node."""

import sys
from typing import Annotated, Any

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.interrupts import interruptible
from vnestruct.cli.options import option
from vnestruct.cli.role_options import NodeSignatures, json_label, known_node

Node = Annotated[str, option("X", "The node to compare with, by its label.")]
Number = Annotated[int, option("-k", "K", "How many nodes to show.")]


def similar(*, node: Node, k: Number = 10, nodes: NodeSignatures, console: Console) -> None:
    """Show the nodes whose structural role is closest to a node's.

    They have the nearest signatures, of kind profile by default, wherever they are in the graph. The search is exact,
    and equally near nodes are listed in the order of the file. A distance of 0 means the same signature.

    Examples
    --------
    vnestruct similar flights.csv --node GRU
    vnestruct similar flights.csv --node GRU -k 3 --kind approx --radius 3 --json
    """
    from vnestruct.checks import whole_number
    from vnestruct.roles import similar_nodes

    whole_number("k", k, 1)
    with interruptible(nodes.run.resume_line):
        loaded = nodes.load(console)
        label = known_node(loaded.nodes, node, "node")
        values, columns = nodes.compute(loaded, console, "profile")
        nearest = similar_nodes(values, label, k, nodes=loaded.nodes)
    rows: list[dict[str, Any]] = [{"node": other, "distance": distance} for other, distance in nearest]
    if loaded.graph is not None:
        for row in rows:
            row["degree"] = int(loaded.graph.degrees[loaded.graph.position(row["node"])])
    if console.json:
        listed = [row | {"node": json_label(row["node"])} for row in rows]
        print_json({"input": nodes.graph.input, "node": json_label(label), "columns": columns, "similar": listed})
        return
    width = max([4, *(len(str(other)) for other, _ in nearest)])
    sys.stdout.write(f"{'node':<{width}}    distance{'   degree' if loaded.graph is not None else ''}\n")
    for row in rows:
        degree = f"  {row['degree']:7,}" if "degree" in row else ""
        sys.stdout.write(f"{row['node']!s:<{width}}  {row['distance']:10.8f}{degree}\n")
