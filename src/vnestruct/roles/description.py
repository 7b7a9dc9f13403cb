"""Describe a role in one line, by fixed rules from measured facts alone."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Facts:
    """Measurements of the nodes of a role, and of the whole graph for comparison; without a prefix, medians."""

    size: int
    degree: float
    lowest_degree: int
    highest_degree: int
    clustering: float
    lowest_clustering: float
    highest_clustering: float
    neighbour_degree: float
    graph_degree: float
    graph_high_degree: float
    """Degree that seven of eight nodes do not exceed."""


_FAR_LARGER = 3.0
"""A node is small compared with its neighbours if their mean degree is at least this many times its own."""


def describe(facts: Facts, *, with_degree: bool = True) -> str:
    """Describe a role; a number that not all of its nodes share is marked as a median.

    Examples
    --------
    >>> hubs = Facts(40, 120.0, 80, 300, 0.05, 0.0, 0.1, 9.0, 8.0, 30.0)
    >>> describe(hubs)
    'hubs: degree 120 (median), few links among their neighbours'
    >>> describe(hubs, with_degree=False)
    'hubs, few links among their neighbours'
    """
    if facts.highest_degree == 0:
        return f"{_noun(facts, 'isolated node')}: no links"
    if facts.highest_degree == 1:
        each = " each" if facts.size > 1 else ""
        return f"{_noun(facts, 'pendant node')}: one link{each}, to a node of degree {_number(facts.neighbour_degree)}"
    return f"{_kind(facts)}{f': {_degree(facts)}' if with_degree else ''}, {_links(facts)}"


def _kind(facts: Facts) -> str:
    if facts.degree >= max(facts.graph_high_degree, 2.0 * facts.graph_degree):
        return _noun(facts, "hub") if facts.clustering < 0.5 else _in_groups(facts, "dense core")
    if facts.lowest_clustering == 1.0:
        return _in_groups(facts, "clique")
    if facts.degree >= 1.5 * facts.graph_degree:
        return _noun(facts, "well-connected node")
    if facts.neighbour_degree >= _FAR_LARGER * facts.degree:
        return f"{_noun(facts, 'small node')} linked to large ones (of degree {_number(facts.neighbour_degree)})"
    if facts.highest_degree == 2 and facts.highest_clustering == 0.0:
        return _noun(facts, "link") + (" in chains" if facts.size > 1 else " in a chain")
    if facts.clustering >= 0.6:
        return _in_groups(facts, "tight group")
    return _noun(facts, "peripheral node" if facts.degree <= 0.5 * facts.graph_degree else "ordinary node")


def _degree(facts: Facts) -> str:
    if facts.lowest_degree == facts.highest_degree:
        return f"degree {facts.lowest_degree:,}"
    return f"degree {_number(facts.degree)} (median)"


def _links(facts: Facts) -> str:
    whose = "their" if facts.size > 1 else "its"
    if facts.highest_clustering == 0.0:
        return f"no links among {whose} neighbours"
    if facts.lowest_clustering == 1.0:
        return "all neighbours linked to each other"
    for limit, amount in ((0.1, "few"), (0.35, "some"), (0.65, "many")):
        if facts.clustering < limit:
            return f"{amount} links among {whose} neighbours"
    return "most neighbours linked to each other"


def _in_groups(facts: Facts, group: str) -> str:
    return f"member of a {group}" if facts.size == 1 else f"members of {group}s"


def _noun(facts: Facts, word: str) -> str:
    return word if facts.size == 1 else f"{word}s"


def _number(value: float) -> str:
    """Format a median: without decimals if it is whole or large, else with one."""
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:,.1f}"
