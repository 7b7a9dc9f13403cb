"""Plans whose rows are on a device, against those of the CPU."""

from __future__ import annotations

from itertools import product

import numpy as np

from vnestruct.embedding.plan import Plan, plan_ranked, rank_graph
from vnestruct.graph import Graph
from vnestruct.kernels.cuda import DeviceRows


def check_plans(graph: Graph) -> None:
    """Check that all a device finds for a plan equals what the CPU finds."""
    on_cpu = rank_graph(graph)._replace(may_copy=False)
    device = DeviceRows(graph.indptr, graph.indices)
    same((device.rank, device.node, *device.rows), (on_cpu.rank, on_cpu.node, *on_cpu.graph))
    assert device.twins(leaves=True) is not None
    for reduce_leaves, collapse in product((False, True), repeat=2):
        plans = [
            plan_ranked(ranked, reduce_leaves=reduce_leaves, collapse=collapse)
            for ranked in (on_cpu._replace(device=device), on_cpu)
        ]
        same(*map(found_by, plans))


def found_by(plan: Plan) -> list[np.ndarray | None]:
    """Return all that a plan found out."""
    nodes = np.arange(plan.n_nodes, dtype=np.int32)
    costs = [plan.costs(nodes, radius) for radius in (1, 2, 3, 6)]
    return [plan.leader, plan.leaf_of, *plan.graph, *plan.components[:2], *costs]


def same(found: object, expected: object) -> None:
    """Check that arrays are equal, of equal types and read-only alike."""
    for one, other in zip(found, expected, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            assert (one.dtype, one.flags.writeable) == (other.dtype, other.flags.writeable)
            assert np.array_equal(one, other)


def ranked_on(device: DeviceRows, graph: Graph) -> Plan:
    """Return a graph in ranks that is planned on a device."""
    return rank_graph(graph)._replace(device=device, may_copy=False)
