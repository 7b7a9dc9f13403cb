"""`vnestruct explain`: why a node has its role, and what makes two nodes similar."""

from dataclasses import asdict
from typing import Annotated

import vnestruct
from vnestruct.cli.options import labels_named, option
from vnestruct.cli.output import Console, print_json, print_table, print_text
from vnestruct.cli.role_options import ClusterOptions, NodeSignatures


def explain(
    *,
    node: Annotated[str, option("X", "The node to explain, by its label.")],
    other: Annotated[str | None, option("--and", "Y", "Another node to compare it with.")] = None,
    output: Annotated[str | None, option("--output -o", "PICTURE", "Draw the comparison: .png, .svg or .pdf.")] = None,
    clusters: ClusterOptions,
    nodes: NodeSignatures,
    console: Console,
) -> None:
    """Explain the role of a node, or what makes two nodes similar.

    Shows links, the share of linked pairs of neighbours, the links of the neighbours, the core number and the columns
    of the signature: for the node, for the median of its role, and for the other node.

    Examples
    --------
    vnestruct explain flights.csv --node GRU
    vnestruct explain flights.csv --node GRU --and GIG -o why.png
    """
    model = clusters.model(nodes)
    console.check_outputs(picture=output)
    loaded = nodes.load(console, "roles are described by the graph")
    labels = labels_named(loaded.nodes, [node] if other is None else [node, other])
    clusters.fit(model, nodes, loaded, console)
    found = vnestruct.explain(loaded.graph, *labels, model=model)
    if output is not None:
        found.draw(output)
        console.note(f"Drew {output}.")
    if console.json:
        print_json(nodes.graph.facts(loaded.graph) | asdict(found) | {"output": output})
        return
    heads = {"measure": "", "node": str(found.node), "role": "role's median", "other": str(found.other)}
    print_text(f"{found.sentence}.", "")
    print_table([{heads[key]: value for key, value in row.items()} for row in found.rows])
