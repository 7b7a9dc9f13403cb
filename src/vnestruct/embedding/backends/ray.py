"""The back ends for clusters: blocks run on CPUs or GPUs of a Ray cluster, which is joined or started when needed."""

from collections.abc import Generator

from vnestruct.embedding.backends import BackendRequest, Workers
from vnestruct.embedding.backends.cuda import DeviceTask, cut_for_devices, has_kernel
from vnestruct.embedding.backends.out_of_core import has_ranked_file, ranked_from_file
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, RayEngine, check_cluster, cut_blocks, resolve_n_jobs, usable_cpus
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph
from vnestruct.kernels import cuda as kernels
from vnestruct.types import ValueArray


class RayBackend(ThreadsBackend):
    """Runs blocks on a cluster; what needs the whole graph is done on threads of this process."""

    keeps_plans = False
    name, resource = "ray", "CPU"  # the engine, and what its workers have one of

    def __init__(self, request: BackendRequest) -> None:
        check_cluster(request.address, self.name)
        # `n_jobs` may count the CPUs of a whole cluster, or its GPUs.
        n_jobs = min(resolve_n_jobs(request.n_jobs), usable_cpus())
        super().__init__(n_jobs if self.resource == "CPU" else None)
        self.plans, self._request = request.plans, request
        self._engines: dict[str, RayEngine] = {}

    @property
    def n_workers(self) -> int:
        """Number of CPUs, or GPUs, of the cluster that are used; connects to it."""
        return self._cluster(self.resource).n_workers

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
        cluster = self._cluster("CPU")
        return cluster.run(task, cut_blocks(costs, n_workers=cluster.n_workers))

    def workers(self, task: NodeTask) -> Workers | None:
        """Return who will run a task."""
        return Workers(number := self._cluster("CPU").n_workers, f"{number} CPUs of a Ray cluster")

    def close(self) -> None:
        """Stop the cluster if it was started here."""
        super().close()
        for engine in self._engines.values():
            engine.close()

    def _cluster(self, resource: str) -> RayEngine:
        if resource not in self._engines:
            address, n_jobs = self._request.address, self._request.n_jobs if resource == self.resource else None
            begin = "Joining" if address or self._engines else "Starting"
            self._request.announce(f"{begin} Ray {f'at {address}' if address else 'on this machine'} ...")
            self._engines[resource] = RayEngine(n_jobs, address, resource)
        return self._engines[resource]


class RayCudaBackend(RayBackend):
    """Runs balls on GPUs of a cluster, one process per GPU; `n_jobs` is the number of those."""

    name, resource = "ray-cuda", "GPU"

    def __init__(self, request: BackendRequest) -> None:
        super().__init__(request)
        self.fingerprint = f"{self.fingerprint}-{kernels.digest()}"
        if request.plans is not None or request.settings.radius > 1:  # radius 1 alone may need no GPU
            self._cluster("GPU")
            resources = check_cluster(request.address).cluster_resources()
            self.machine = {"gpu": sorted(name for name in resources if name.startswith("accelerator_type:"))}

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task on the GPUs, however short, if they have a kernel for it; bits must not depend on its length."""
        if not has_kernel(task):
            return super().run(task, costs)
        gpus = self._cluster("GPU")
        return gpus.run(DeviceTask(task, costs), cut_for_devices(costs, gpus.n_workers))

    def workers(self, task: NodeTask) -> Workers | None:
        """Return who will run a task; None for GPUs, whose time a sample on the CPU cannot tell."""
        return None if has_kernel(task) else super().workers(task)
