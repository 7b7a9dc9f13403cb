"""Random graphs of the usual models, vectorised, determined by their seeds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tests.generators.randomize import draw_new_ends, pair_keys, pairs_from_ranks
from vnestruct.errors import ParameterError
from vnestruct.graph.build import graph_from_ids
from vnestruct.graph.graph import Graph


def erdos_renyi(n_nodes: int, probability: float, seed: int) -> Graph:
    """Return a graph in which each pair is an edge with the same probability.

    Examples
    --------
    >>> erdos_renyi(100, 0.05, seed=1).n_nodes
    100
    """
    if n_nodes < 0 or not 0 <= probability <= 1:
        raise ParameterError(f"n_nodes={n_nodes}, probability={probability}: need n_nodes >= 0, 0 <= probability <= 1")
    generator = np.random.default_rng(seed)
    n_pairs = n_nodes * (n_nodes - 1) // 2
    n_edges = int(generator.binomial(n_pairs, probability))
    ranks = generator.choice(n_pairs, n_edges, replace=False, shuffle=False) if n_edges else np.empty(0, np.int64)
    source, target = pairs_from_ranks(ranks)
    return graph_from_ids(source, target, n_nodes=n_nodes)


def random_regular(n_nodes: int, degree: int, seed: int) -> Graph:
    """Return a random graph in which every node has the same degree.

    Stubs are paired at random; those that would give a self-loop or a parallel edge are paired again.

    Examples
    --------
    >>> set(random_regular(20, 3, seed=1).degrees.tolist())
    {3}
    """
    if not 0 <= degree < max(n_nodes, 1) or n_nodes * degree % 2:
        raise ParameterError(
            f"there is no {degree}-regular graph of {n_nodes} nodes: degree must be from 0 to n_nodes - 1, "
            "and n_nodes * degree even"
        )
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


def _pair_stubs(n_nodes: int, degree: int, generator: np.random.Generator) -> npt.NDArray[np.int64] | None:
    stubs: npt.NDArray[Any] = np.repeat(np.arange(n_nodes), degree)
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
    """Return a ring whose nodes are joined to their nearest neighbours, some edges then moved at random.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    neighbours : int
        Number of nearest neighbours of each node, even.
    probability : float
        Probability that an edge keeps its first end only and leads to a random node instead.
    seed : int
        Seed.

    Returns
    -------
    Graph
        With ``n_nodes * neighbours / 2`` edges, unless so dense that no other node is free.

    Examples
    --------
    >>> watts_strogatz(20, 4, 0.1, seed=1)
    Graph(20 nodes, 40 edges)
    """
    if neighbours < 0 or neighbours % 2 or (neighbours and neighbours >= n_nodes):
        raise ParameterError(f"neighbours is {neighbours}; it must be even and below n_nodes = {n_nodes}")
    if not 0 <= probability <= 1:
        raise ParameterError(f"probability is {probability}; it must be from 0 to 1")
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
    """Return a graph whose degrees follow a power law, by the configuration model.

    Parameters
    ----------
    n_nodes : int
        Number of nodes.
    exponent : float
        Exponent of the degree distribution, above 1.
    seed : int
        Seed.
    least_degree, largest_degree : int, optional
        Range of the degrees before self-loops and parallel edges are dropped; up to n_nodes - 1 by default.

    Returns
    -------
    Graph

    Examples
    --------
    >>> power_law(1000, 2.5, seed=1).n_nodes
    1000
    """
    largest = n_nodes - 1 if largest_degree is None else largest_degree
    if n_nodes < 2 or exponent <= 1 or not 1 <= least_degree <= largest < n_nodes:
        raise ParameterError(
            f"n_nodes={n_nodes}, exponent={exponent}, degrees {least_degree} to {largest}: need "
            "n_nodes >= 2, exponent > 1 and 1 <= least_degree <= largest_degree < n_nodes"
        )
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

    Parameters
    ----------
    n_catalogues, n_entries : int
        Number of catalogues, and of the entries of each; at least 1.
    n_pages : int
        Number of pages outside catalogues, at least 2.
    seed : int
        Seed of all links of these pages.

    Returns
    -------
    Graph

    Examples
    --------
    >>> graph = web(2, 400, 1000, seed=1)
    >>> graph.n_nodes, bool(graph.degrees.max() > 400)
    (1961, True)
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
