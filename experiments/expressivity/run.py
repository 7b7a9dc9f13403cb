"""Count the pairs of BREC that each signature separates: ``python -m experiments.expressivity.run``.

Every signature is one call of `vnestruct.embed` over all graphs. Results go to ``results/expressivity/``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from experiments.expressivity.pairs import (
    CATEGORIES,
    TOLERANCE,
    Pairs,
    Rows,
    differ,
    graph_set,
    networkx_graphs,
    permuted,
    read_pairs,
)  # fmt: skip
from experiments.storage import RESULTS, data_folder

from vnestruct.embedding import embed
from vnestruct.embedding.parameters import AGGREGATES, KINDS, checked_settings

FOLDER = RESULTS / "expressivity"
SPECTRAL = ("exact", "normalized", "punctured")
LARGEST_RADIUS = 4
DEEPEST = 14
DECK = ("dr",)
"""Categories whose pairs are also compared by their decks: graphs without one node."""
COMBINATIONS: dict[str, dict[str, Any]] = {
    "exact, mean and std": {"radius": 2, "kind": ("exact",), "aggregate": AGGREGATES},
    "exact + normalized + punctured, mean and std": {"radius": 2, "kind": SPECTRAL, "aggregate": AGGREGATES},
    "all kinds, mean and std": {"radius": 2, "kind": tuple(KINDS), "aggregate": AGGREGATES},
    "all kinds, mean and std, radius 4": {"radius": 4, "kind": tuple(KINDS), "aggregate": AGGREGATES},
}
N_COPIES = 200
SIZE, DRAWS, THRESHOLD = 16, 32, 72.34
"""BREC's comparison: numbers per graph, permuted copies per pair, and the threshold of Hotelling's statistic."""


def whole_table(pairs: Pairs, folder: Path) -> Rows:
    """Return the widest signature of all nodes, computed once; the narrower ones are some of its columns."""
    path = folder / "signatures.npy"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        widest = COMBINATIONS["all kinds, mean and std, radius 4"]
        np.save(path, embed(pairs.graphs, **widest))
    return np.asarray(np.load(path))


def columns_of(radius: int, kind: Sequence[str], aggregate: Sequence[str] = ()) -> list[int]:
    """Return the columns of a signature inside the widest one."""
    every = checked_settings(LARGEST_RADIUS, tuple(KINDS), aggregate=AGGREGATES).columns
    return [every.index(name) for name in checked_settings(radius, tuple(kind), aggregate=tuple(aggregate)).columns]


def signatures() -> dict[str, list[int]]:
    """Return the columns of every signature in the table, by its name."""
    chosen = {
        f"{kind}, radius {radius}": columns_of(radius, (kind,))
        for kind in KINDS
        for radius in range(1, LARGEST_RADIUS + 1)
    }
    return chosen | {name: columns_of(**options) for name, options in COMBINATIONS.items()}


def paired_comparison(vectors: Rows, others: Rows) -> bool:
    """Return whether BREC's statistic calls two graphs different, given vectors of permuted copies of each."""
    apart = vectors - others
    mean = apart.mean(axis=0)
    spread = np.cov(apart.T) + 1e-7 * np.eye(apart.shape[1])
    return bool(len(apart) * mean @ np.linalg.solve(spread, mean) > THRESHOLD)


def graph_vectors(rows: Rows, offsets: Any) -> Rows:
    """Return 16 numbers per graph: sums of fixed random cosines of the rows, which tell most multisets apart."""
    rng = np.random.default_rng(0)
    scale = np.maximum(rows.std(axis=0), 1e-9)
    phases = (rows / scale) @ rng.normal(size=(rows.shape[1], SIZE)) * 3.0 + rng.uniform(0.0, 2 * np.pi, SIZE)
    return np.add.reduceat(np.cos(phases), offsets[:-1], axis=0)


def compared(pairs: Pairs, options: dict[str, Any], seed: int = 0) -> dict[str, list[int]]:
    """Return the pairs that BREC's protocol calls different, and those whose first graph it calls unlike itself."""
    n_pairs = len(pairs.categories)
    draws: list[Rows] = []
    for draw in range(DRAWS):
        copies = permuted(pairs.graphs, list(range(2 * n_pairs)), seed + draw)
        draws.append(graph_vectors(embed(copies, **options), copies.offsets))
    vectors = np.stack(draws, axis=1)
    half = np.roll(vectors, 1, axis=1)
    different = [pair for pair in range(n_pairs) if paired_comparison(vectors[2 * pair], vectors[2 * pair + 1])]
    unreliable = [pair for pair in range(n_pairs) if paired_comparison(vectors[2 * pair], half[2 * pair])]
    return {"different": different, "unreliable": unreliable}


