"""`vnestruct demo`: the barbell graph, its roles, and a picture of both."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.options import option
from vnestruct.files.output_checks import check_picture, check_place

if TYPE_CHECKING:
    from vnestruct.types import IdArray, ValueArray

CLIQUE_SIZE = 10
PATH_LENGTH = 7
RADIUS = 3

ROLES = {
    "clique members": 0,
    "clique gates": CLIQUE_SIZE - 1,
    "path ends": CLIQUE_SIZE,
    "next to path ends": CLIQUE_SIZE + 1,
    "middle of the path": CLIQUE_SIZE + PATH_LENGTH // 2,
}
"""The usual names of the roles, and one node of each."""

Output = Annotated[Path, option("--output -o", "PNG", "Where to save the picture.")]


def demo(*, output: Output = Path("demo/barbell.png"), console: Console) -> None:
    """Find the roles of the barbell graph and draw them.

    The graph is two cliques of 10 nodes, joined by a path of 7. Prints the distinct signatures with their
    nodes, and draws the graph next to its embedding. The program does not know where a node is: equal
    signatures mean equal roles.

    Examples
    --------
    vnestruct demo
    vnestruct demo -o barbell.png
    """
    check_picture(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    check_place(str(output))
    console.note_compiling()
    values, roles = _embedded()

    from vnestruct.cli.barbell_figure import draw_barbell

    draw_barbell(output, values, roles, list(ROLES))
    if console.json:
        rows = [
            {"role": name, "nodes": nodes, "signature": signature} for name, nodes, signature in _rows(values, roles)
        ]
        print_json({"radius": RADIUS, "roles": rows, "picture": str(output)})
    else:
        sys.stdout.write("\n".join(_lines(values, roles)) + f"\n\nThe picture is in {output}\n")


def _embedded() -> tuple[ValueArray, IdArray]:
    """Return the signatures of all nodes, and the role of each as a position in `ROLES`."""
    import numpy as np

    from vnestruct.embedding import embed
    from vnestruct.graph.synthetic import barbell

    values = embed(barbell(CLIQUE_SIZE, PATH_LENGTH), RADIUS, n_jobs=1)
    rounded = values.round(8)
    roles = np.full(len(values), -1, np.int32)
    for position, node in enumerate(ROLES.values()):
        roles[(rounded == rounded[node]).all(axis=1)] = position
    return values, roles


def _rows(values: ValueArray, roles: IdArray) -> list[tuple[str, list[int], list[float]]]:
    return [
        (name, (roles == position).nonzero()[0].tolist(), values[node].tolist())
        for position, (name, node) in enumerate(ROLES.items())
    ]


def _lines(values: ValueArray, roles: IdArray) -> list[str]:
    rows: list[Any] = _rows(values, roles)
    heads = "".join(f"{f'h{r}':>8}" for r in range(1, RADIUS + 1))
    lines = [
        f"The barbell graph: two cliques of {CLIQUE_SIZE} nodes, joined by a path of {PATH_LENGTH}.",
        f"{len(values)} nodes have {len(rows)} distinct signatures of radius {RADIUS}, one for each role:",
        "",
        f"  {'role':<20}{heads}   nodes",
    ]
    for name, nodes, signature in rows:
        numbers = "".join(f"{value:8.4f}" for value in signature)
        lines.append(f"  {name:<20}{numbers}   {_ranges(nodes)}")
    return lines


def _ranges(nodes: list[int]) -> str:
    """Write ascending numbers with runs joined: 0-8, 18-26."""
    runs: list[list[int]] = []
    for node in nodes:
        if runs and node == runs[-1][-1] + 1:
            runs[-1].append(node)
        else:
            runs.append([node])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
