"""The back end for clusters: blocks run on a Ray cluster, which is joined or started when a run is large enough."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

from vnestruct.embedding.backends import Backend, BackendRequest, Workers
from vnestruct.embedding.backends.out_of_core import has_ranked_file, is_plain, ranked_from_file
from vnestruct.embedding.backends.threads import ThreadsBackend, within_memory
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, RayEngine, check_cluster, cut_blocks, resolve_n_jobs, usable_cpus
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph
from vnestruct.types import ValueArray


class RayBackend(ThreadsBackend):
    """Runs blocks on a cluster; what needs the whole graph is done on threads of this process.

    Parameters
    ----------
    n_jobs : int, optional
        Blocks to run at once; all CPUs of the cluster by default.
    address : str, optional
        The cluster, as for `vnestruct.execute.RayEngine`.
    plans : Path, optional
        Folder on storage that all machines share, for graphs in ranks.
    announce : callable, optional
        Called with a line of text when a cluster is joined or started.
    """

    keeps_plans = False

    def __init__(
        self,
        n_jobs: int | None = None,
        address: str | None = None,
        plans: Path | None = None,
        announce: Callable[[str], None] = lambda text: None,
    ) -> None:
        check_cluster(address)
        # `n_jobs` may count the CPUs of a whole cluster.
        super().__init__(min(resolve_n_jobs(n_jobs), usable_cpus()))
        self.plans = plans
        self._n_jobs, self._address, self._announce = n_jobs, address, announce
        self._engine: RayEngine | None = None

    @property
    def n_workers(self) -> int:
        """Number of CPUs of the cluster that are used; connects to it."""
        return self._cluster().n_workers

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Ranked:
        """Rewrite a graph in ranks: in a file that workers map, where the graph is mapped from one."""
        is_file = isinstance(graph, MappedGraph) and (self.plans is not None or has_ranked_file(graph))
        if is_file and is_plain(graph, settings, direction):
            return ranked_from_file(graph, self.plans)
        return super().rank(graph, settings, direction)

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task on the cluster; one that is short runs here, and no cluster is started for it."""
        if task.is_short(float(costs.sum())):
            return super().run(task, costs)
        cluster = self._cluster()
        return cluster.run(task, cut_blocks(costs, n_workers=cluster.n_workers))

    def workers(self, task: NodeTask) -> Workers | None:
        """Return who will run a task."""
        return Workers(self.n_workers, f"{self.n_workers} CPUs of a Ray cluster")

    def close(self) -> None:
        """Stop the cluster if it was started here."""
        if self._engine is not None:
            self._engine.close()

    def _cluster(self) -> RayEngine:
        if self._engine is None:
            where = "Starting Ray on this machine" if self._address is None else f"Joining Ray at {self._address}"
            self._announce(f"{where} ...")
            self._engine = RayEngine(self._n_jobs, self._address)
        return self._engine


def make_backend(request: BackendRequest) -> Backend:
    """Make the back end of ``engine="ray"``."""
    backend = RayBackend(request.n_jobs, request.address, request.plans, request.announce)
    return within_memory(backend, request)