def per_category(pairs: Pairs, separated: Sequence[int]) -> dict[str, int]:
    """Return how many pairs of each category are separated."""
    counts = Counter(pairs.categories[pair] for pair in separated)
    return {category: counts[category] for category in CATEGORIES}


def _check_copies(pairs: Pairs, table: Rows) -> int:
    """Return how many of 200 permuted copies differ from their original in the widest signature."""
    chosen = np.random.default_rng(1).permutation(len(pairs.graphs))[:N_COPIES].tolist()
    copies = permuted(pairs.graphs, chosen, seed=2)
    widest = embed(copies, **COMBINATIONS["all kinds, mean and std, radius 4"])
    bounds = copies.offsets
    return sum(
        differ(pairs.rows_of(table, graph), widest[bounds[place] : bounds[place + 1]])
        for place, graph in enumerate(chosen)
    )


def counted(pairs: Pairs, tables: Mapping[str, Rows]) -> dict[str, Any]:
    """Return the pairs that each table of signatures separates, and those it misses."""
    rows = {}
    for name, table in tables.items():
        separated = pairs.separated(table)
        missed = sorted(set(range(len(pairs.categories))) - set(separated))
        per = per_category(pairs, separated)
        rows[name] = {"columns": table.shape[1], "total": len(separated), **per, "missed": missed}
        print(name, len(separated), per, flush=True)
    return rows


def run_all_kinds(data: Path, work: Path) -> dict[str, Any]:
    """Every kind up to radius 4 and some combinations, permuted copies, and BREC's own protocol."""
    pairs = read_pairs(data)
    table = whole_table(pairs, work)
    protocol = compared(pairs, {"radius": 2, "kind": "exact"})
    return {
        "tolerance": TOLERANCE,
        "pairs": per_category(pairs, range(len(pairs.categories))),
        "signatures": counted(pairs, {name: table[:, columns] for name, columns in signatures().items()}),
        "copies": {"checked": N_COPIES, "told apart": _check_copies(pairs, table)},
        "protocol": {
            "signature": "exact, radius 2",
            "unreliable": len(protocol["unreliable"]),
            "total": len(protocol["different"]),
            **per_category(pairs, protocol["different"]),
        },
    }


def run_large_radii(data: Path, work: Path) -> dict[str, Any]:
    """One kind up to radius 14: balls that hold most of a graph, but not all of it."""
    pairs = read_pairs(data)
    table = embed(pairs.graphs, DEEPEST, kind="exact", aggregate=AGGREGATES)
    chosen = {}
    for radius in range(LARGEST_RADIUS + 1, DEEPEST + 1):
        chosen[f"exact, radius {radius}"] = table[:, :radius]
        moments = [group * DEEPEST + r for group in range(3) for r in range(radius)]
        chosen[f"exact, mean and std, radius {radius}"] = table[:, moments]
    return counted(pairs, chosen)


def run_deck(data: Path, work: Path) -> dict[str, Any]:
    """Signatures of all graphs that result from removing one node, for the pairs that nothing else separates."""
    pairs = read_pairs(data, list(DECK))
    rows = np.vstack([deck_rows(graph) for graph in networkx_graphs(data, list(DECK))])
    return counted(pairs, {"deck of exact, radius 2": rows})


def deck_rows(graph: nx.Graph) -> Rows:
    """Return, for each node, sums over the signatures of the graph without it: equal multisets have equal sums."""
    cards = []
    for node in graph:
        card = graph.copy()
        card.remove_node(node)
        cards.append(nx.convert_node_labels_to_integers(card))
    deck = graph_set(cards)
    table = embed(deck, 2, kind="exact")
    powers = np.hstack([table, table**2, table**3, np.sin(7.0 * table)])
    return np.add.reduceat(powers, deck.offsets[:-1], axis=0)


SIZES = {"all_kinds": run_all_kinds, "large_radii": run_large_radii, "deck": run_deck}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("sizes", nargs="*", help=f"of {', '.join(SIZES)}; by default those without a result file")
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder with brec/")
    parser.add_argument("--work", type=Path, default=Path(".expressivity"), help="folder for the signatures")
    options = parser.parse_args()
    for part in options.parts or [name for name in SIZES if not (FOLDER / f"{name}.json").exists()]:
        FOLDER.mkdir(parents=True, exist_ok=True)
        result = SIZES[part](options.data, options.work)
        (FOLDER / f"{part}.json").write_text(json.dumps(result, indent=1) + "\n")
