"""The back end for GPUs of a cluster: balls of the cheap kinds on them, the rest on its CPUs; none is needed here."""

from collections.abc import Generator

from vnestruct.embedding.backends import BackendRequest, Workers
from vnestruct.embedding.backends.cuda import DeviceTask, cut_for_devices, has_kernel, warn_of_cpu_kinds
from vnestruct.embedding.backends.ray import RayBackend
from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block
from vnestruct.graph import Graph
from vnestruct.kernels import BITS_VERSION
from vnestruct.kernels import cuda as kernels
from vnestruct.types import ValueArray


class RayCudaBackend(RayBackend):
    """Runs blocks on GPUs of a cluster, one process per GPU; `n_jobs` is the number of GPUs used at once."""

    name, resource = "ray-cuda", "GPU"

    def __init__(self, request: BackendRequest) -> None:
        super().__init__(request)
        warn_of_cpu_kinds(request.settings, stacklevel=7)
        self.fingerprint = f"{BITS_VERSION}-{kernels.digest()}"
        if request.plans is not None:  # a checkpoint states what its rows were computed on
            self.machine = {"gpu": self._cluster("GPU").accelerators()}

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Ranked:
        """Rewrite a graph in ranks, once it is known that there are GPUs."""
        self._cluster("GPU")
        return super().rank(graph, settings, direction)

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Run a task on the GPUs, however short, if they have a kernel for it; bits must not depend on its length."""
        if not has_kernel(task.outputs):
            return super().run(task, costs)
        gpus = self._cluster("GPU")
        return gpus.run(DeviceTask(task, costs), cut_for_devices(costs, gpus.n_workers))

    def workers(self, task: NodeTask) -> Workers | None:
        """Return who will run a task; None for GPUs, whose time a sample on the CPU cannot tell."""
        return None if has_kernel(task.outputs) else super().workers(task)
