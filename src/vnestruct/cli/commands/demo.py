"""`vnestruct demo`: the barbell graph, its roles, and a picture of both."""

from __future__ import annotations

import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from vnestruct.cli.console import Console, print_json
from vnestruct.cli.options import option
from vnestruct.files.output_checks import check_picture, check_place

if TYPE_CHECKING:
    from vnestruct.types import OffsetArray, ValueArray

CLIQUE_SIZE, PATH_LENGTH, RADIUS = 10, 7, 3
_STEP = 0.55  # distance of neighbours on the path, in radii of the circles of the cliques

ROLES = {
    "clique members": 0, "clique gates": CLIQUE_SIZE - 1, "path ends": CLIQUE_SIZE,
    "next to path ends": CLIQUE_SIZE + 1, "middle of the path": CLIQUE_SIZE + PATH_LENGTH // 2,
}  # fmt: skip
"""The usual names of the roles, and one node of each."""

_LABELS = (("right", -14), ("right", 9), ("left", 7), ("left", 7), ("left", 7))
"""Of the label of each role in the embedding: alignment, and points above its marker."""

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
    import numpy as np

    from vnestruct.embedding import embed
    from vnestruct.graph.synthetic import barbell

    check_picture(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    check_place(str(output))
    values = embed(barbell(CLIQUE_SIZE, PATH_LENGTH), RADIUS, n_jobs=1)
    rounded = values.round(8)
    roles = np.full(len(values), -1)  # positions in `ROLES`
    for position, node in enumerate(ROLES.values()):
        roles[(rounded == rounded[node]).all(axis=1)] = position
    _draw(output, values, roles)
    rows = [
        {"role": name, "nodes": (roles == position).nonzero()[0].tolist(), "signature": values[node].tolist()}
        for position, (name, node) in enumerate(ROLES.items())
    ]
    if console.json:
        print_json({"radius": RADIUS, "roles": rows, "picture": str(output)})
        return
    heads = "".join(f"{f'h{r}':>8}" for r in range(1, RADIUS + 1))
    sys.stdout.write(
        f"The barbell graph: two cliques of {CLIQUE_SIZE} nodes, joined by a path of {PATH_LENGTH}.\n"
        f"{len(values)} nodes have {len(rows)} distinct signatures of radius {RADIUS}, one for each role:\n\n"
        f"  {'role':<20}{heads}   nodes\n"
    )
    for row in rows:
        numbers = "".join(f"{value:8.4f}" for value in row["signature"])
        sys.stdout.write(f"  {row['role']:<20}{numbers}   {_ranges(row['nodes'])}\n")
    sys.stdout.write(f"\nThe picture is in {output}\n")


def _ranges(nodes: list[int]) -> str:
    """Write ascending numbers with runs joined: 0-8, 18-26."""
    runs = [[node for _, node in run] for _, run in groupby(enumerate(nodes), lambda item: item[1] - item[0])]
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def _draw(path: Path, values: ValueArray, roles: OffsetArray) -> None:
    """Draw the graph next to the first two principal components of its embedding, in the same colours."""
    import numpy as np

    from vnestruct.drawing.layout import component_names, principal_components
    from vnestruct.drawing.pictures import add_grid, add_legend, draw_edges, draw_points, saved_figure
    from vnestruct.graph.synthetic import barbell

    places = barbell_positions(CLIQUE_SIZE, PATH_LENGTH)
    points, shares = principal_components(values)
    with saved_figure(path, 11.0, 4.0) as figure:
        left, right = figure.subplots(1, 2, width_ratios=[1.45, 1.0])
        draw_edges(left, barbell(CLIQUE_SIZE, PATH_LENGTH), places)
        draw_points(left, places, roles, np.full(len(places), 130.0))
        left.set_title(f"Barbell graph: two {CLIQUE_SIZE}-cliques, a path of {PATH_LENGTH}", fontsize=11)
        # The box keeps its size, so that both titles are on one line.
        left.set_aspect("equal", adjustable="datalim")
        left.set_axis_off()
        left.margins(0.03)
        draw_points(right, points, roles, np.full(len(points), 85.0))
        style = {"textcoords": "offset points", "fontsize": 9.5, "color": "0.2"}
        for role, (name, (alignment, height)) in enumerate(zip(ROLES, _LABELS, strict=True)):
            members, place = points[roles == role], (-9 if alignment == "right" else 9, height)
            right.annotate(f"{name} ({len(members)})", members[0], xytext=place, ha=alignment, **style)
        right.set_title(f"Embedding of its nodes, R = {RADIUS}", fontsize=11)
        right.set(**dict(zip(("xlabel", "ylabel"), component_names(shares), strict=True)))
        right.margins(0.14, 0.2)
        add_grid(right)
        figure.suptitle("Equal structural roles have equal signatures", fontsize=13)
        add_legend(figure, dict(enumerate(ROLES)), n_columns=len(ROLES))


def barbell_positions(clique_size: int, path_length: int) -> ValueArray:
    """Place the cliques on two circles, gates inwards, and the path on the line between them."""
    import numpy as np

    angles = 2 * np.pi * np.arange(1, clique_size + 1) / clique_size
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    middle = (path_length + 1) / 2
    line = np.column_stack([_STEP * (np.arange(1, path_length + 1) - middle), np.zeros(path_length)])
    centre = [_STEP * middle + 1.0, 0.0]
    return np.vstack([circle - centre, line, centre - circle[::-1]])
