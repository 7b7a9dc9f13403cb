"""The back end for clusters: blocks run on the CPUs of a Ray cluster, which is joined or started when needed."""

from collections.abc import Callable, Generator
from pathlib import Path

from vnestruct.embedding.backends.out_of_core import has_ranked_file, ranked_from_file
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, cut_blocks, resolve_n_jobs, usable_cpus
from vnestruct.execute.ray import RayEngine
from vnestruct.execute.ray_cluster import check_cluster
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph
from vnestruct.types import ValueArray


class RayBackend(ThreadsBackend):
    """Runs blocks on a cluster; what needs the whole graph is done on threads of this process."""

    def __init__(
        self, n_jobs: int | None, address: str | None, plans: Path | None, on_message: Callable[[str], None]
    ) -> None:
        check_cluster(address)
        # `n_jobs` may count the CPUs of a whole cluster.
        super().__init__(min(resolve_n_jobs(n_jobs), usable_cpus()))
        self.plans, self._n_jobs, self._address, self._on_message = plans, n_jobs, address, on_message
        self._engine: RayEngine | None = None

    @property
    def n_workers(self) -> int:
        """Number of CPUs of the cluster that are used; connects to it."""
        return self._cluster().n_workers

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Ranked:
        """Rewrite a graph in ranks: in a file that workers map, where the graph is mapped from one."""
        is_plain = not settings.weighted and direction == "all"
        if is_plain and isinstance(graph, MappedGraph) and (self.plans is not None or has_ranked_file(graph)):
            return ranked_from_file(graph, self.plans)
        return super().rank(graph, settings, direction)

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task on the cluster; one that is short runs here, and no cluster is started for it."""
        if task.is_short(float(costs.sum())):
            return super().run(task, costs)
        cluster = self._cluster()
        return cluster.run(task, cut_blocks(costs, n_workers=cluster.n_workers))

    def close(self) -> None:
        """Stop the cluster if it was started here."""
        super().close()
        if self._engine is not None:
            self._engine.close()

    def _cluster(self) -> RayEngine:
        if self._engine is None:
            address = self._address
            begin, where = ("Joining", f"at {address}") if address else ("Starting", "on this machine")
            self._on_message(f"{begin} Ray {where} ...")
            self._engine = RayEngine(self._n_jobs, address)
        return self._engine
