"""Eight balls at once, level by level, against breadth-first search on sets."""

from __future__ import annotations

import numpy as np

from tests import generators as synthetic
from tests import oracles
from tests.cases import for_each
from tests.graphs import ZOO, directed_copy
from tests.kernels.calls import clear_search, list_members, next_level, start_search
from tests.kernels.local import groups
from vnestruct import Graph
from vnestruct.embedding.plan import Plan, plan_ranked, rank_graph
from vnestruct.kernels.workspace import Search, make_workspace

GRAPHS = {**ZOO, "several words": synthetic.watts_strogatz(5_000, 4, 0.1, seed=1)}


def check_group(
    graph: Graph, plan: Plan, space: Search, nodes: list[int], radius: int, direction: str, told: bool
) -> None:
    """Search one group; with `told`, the last level knows that it is the last."""
    centres = plan.rank[nodes]
    length = start_search(space, centres)
    balls = [{node} for node in nodes]
    k = 0
    for r in range(1, radius + 1):
        length, reached = next_level(space, plan.search, length, told and r == radius)
        larger = [oracles.ball(graph, node, r, direction) for node in nodes]
        grown = [len(now) > len(before) for now, before in zip(larger, balls, strict=True)]
        assert reached == sum(grew << lane for lane, grew in enumerate(grown))
        balls = larger
        k = list_members(space)
        members = space.ball[:k].tolist()
        assert members == sorted(plan.rank[sorted(set().union(*balls))].tolist())
        for j, ball in enumerate(balls):
            inside = [u for u in members if space.seen[u] >> j & 1]
            assert {int(plan.node[u]) for u in inside} == ball
    clear_search(space, k)
    assert not space.seen.any()
    assert not space.new.any()
    assert not space.members.any()
    assert not space.summary.any()


@for_each("name", GRAPHS)
@for_each("direction", ["all", "out", "in"])
def test_balls(name: str, direction: str) -> None:
    graph = GRAPHS[name] if direction == "all" else directed_copy(GRAPHS[name], seed=6)
    plan = plan_ranked(rank_graph(graph, weighted=False, direction=direction), reduce_leaves=True)
    space = make_workspace(graph.n_nodes, False).search
    for size, told in ((8, True), (3, True), (8, False)):
        # One workspace for all: what a group leaves behind would spoil the next.
        for nodes in groups(graph, size, seed=size)[:12]:
            check_group(graph, plan, space, nodes, 4, direction, told)


def test_members_of_a_large_graph_come_out_in_order() -> None:
    """More than 64 * 64 nodes: the summary has several words."""
    space = make_workspace(300_000, False).search
    wanted = np.unique(np.random.default_rng(1).integers(0, 300_000, 500)).astype(np.int32)
    for first in range(0, wanted.size, 8):
        start_search(space, wanted[first : first + 8])
    k = list_members(space)
    assert np.array_equal(space.ball[:k], wanted)
