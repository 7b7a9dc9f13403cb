"""A Ray cluster of three nodes on one machine, for all tests of the Ray engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

# A dead node is noticed after five seconds instead of thirty; less would hit live nodes on a busy machine.
HEALTH_CHECKS = {"health_check_period_ms": 1000, "health_check_failure_threshold": 5}


class ThreeNodes:
    """One head, to which the tests are connected, and two more nodes that may be killed; one CPU each."""

    def __init__(self, cluster: Any) -> None:
        self._cluster = cluster
        self.others: list[Any] = []
        self.restore()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    def kill(self, node: Any) -> None:
        """Kill a node with everything on it."""
        self.others.remove(node)
        self._cluster.remove_node(node, allow_graceful=False)

    def add(self, **options: Any) -> Any:
        """Start one more node, which must be removed."""
        node = self._cluster.add_node(**options)
        self._cluster.wait_for_nodes()
        return node

    def remove(self, node: Any) -> None:
        """End a node."""
        self._cluster.remove_node(node)

    def restore(self) -> None:
        """Start nodes until there are three again."""
        while len(self.others) < 2:
            self.others.append(self._cluster.add_node(num_cpus=1))
        self._cluster.wait_for_nodes()


@pytest.fixture(scope="session")
def three_nodes() -> Iterator[ThreeNodes]:
    """The cluster; the process is connected to it."""
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    from ray import cloudpickle
    from ray.cluster_utils import Cluster

    from tests import ray_tasks

    cloudpickle.register_pickle_by_value(ray_tasks)
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "_system_config": HEALTH_CHECKS})
    try:
        nodes = ThreeNodes(cluster)
        ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
        yield nodes
    finally:
        ray.shutdown()
        cluster.shutdown()


@pytest.fixture
def whole_cluster(three_nodes: ThreeNodes) -> ThreeNodes:
    """The cluster with all of its nodes alive."""
    three_nodes.restore()
    return three_nodes
