"""How one request is carried out: by which engine, who hears about it, where rows are kept, which part of them.

An engine supplies three operations: rank a graph, compute radius 1, run a task over blocks. The pipeline knows nothing
else about it. A new one is a file in `backends` and a line in `parameters.ENGINES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from vnestruct import store
from vnestruct.checks import one_of
from vnestruct.embedding.backends.threads import ThreadsBackend
from vnestruct.embedding.parameters import ENGINES, Settings, parse_size
from vnestruct.embedding.progress import Progress, as_progress
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.lazy import load
from vnestruct.types import ValueArray

if TYPE_CHECKING:
    from vnestruct.store import Checkpoint

PLANS = "plans"  # folder in a checkpoint for graphs in ranks, which other machines and later runs open
_BACKENDS = "vnestruct.embedding.backends"


@dataclass(frozen=True)
class Run:
    """How one request is carried out."""

    backend: ThreadsBackend
    progress: Progress
    checkpoint: Checkpoint | None = None
    part: tuple[int, int] | None = None  # (k, n): compute only the k-th of n parts of the rows

    def slice_of(self, costs: ValueArray) -> slice:
        """Return the positions of a work list that belong to the part."""
        assert self.part is not None
        return store.part_slice(costs, *self.part)


@contextmanager
def open_run(
    graph: Graph, settings: Settings, *, engine: str = "threads", address: str | None = None, n_jobs: int | None = None,
    max_memory: int | str | None = None, part: str | tuple[int, int] | None = None,
    checkpoint: str | PathLike[str] | None = None, progress: object = False,
) -> Iterator[Run]:  # fmt: skip
    """Check how the work is to be done, prepare for it, and end what was started for it."""
    one_of("engine", engine, ENGINES)
    if address is not None and engine != "ray":
        raise ParameterError(f"`engine={engine!r}` runs on this machine and takes no address; got {address!r}")
    if part is not None and checkpoint is None:
        raise ParameterError("`part` needs `checkpoint`, where the parts meet")
    chosen = None if part is None else store.parse_part(part)
    limit = None if max_memory is None else parse_size(max_memory)
    listener = as_progress(progress)
    plans = None if checkpoint is None else Path(checkpoint) / PLANS
    opened = open_engine(
        engine, graph, settings, n_jobs=n_jobs, address=address, max_memory=limit, plans=plans,
        on_message=listener.on_message,
    )  # fmt: skip
    with closing(opened) as backend:
        kept = None
        if checkpoint is not None:
            identity = {"graph": graph.hash, "device": backend.device, **settings.identity()}
            kept = store.Checkpoint.open(checkpoint, identity, settings.radius)
        yield Run(backend, listener, kept, chosen)


def open_engine(
    engine: str, graph: Graph, settings: Settings, *, n_jobs: int | None = None, address: str | None = None,
    max_memory: int | None = None, plans: Path | None = None, on_message: Callable[[str], None] = lambda text: None,
) -> ThreadsBackend:  # fmt: skip
    """Make the back end of an engine; `plans` is a folder on storage that workers share, for graphs in ranks."""
    if engine == "auto":
        has_use = max_memory is None and load(f"{_BACKENDS}.cuda:is_worthwhile")(graph, settings)
        engine = "cuda" if has_use else "threads"
    backend: ThreadsBackend = load(ENGINES[engine])(n_jobs, address, plans, on_message)
    if max_memory is not None:
        backend = load(f"{_BACKENDS}.out_of_core:OutOfCoreBackend")(backend, graph, max_memory)
    return backend
