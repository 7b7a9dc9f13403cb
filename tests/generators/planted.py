"""Graphs with planted roles: brokers between groups, broadcasters and collectors, groups of accounts, and others."""

from __future__ import annotations

import networkx as nx
import numpy as np

from vnestruct import as_graph
from vnestruct.graph import Graph, graph_from_ids
from vnestruct.types import BoolArray, OffsetArray


def _graph(edges: OffsetArray, n_nodes: int) -> Graph:
    return graph_from_ids(edges[:, 0], edges[:, 1], n_nodes=n_nodes)


def planted_brokers(
    seed: int, n_groups: int = 10, size: int = 40, density: float = 0.25, n_brokers: int = 8, groups: int = 3,
    links: int = 4,
) -> tuple[Graph, BoolArray]:  # fmt: skip
    """Random groups with a few random links between, and brokers, last, with `links` links into each of some groups."""
    generator = np.random.default_rng(seed)
    edges, starts = [], [0]
    for _ in range(n_groups):
        own = int(size * (0.6 + 0.8 * generator.random()))
        inside = nx.gnp_random_graph(own, density * 40 / size, seed=int(generator.integers(1 << 30)))
        edges += [(a + starts[-1], b + starts[-1]) for a, b in inside.edges()]
        starts.append(starts[-1] + own)
    n = starts[-1]
    edges += generator.integers(n, size=(n // 20, 2)).tolist()
    for broker in range(n, n + n_brokers):
        for group in generator.choice(n_groups, groups, replace=False).tolist():
            near = generator.choice(np.arange(*starts[group : group + 2]), links, replace=False)
            edges += [(broker, int(a)) for a in near]
    return _graph(np.array(edges), n + n_brokers), np.arange(n + n_brokers) >= n


def planted_broadcasters(seed: int, n: int = 2000, k: int = 20, links: int = 100) -> tuple[Graph, BoolArray, BoolArray]:
    """A random directed graph, `k` nodes that send many more links, `k` that receive many."""
    generator = np.random.default_rng(seed)
    order = generator.permutation(n)
    senders, receivers = order[:k], order[k : 2 * k]
    edges = [generator.integers(n, size=(5 * n, 2))]
    edges += [np.column_stack([np.full(links, v), generator.choice(n, links, replace=False)]) for v in senders]
    edges += [np.column_stack([generator.choice(n, links, replace=False), np.full(links, v)]) for v in receivers]
    arcs = np.unique(np.vstack(edges), axis=0)
    graph = graph_from_ids(arcs[:, 0], arcs[:, 1], n_nodes=n, directed=True)
    return graph, np.isin(np.arange(n), senders), np.isin(np.arange(n), receivers)


def planted_accounts(
    seed: int, n: int = 20_000, m: int = 8_000, groups: int = 20, members: int = 10, devices: int = 8
) -> tuple[Graph, BoolArray]:
    """Accounts and devices: `members` accounts of each group use the same `devices` devices, and hardly any others."""
    generator = np.random.default_rng(seed)
    degree = np.minimum(1 + np.floor(generator.pareto(1.6, n) * 1.5), 60).astype(int)
    weight = generator.pareto(1.5, m) + 0.3
    chosen = generator.choice(m, degree.sum(), p=weight / weight.sum())
    edges = np.column_stack([np.repeat(np.arange(n), degree), n + chosen])
    starts = np.concatenate([[0], np.cumsum(degree)])
    rich = np.flatnonzero((degree >= devices) & (degree <= devices + 4))
    planted = generator.permutation(rich)[: groups * members].reshape(groups, -1)
    free = generator.permutation(m)[: groups * devices].reshape(groups, -1)
    for group, used in zip(planted, free, strict=True):
        for account in group:
            edges[starts[account] : starts[account] + devices, 1] = n + used
    graph = as_graph(np.unique(edges, axis=0))
    return graph, np.isin(graph.nodes, planted)


def phone_calls() -> Graph:
    """80 observed phones with many contacts each, few of them shared: almost everybody is a leaf."""
    generator, edges, n = np.random.default_rng(5), [], 80
    for phone in range(80):
        for _ in range(int(np.exp(generator.normal(4, 0.9)))):
            is_shared = generator.random() < 0.12
            edges.append((phone, int(generator.integers(0, 80)) if is_shared else n))
            n += not is_shared
    return _graph(np.array(edges + generator.integers(0, 80, (150, 2)).tolist()), n)


def talk_pages(n: int = 5000) -> Graph:
    """A few broadcasters to thousands; a small dense core whose members answer one another."""
    generator, edges = np.random.default_rng(6), []
    for speaker, share in enumerate((0.55, 0.3, 0.15, 0.08)):
        edges += [(speaker, int(b)) for b in np.flatnonzero(generator.random(n) < share)]
    for member in range(60):
        near = generator.choice(60, 14).tolist()
        near += generator.integers(0, n, int(np.exp(generator.normal(3, 1)))).tolist()
        edges += [(member, other) for other in near]
    return _graph(np.array(edges), n)


def ring_of_caves(n_caves: int = 8, size: int = 7) -> tuple[Graph, OffsetArray]:
    """A ring of cliques; neighbouring ones are joined through a node of their own.

    Examples
    --------
    >>> graph, roles = ring_of_caves(3, 4)
    >>> graph.n_nodes, roles.tolist()
    (15, [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 2, 2, 2])
    """
    edges = [(a + k * size, b + k * size) for k in range(n_caves) for a in range(size) for b in range(a)]
    n = n_caves * size
    for k in range(n_caves):
        edges += [(n + k, k * size), (n + k, (k + 1) % n_caves * size + 1)]
    return _graph(np.array(edges), n + n_caves), np.array(([1, 1] + [0] * (size - 2)) * n_caves + [2] * n_caves)
