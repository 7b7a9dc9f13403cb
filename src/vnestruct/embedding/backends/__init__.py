"""Back ends: who does the work of the pipeline, and where the graph lies meanwhile.

Each supplies the same few operations: rank a graph, compute radius 1, run a task over blocks. The pipeline knows
nothing else about them. A new one is a file here and a line in `vnestruct.embedding.parameters.ENGINES`.
"""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from vnestruct.embedding.parameters import Settings
from vnestruct.embedding.plan import Ranked
from vnestruct.embedding.tasks import NodeTask
from vnestruct.execute import Block, ThreadsEngine
from vnestruct.graph import Graph
from vnestruct.types import ValueArray


@dataclass(frozen=True)
class BackendRequest:
    """What a back end is made for."""

    graph: Graph
    settings: Settings
    n_jobs: int | None = None
    address: str | None = None
    max_memory: int | None = None  # bytes
    plans: Path | None = None  # folder on storage that workers elsewhere share, for graphs in ranks
    on_message: Callable[[str], None] = lambda text: None


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
