"""Random graphs of the usual models, vectorised, determined by their seeds."""

from __future__ import annotations

import numpy as np

from tests.generators.randomize import draw_new_ends, pair_keys, pairs_from_ranks
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import OffsetArray


def erdos_renyi(n_nodes: int, probability: float, seed: int) -> Graph:
    """Return a graph in which each pair is an edge with the same probability."""
    generator = np.random.default_rng(seed)
    n_pairs = n_nodes * (n_nodes - 1) // 2
    n_edges = int(generator.binomial(n_pairs, probability))
    ranks = generator.choice(n_pairs, n_edges, replace=False, shuffle=False) if n_edges else np.empty(0, np.int64)
    source, target = pairs_from_ranks(ranks)
    return graph_from_ids(source, target, n_nodes=n_nodes)


def random_regular(n_nodes: int, degree: int, seed: int) -> Graph:
    """Return a random graph in which every node has the same degree.

    Stubs are paired at random; those that would give a self-loop or a parallel edge are paired again.
    """
    generator = np.random.default_rng(seed)
    # Dense pairings get stuck, so a dense graph is the complement of a sparse one.
    dense = 2 * degree > n_nodes - 1
    wanted = n_nodes - 1 - degree if dense else degree
    keys = None
    while keys is None:
        keys = _pair_stubs(n_nodes, wanted, generator)
    if dense:
        source, target = np.triu_indices(n_nodes, 1)
        absent = ~np.isin(pair_keys(source, target, n_nodes), keys)
        return graph_from_ids(source[absent], target[absent], n_nodes=n_nodes)
    return graph_from_ids(keys // n_nodes, keys % n_nodes, n_nodes=n_nodes)


def _pair_stubs(n_nodes: int, degree: int, generator: np.random.Generator) -> OffsetArray | None:
    stubs: OffsetArray = np.repeat(np.arange(n_nodes), degree)
    keys = np.empty(0, dtype=np.int64)
    for _ in range(100):
        stubs = generator.permutation(stubs).reshape(-1, 2)
        new = pair_keys(stubs[:, 0], stubs[:, 1], n_nodes)
        good = (stubs[:, 0] != stubs[:, 1]) & ~np.isin(new, keys)
        first = np.zeros(new.size, dtype=bool)
        first[np.unique(new, return_index=True)[1]] = True
        good &= first
        keys = np.concatenate([keys, new[good]])
        stubs = stubs[~good].ravel()
        if not stubs.size:
            return keys
    return None


def watts_strogatz(n_nodes: int, neighbours: int, probability: float, seed: int) -> Graph:
    """Return a ring whose nodes are joined to their nearest neighbours, some edges then moved at random."""
    generator = np.random.default_rng(seed)
    source = np.tile(np.arange(n_nodes), neighbours // 2)
    target = (source + np.repeat(np.arange(1, neighbours // 2 + 1), n_nodes)) % max(n_nodes, 1)
    moved = generator.random(source.size) < probability
    kept = pair_keys(source[~moved], target[~moved], n_nodes)
    anchors = source[moved]
    ends = draw_new_ends(anchors, kept, n_nodes, generator)
    free = ends >= 0
    return graph_from_ids(
        np.concatenate([source[~moved], anchors[free]]),
        np.concatenate([target[~moved], ends[free]]),
        n_nodes=n_nodes,
    )


def power_law(
    n_nodes: int, exponent: float, seed: int, *, least_degree: int = 1, largest_degree: int | None = None
) -> Graph:
    """Return a graph whose degrees follow a power law, by the configuration model."""
    largest = n_nodes - 1 if largest_degree is None else largest_degree
    generator = np.random.default_rng(seed)
    tail = (1 - generator.random(n_nodes)) ** (-1 / (exponent - 1))
    degrees = np.minimum(np.floor(least_degree * tail), largest).astype(np.int64)
    stubs = generator.permutation(np.repeat(np.arange(n_nodes), degrees))
    half = stubs.size // 2
    return graph_from_ids(stubs[:half], stubs[half : 2 * half], n_nodes=n_nodes)


def web(n_catalogues: int, n_entries: int, n_pages: int, seed: int) -> Graph:
    """Return a graph like a crawl of the web: catalogues, whose pages a program wrote, among pages that people wrote.

    All entries of a catalogue are joined to its 8 menu pages, which so become hubs, and every 40 of them to the page of
    their section: these are twins. A page is joined to about 3 others, of which few are popular. Half of them are also
    joined to a menu page, and one in eight has a leaf.
    """
    generator = np.random.default_rng(seed)
    menu, per_section, links = 8, 40, 3
    n_sections = -(-n_entries // per_section)
    size = menu + n_sections + n_entries
    first = size * np.arange(n_catalogues)
    entries = np.arange(n_entries)
    sections = menu + np.arange(n_sections)
    within = [(np.repeat(menu + n_sections + entries, menu), np.tile(np.arange(menu), n_entries))]
    within += [(menu + n_sections + entries, menu + entries // per_section)]
    within += [(sections, np.zeros_like(sections)), np.triu_indices(menu, 1)]
    source = [(np.concatenate([one for one, _ in within]) + first[:, None]).ravel()]
    target = [(np.concatenate([other for _, other in within]) + first[:, None]).ravel()]
    pages = n_catalogues * size + np.arange(n_pages)
    source.append(np.repeat(pages, links))
    target.append(pages[0] + (n_pages * generator.random(links * n_pages) ** 2).astype(np.int64))
    readers = pages[generator.random(n_pages) < 0.5]
    source.append(readers)
    target.append(generator.choice(first, readers.size) + generator.integers(menu, size=readers.size))
    leaves = pages[-1] + 1 + np.arange(n_pages // 8)
    source.append(leaves)
    target.append(generator.choice(pages, leaves.size, replace=False))
    n_nodes = n_catalogues * size + n_pages + leaves.size
    return graph_from_ids(np.concatenate(source), np.concatenate(target), n_nodes=n_nodes)
