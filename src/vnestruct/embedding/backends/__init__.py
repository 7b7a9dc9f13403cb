"""Back ends: who does the work of the pipeline, and where the graph lies meanwhile.

Each supplies the same few operations: rank a graph, compute radius 1, run a task over blocks. The pipeline knows
nothing else about them. A new one is a file here, a name and a case in `open_engine`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from vnestruct.embedding.parameters import Settings
    from vnestruct.embedding.plan import Ranked
    from vnestruct.embedding.tasks import NodeTask
    from vnestruct.execute import Block, ThreadsEngine
    from vnestruct.graph import Graph
    from vnestruct.types import ValueArray

ENGINES = ["threads", "ray", "cuda", "auto"]


class Backend(Protocol):
    """What the pipeline asks for."""

    device: str  # what decides the last bits of a row: "cpu", or the kind of GPU and its kernels
    threads: ThreadsEngine  # threads of this process, for what is done beside the graph

    def rank(self, graph: Graph, settings: Settings, direction: str) -> Ranked:
        """Rewrite a graph in ranks of degree."""

    def radius_one(self, graph: Graph, outputs: Sequence[str], ranked: Ranked | None = None) -> ValueArray:
        """Return radius 1 of every node of a plain graph: by rank if the graph is given in ranks, else by node."""

    def run(self, task: NodeTask, costs: ValueArray) -> Generator[tuple[Block, ValueArray], None, None]:
        """Cut a work list by cost, and yield every block with its rows."""

    def submit(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """Run a function beside the caller, if there are threads and memory for that; return what has its result."""

    def close(self) -> None:
        """End what was started."""


def open_engine(
    engine: str, graph: Graph, settings: Settings, *, n_jobs: int | None = None, address: str | None = None,
    max_memory: int | None = None, plans: Path | None = None, on_message: Callable[[str], None] = lambda text: None,
) -> Backend:  # fmt: skip
    """Make the back end of an engine; `plans` is a folder on storage that workers share, for graphs in ranks."""
    # Imported here: commands read the names of engines, and need neither Numba nor the modules of other engines.
    backend: Any
    match engine:
        case "ray":
            from vnestruct.embedding.backends.ray import RayBackend

            backend = RayBackend(n_jobs, address, plans, on_message)
        case "cuda" | "auto":
            from vnestruct.embedding.backends.cuda import CudaBackend, is_worthwhile

            if engine == "auto" and (max_memory is not None or not is_worthwhile(graph, settings)):
                return open_engine("threads", graph, settings, n_jobs=n_jobs, max_memory=max_memory)
            backend = CudaBackend(n_jobs)
        case _:
            from vnestruct.embedding.backends.threads import ThreadsBackend

            backend = ThreadsBackend(n_jobs)
    if max_memory is None:
        return backend  # type: ignore[no-any-return]
    from vnestruct.embedding.backends.out_of_core import OutOfCoreBackend

    return OutOfCoreBackend(backend, graph, max_memory)
