"""The back end for clusters: blocks run on the CPUs of a Ray cluster, which is joined or started when needed."""

from collections.abc import Generator
from functools import cached_property
from typing import Any

from vnestruct.embedding.backends import ThreadsBackend
from vnestruct.embedding.backends.out_of_core import has_ranked_file, ranked_from_file
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Plan
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, ThreadsEngine, cut_blocks, resolve_n_jobs
from vnestruct.execute.ray import RayEngine, check_cluster
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph
from vnestruct.types import ValueArray


class RayBackend(ThreadsBackend):
    """Runs blocks on a cluster; what needs the whole graph is done on threads of this process."""

    def __init__(self, *request: Any) -> None:
        super().__init__(*request)
        check_cluster(self.address)
        # `n_jobs` may count the CPUs of a whole cluster.
        self.threads = ThreadsEngine(min(resolve_n_jobs(self.n_jobs), resolve_n_jobs()))

    @cached_property
    def _cluster(self) -> RayEngine:
        begin, where = ("Joining", f"at {self.address}") if self.address else ("Starting", "on this machine")
        self.on_message(f"{begin} Ray {where} ...")
        return RayEngine(self.n_jobs, self.address)

    @property
    def n_workers(self) -> int:
        """Number of CPUs of the cluster that are used; connects to it."""
        return self._cluster.n_workers

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Plan:
        """Rewrite a graph in ranks: in a file that workers map, where the graph is mapped from one."""
        is_plain = not settings.weighted and direction == "all"
        if is_plain and isinstance(graph, MappedGraph) and (self.plans is not None or has_ranked_file(graph)):
            return ranked_from_file(graph, self.plans)
        return super().rank(graph, settings, direction)

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task on the cluster; one that is short runs here, and no cluster is started for it."""
        if task.is_short(float(costs.sum())):
            return super().run(task, costs)
        return self._cluster.run(task, cut_blocks(costs, n_workers=self.n_workers))

    def close(self) -> None:
        """Stop the cluster if it was started here."""
        super().close()
        if "_cluster" in vars(self):
            self._cluster.close()
