"""How work is carried out: the engine, who hears of progress, where rows are kept, how much memory there is."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from types import TracebackType

from vnestruct.embedding.budget import Budget
from vnestruct.embedding.devices import chosen_engine, cuda_digest, warn_of_spectra
from vnestruct.embedding.parameters import ENGINES, Settings
from vnestruct.embedding.progress import as_report
from vnestruct.errors import ParameterError
from vnestruct.execute import CudaEngine, Engine, RayEngine, ThreadsEngine, resolve_n_jobs, usable_cpus
from vnestruct.graph import Graph
from vnestruct.io.vng import MappedGraph
from vnestruct.kernels import BITS_VERSION
from vnestruct.store import Checkpoint

Report = Callable[[float, float], None]
"""Called with (cost done, cost in all) after each block."""

_PLANS = "plans"
"""Folder in a checkpoint for graphs in ranks, which other machines and later runs open as they are."""


@dataclass(frozen=True)
class Runner:
    """How work is carried out; a context that ends what was started for it."""

    engine: Engine
    n_workers: int
    report: Report | None = None
    checkpoint: Checkpoint | None = None
    local: ThreadsEngine | None = None
    """Does what must be done beside the graph, where `engine` works elsewhere."""
    budget: Budget | None = None
    plans: Path | None = None
    """Folder on storage that workers elsewhere share, for graphs in ranks."""
    on_devices: bool = False
    """Whether `engine` has GPUs as its workers."""
    ending: ExitStack = field(default_factory=ExitStack, compare=False)

    @property
    def here(self) -> tuple[Engine, int]:
        """The engine of this process, and its number of workers."""
        return (self.engine, self.n_workers) if self.local is None else (self.local, self.local.n_workers)

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.ending.close()


def make_runner(
    graph: Graph,
    settings: Settings,
    engine: str,
    address: str | None,
    n_jobs: int | None,
    checkpoint: str | PathLike[str] | None,
    progress: object,
    max_memory: int | None = None,
) -> Runner:
    """Check how the work is to be done, and make ready for it."""
    if engine not in ENGINES:
        raise ParameterError(f"engine must be one of {', '.join(map(repr, ENGINES))}, not {engine!r}")
    if address is not None and engine != "ray":
        raise ParameterError(f"engine {engine!r} runs on this machine and takes no address; got {address!r}")
    engine = chosen_engine(engine, graph, settings, max_memory)
    report = as_report(progress)
    if max_memory is not None and not isinstance(graph, MappedGraph):
        raise ParameterError("a limit on memory needs a graph that is mapped from a .vng file; convert it first")
    kept = None
    if checkpoint is not None:
        # Rows of two versions of the kernels may differ in their last bits, and must not be mixed.
        kernels = BITS_VERSION if engine != "cuda" else f"{BITS_VERSION}-{cuda_digest()}"
        identity = {"graph": graph.hash, "kernels": kernels, **settings.identity()}
        kept = Checkpoint.open(checkpoint, identity, settings.radius)
    with ExitStack() as ending:
        budget = None
        if max_memory is not None:
            folder = Path(ending.enter_context(tempfile.TemporaryDirectory(prefix="vnestruct-")))
            budget = Budget(max_memory, folder)
        if engine == "threads":
            threads = ThreadsEngine(n_jobs)
            made = Runner(threads, threads.n_workers, report, kept, budget=budget)
        elif engine == "cuda":
            devices = CudaEngine()
            warn_of_spectra(settings)
            threads = ThreadsEngine(n_jobs)
            made = Runner(devices, devices.n_workers, report, kept, threads, budget, on_devices=True)
        else:
            cluster = RayEngine(n_jobs, address)
            ending.callback(cluster.close)
            plans = None if kept is None else kept.directory / _PLANS
            # Radius 1 takes CPUs of this machine; `n_jobs` may count those of a whole cluster.
            threads = ThreadsEngine(min(resolve_n_jobs(n_jobs), usable_cpus()))
            made = Runner(cluster, cluster.n_workers, report, kept, threads, budget, plans)
        made.ending.push(ending.pop_all())
    return made
