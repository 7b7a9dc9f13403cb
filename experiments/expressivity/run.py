"""Count the pairs of BREC that each signature separates: ``python -m experiments.expressivity.run``.

Every signature is one call of `vnestruct.embed` over all graphs. Results go to ``results/expressivity/``; those of
larger radii, of decks of subgraphs, of permuted copies and of BREC's own statistic are by code of commit 28d35c7.
"""

from collections import Counter
from typing import NamedTuple

import networkx as nx
import numpy as np
from experiments.rings import edges_of
from experiments.storage import RESULTS, data_folder, read_json, write_json

from vnestruct import embed
from vnestruct.embedding.parameters import KINDS
from vnestruct.graph import GraphSet, graph_from_ids

FOLDER = RESULTS / "expressivity"
CATEGORIES = {
    "basic": "basic", "regular": "regular", "str": "strongly regular", "extension": "extension", "cfi": "CFI",
    "4vtx": "4-vertex condition", "dr": "distance-regular",
}  # fmt: skip
"""The categories of Wang and Zhang (2024), by the name of their file."""

TOLERANCE = 1e-6
SPECTRAL = ("exact", "normalized", "punctured")
MOMENTS = {"aggregate": ("mean", "std")}
WIDEST = "all kinds, mean and std, radius 4"
SIGNATURES = {
    **{f"{kind}, radius {radius}": {"kind": kind, "radius": radius} for kind in KINDS for radius in range(1, 5)},
    "exact, mean and std": {"radius": 2, "kind": "exact", **MOMENTS},
    "exact + normalized + punctured, mean and std": {"radius": 2, "kind": SPECTRAL, **MOMENTS},
    "all kinds, mean and std": {"radius": 2, "kind": tuple(KINDS), **MOMENTS},
    WIDEST: {"radius": 4, "kind": tuple(KINDS), **MOMENTS},
}


class Pairs(NamedTuple):
    """Graphs 2 i and 2 i + 1 are pair i; `categories` names the category of each pair."""

    graphs: GraphSet
    categories: list[str]

    def separated(self, table):
        """Return the pairs whose graphs differ as multisets of rows of a table of all nodes."""
        parts = np.split(table, self.graphs.offsets[1:-1])
        return [pair for pair in range(len(self.categories)) if differ(parts[2 * pair], parts[2 * pair + 1])]

    def per_category(self, chosen):
        """Return how many of some pairs are in each category."""
        counts = Counter(self.categories[pair] for pair in chosen)
        return {category: counts[category] for category in CATEGORIES}


def networkx_graphs(categories):
    """Return the graphs of some categories, the two of a pair one after the other."""
    texts = [(data_folder() / "brec" / f"{category}.g6pairs").read_text() for category in categories]
    return [nx.from_graph6_bytes(word.encode()) for text in texts for word in text.split()]


def read_pairs(categories=tuple(CATEGORIES)):
    """Return the pairs of some categories."""
    names = [name for name in categories for _ in networkx_graphs([name])]
    return Pairs(graph_set(networkx_graphs(categories)), names[::2])


def graph_set(graphs):
    """Return networkx graphs with nodes 0 to n - 1 as one set."""
    edges = [np.array(graph.edges, dtype=np.int64).reshape(-1, 2).T for graph in graphs]
    sizes = map(len, graphs)
    return GraphSet.from_graphs([graph_from_ids(*ends, n_nodes=n) for ends, n in zip(edges, sizes, strict=True)])


def differ(left, right):
    """Return whether two tables are different multisets of rows.

    Values of a column that are closer than the tolerance, or linked by others that are, count as equal.
    """
    if left.shape != right.shape:
        return True
    both = np.vstack([left, right])
    order = np.argsort(both, axis=0, kind="stable")
    steps = np.cumsum(np.diff(np.take_along_axis(both, order, 0), axis=0, prepend=both.min(0)[None]) > TOLERANCE, 0)
    codes = np.empty_like(steps)
    np.put_along_axis(codes, order, steps, 0)
    one, other = (part[np.lexsort(part.T)] for part in (codes[: len(left)], codes[len(left) :]))
    return not np.array_equal(one, other)


def permuted(graphs, chosen, seed):
    """Return copies of some graphs with their nodes in random order."""
    rng, copies = np.random.default_rng(seed), []
    for place in chosen:
        order = rng.permutation(graphs[place].n_nodes)
        copies.append(graph_from_ids(*(order[ends] for ends in edges_of(graphs[place])), n_nodes=order.size))
    return GraphSet.from_graphs(copies)


def counted(pairs, table):
    """Return the pairs that a table of signatures separates, and those it misses."""
    separated = pairs.separated(table)
    missed = sorted(set(range(len(pairs.categories))) - set(separated))
    return {"columns": table.shape[1], "total": len(separated), **pairs.per_category(separated), "missed": missed}


def all_kinds():
    """Every kind up to radius 4 and some combinations."""
    pairs = read_pairs()
    return {
        "tolerance": TOLERANCE,
        "pairs": pairs.per_category(range(len(pairs.categories))),
        "signatures": {name: counted(pairs, embed(pairs.graphs, **one)) for name, one in SIGNATURES.items()},
    }


if __name__ == "__main__":
    known = read_json(FOLDER / "all_kinds.json") or {}
    write_json(FOLDER / "all_kinds.json", known | all_kinds())
