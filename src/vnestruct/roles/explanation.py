"""Why a node has its role, and what makes two nodes similar: their balls next to those of the role."""

from dataclasses import dataclass
from textwrap import fill
from typing import Any

import numpy as np

from vnestruct.drawing import pictures
from vnestruct.drawing.palette import colour_of
from vnestruct.embedding import embed
from vnestruct.files.output_checks import check_picture
from vnestruct.graph import Graph
from vnestruct.io import as_graph
from vnestruct.roles.clusterer import RoleClusterer
from vnestruct.roles.summary import summarise_roles
from vnestruct.types import FilePath, OffsetArray, ValueArray

# What is compared of each ball; the density is the share of pairs of its nodes that are joined.
MEASURES = ("nodes", "density", "entropy")
_MEMBERS = 64  # most nodes of a role, drawn at random, whose balls are searched for its median
_TYPICAL = 0.1  # a node is typical of its role if it differs from the median by at most this share


@dataclass(frozen=True)
class Explanation:
    """Balls around a node, next to those of its role and of another node.

    Parameters
    ----------
    node, other : object
        The labels; `other` is None if there is no other node.
    role : int
        Role of the node.
    name : str
        Name of the role.
    sentence : str
        The answer in words.
    rows : list of dict
        For each radius and each of nodes, density and entropy: the value of the node, the median of its role and, if
        there is one, the value of the other node.
    """

    node: Any
    other: Any
    role: int
    name: str
    sentence: str
    rows: list[dict[str, Any]]

    def draw(self, path: FilePath) -> None:
        """Draw the rows over the radius: a ``.png``, ``.svg`` or ``.pdf`` file."""
        check_picture(path)
        styles = {
            "role": {"label": f"median of {self.name}", "color": "0.6", "linestyle": "--", "marker": "s"},
            "node": {"label": str(self.node), "color": colour_of(0), "marker": "o"},
            "other": {"label": str(self.other), "color": colour_of(3), "marker": "^"},
        }
        with pictures.saved_figure(path, 9.0, 3.2) as figure:
            for axes, measure in zip(figure.subplots(1, len(MEASURES)), MEASURES, strict=True):
                rows = [row for row in self.rows if row["measure"] == measure]
                hops = [row["radius"] for row in rows]
                for key in (key for key in styles if key in rows[0]):
                    axes.plot(hops, [row[key] for row in rows], **styles[key])
                axes.set(title=measure, xlabel="hops", xticks=hops, ylim=(0.0, None))
                pictures.add_grid(axes)
            # Labels of nodes are the user's own words: no formulas in them.
            figure.suptitle(fill(self.sentence, 110), fontsize=10.5, parse_math=False)
            place = {"loc": "outside lower center", "ncols": 3, "frameon": False}
            for text in figure.legend(*axes.get_legend_handles_labels(), **place).get_texts():
                text.set_parse_math(False)


def explain(graph: Any, node: Any, other: Any = None, *, model: RoleClusterer | None = None) -> Explanation:
    """Compare a node with its role and, if one is given, with another node.

    Parameters
    ----------
    graph : graph
        Anything `vnestruct.as_graph` takes.
    node, other : object
        Labels of nodes.
    model : RoleClusterer, optional
        The fitted roles of this graph; ``RoleClusterer().fit(graph)`` by default. Balls are compared up to its radius.

    Returns
    -------
    Explanation
        A sentence, and sizes, densities and entropies of balls. The median of a large role is that of a sample.

    Raises
    ------
    UnknownNodeError
        If the graph does not have a node.

    Examples
    --------
    >>> from vnestruct import explain
    >>> from vnestruct.graph.synthetic import barbell
    >>> found = explain(barbell(10, 7), 9, 17)
    >>> print(found.sentence)
    9 and 17 are both gateways; of 25 further nodes, 0 are more similar to 9; their balls do not differ
    >>> found.rows[0]
    {'radius': 1, 'measure': 'nodes', 'node': 11.0, 'role': 11.0, 'other': 11.0}
    """
    network = as_graph(graph)
    places = network.positions([node] if other is None else [node, other])
    fitted = RoleClusterer().fit(network) if model is None else model
    summaries = summarise_roles(network, fitted.labels_, fitted.signatures_)
    roles = fitted.labels_[places].tolist()
    sample = np.random.default_rng(0).permutation(np.flatnonzero(fitted.labels_ == roles[0]))[:_MEMBERS]
    balls = _balls(network, fitted, np.concatenate([places, sample]))
    rows = []
    for radius in range(balls.shape[2]):
        for measure, values in zip(MEASURES, balls[:, :, radius].T.tolist(), strict=True):
            row = {"radius": radius + 1, "measure": measure, "node": values[0]}
            row["role"] = float(np.median(values[places.size :]))
            rows.append(row if other is None else row | {"other": values[1]})
    summary, another = summaries[roles[0]], summaries[roles[-1]]
    difference, share = _largest_difference(rows, "role" if other is None else "other")
    if other is None:
        which = f"the only {summary.name}" if summary.size == 1 else f"one of {summary.size:,} {summary.name}"
        unusual = f"it differs most from their median in {difference}"
        text = f"{node} is {which}; {unusual if share > _TYPICAL else 'its balls are typical of the role'}"
    else:
        first, second = (f"{'the' if one.size == 1 else 'one of the'} {one.name}" for one in (summary, another))
        differ = f"{node} is {first}, {other} is {second}"
        who = f"{node} and {other} are both {summary.name}" if summary is another else differ
        distances = np.linalg.norm((fitted.signatures_ - fitted.signatures_[places[0]]) / fitted.scales_, axis=1)
        distances[places[0]] = np.inf
        nearer = np.count_nonzero(distances < distances[places[1]] - 1e-9)
        rank = f"of {network.n_nodes - 2:,} further nodes, {nearer:,} are more similar to {node}"
        answer = f"they differ most in {difference}" if share > 1e-6 else "their balls do not differ"
        text = f"{who}; {rank}; {answer}"
    return Explanation(node, other, roles[0], summary.name, text, rows)


def _balls(graph: Graph, model: RoleClusterer, nodes: OffsetArray) -> ValueArray:
    """Return the measures of the balls of some nodes, for each node, measure and radius."""
    radius, direction = (model.radius, model.direction.partition("+")[0]) if model.preset is None else (2, "all")
    where: dict[str, Any] = {"nodes": graph.nodes[nodes], "direction": direction, "n_jobs": model.n_jobs}
    n_nodes, n_edges = np.split(embed(graph, radius, kind="parts", **where)[:, : 2 * radius], 2, axis=1)
    kinds = [model.kind] if isinstance(model.kind, str) else list(model.kind)
    kind = "approx" if model.preset is not None or kinds[0] in ("parts", "precomputed") else kinds[0]
    entropy = embed(graph, radius, kind=kind, weighted=model.weighted, **where)
    density = n_edges / np.maximum(n_nodes * (n_nodes - 1.0) / 2.0, 1.0)
    return np.stack([n_nodes, density, entropy], axis=1)


def _largest_difference(rows: list[dict[str, Any]], key: str) -> tuple[str, float]:
    """Return in words, and as a share of the larger value, where the node differs most."""

    def share(row: dict[str, Any]) -> float:
        return float(abs(row["node"] - row[key]) / max(row["node"], row[key], 1e-12))

    row = max(rows, key=share)
    hops = "1 hop" if row["radius"] == 1 else f"{row['radius']} hops"
    what = "the number of nodes" if row["measure"] == "nodes" else f"the {row['measure']}"
    return f"{what} within {hops} ({row['node']:,.4g} against {row[key]:,.4g})", share(row)
