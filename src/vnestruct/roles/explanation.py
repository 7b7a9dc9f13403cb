"""Why a node has its role, and what makes two nodes similar: their measurements next to those of the role."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from vnestruct.drawing import pictures
from vnestruct.drawing.palette import colour_of
from vnestruct.files.atomic import check_picture
from vnestruct.io import as_graph
from vnestruct.roles.clusterer import RoleClusterer
from vnestruct.roles.describe import measures_of
from vnestruct.store.signatures import DECIMALS
from vnestruct.types import FilePath

MEASURES = {
    "degree": "links", "clustering": "share of linked pairs of neighbours", "neighbour_degree": "links of neighbours",
    "core": "core number",
}  # fmt: skip
"""What is compared, and how it is called, before the columns of the signature."""


@dataclass(frozen=True)
class Explanation:
    """Measurements of a node, next to those of its role, by number and name, and of another node if there is one.

    `sentence` is the answer in words; `exceptional` says that no other node is like the node; `rows` has the node, its
    role (the median) and the other node, for each measurement and each column of the signature.
    """

    node: Any
    other: Any
    role: int
    name: str
    sentence: str
    exceptional: bool
    rows: list[dict[str, Any]]

    def draw(self, path: FilePath) -> None:
        """Draw the rows as bars: a ``.png``, ``.svg`` or ``.pdf`` file."""
        check_picture(path)
        styles = {"node": (str(self.node), colour_of(0)), "role": (f"median of {self.name}", "0.7")}
        styles |= {} if self.other is None else {"other": (str(self.other), colour_of(3))}
        bars = [(row["measure"], [row[key] for key in styles]) for row in self.rows]
        pictures.draw_bars(path, self.sentence, bars, list(styles.values()))


def explain(graph: Any, node: Any, other: Any = None, *, model: RoleClusterer | None = None) -> Explanation:
    """Compare a node with its role and, if one is given, with another node.

    `graph` is anything `vnestruct.as_graph` takes; `model` has its fitted roles, ``RoleClusterer().fit(graph)`` by
    default.

    Examples
    --------
    >>> from vnestruct import explain
    >>> from vnestruct.graph.synthetic import barbell
    >>> found = explain(barbell(10, 7), 9, 17)
    >>> print(found.sentence)
    9 and 17 are both gateways; no node is more similar to 9; they do not differ
    >>> found.rows[0]
    {'measure': 'links', 'node': 10.0, 'role': 10.0, 'other': 10.0}
    """
    network = as_graph(graph)
    places = network.positions([node] if other is None else [node, other])
    model = RoleClusterer().fit(network) if model is None else model
    role, others = model.describe(network)[model.labels_[places[0]]], model.labels_ == model.labels_[places[0]]
    measures = measures_of(network, model)
    columns = {words: measures[name] for name, words in MEASURES.items()}
    columns |= dict(zip(model.columns_, model.signatures_.T, strict=True))
    rows = [
        {"measure": name, "node": float(values[places[0]]), "role": float(np.median(values[others]))}
        | ({} if other is None else {"other": float(values[places[1]])})
        for name, values in columns.items()
    ]
    is_exceptional = bool(model.exceptional_[places[0]])
    if other is not None:
        second = model.describe(network)[model.labels_[places[1]]]
        both = f"{node} and {other} are both {role.name}"
        who = both if role is second else f"{node} is one of the {role.name}, {other} one of the {second.name}"
        away = np.round(cdist(model.signatures_, model.signatures_[places[:1]])[:, 0], DECIMALS)
        nearer = int((np.delete(away, places) < away[places[1]]).sum())
        rank = {0: "no node is", 1: "1 node is"}.get(nearer, f"{nearer:,} nodes are")
        text = f"{who}; {rank} more similar to {node}; {_difference(rows, 'other')}"
    elif is_exceptional:
        links = network.degrees[places[0]]
        text = f"{node}, {links:,} links: no other node is like it; its role: {role.description}"
    elif role.nodes == 1:
        text = f"{node} is alone in its role: {role.description}"
    else:
        text = f"{node} is one of {role.nodes:,} {role.description}; {_difference(rows, 'role')}"
    return Explanation(node, other, role.role, role.name, text, is_exceptional, rows)


def _difference(rows: list[dict[str, Any]], key: str) -> str:
    """Say in which of the plain measurements a node differs most, as a share of the larger value."""
    shares = [abs(row["node"] - row[key]) / max(row["node"], row[key], 1e-12) for row in rows]
    most = int(np.argmax(shares[: len(MEASURES)]))
    if shares[most] <= 0.1:
        hardly = "they do not differ" if max(shares) <= 1e-6 else "they hardly differ"
        return "it is typical of them" if key == "role" else hardly
    row, against = rows[most], "their median" if key == "role" else "the other"
    return f"the largest difference: {row['measure']} ({row['node']:,.3g}, {against} {row[key]:,.3g})"
