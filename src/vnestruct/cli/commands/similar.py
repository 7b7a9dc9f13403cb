"""`vnestruct similar`: the nodes most similar to a given node."""

from typing import Annotated, Any

import vnestruct
from vnestruct.cli.options import labels_named, option
from vnestruct.cli.output import Console, print_json, print_table
from vnestruct.cli.role_options import NodeSignatures
from vnestruct.errors import whole_number

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
    whole_number("k", k, 1)
    loaded = nodes.load(console)
    [label] = labels_named(loaded.nodes, [node])
    values, columns = nodes.compute(loaded, console, "profile")
    rows: list[dict[str, Any]] = []
    for other, distance in vnestruct.similar_nodes(values, label, k, nodes=loaded.nodes):
        rows.append({"node": other, "distance": distance})
        if loaded.graph is not None:
            rows[-1]["degree"] = int(loaded.graph.degrees[loaded.graph.position(other)])
    if console.json:
        print_json({"input": nodes.graph.input, "node": label, "columns": columns, "similar": rows})
    else:
        print_table([row | {"node": str(row["node"]), "distance": f"{row['distance']:.8f}"} for row in rows])
