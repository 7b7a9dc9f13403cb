"""How one request is carried out: by which back end, who hears about it, where rows are kept, which part of them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from vnestruct.checks import one_of
from vnestruct.embedding.backends import ENGINES, Backend, open_engine
from vnestruct.embedding.parameters import Settings, parse_size
from vnestruct.embedding.progress import Progress, as_progress
from vnestruct.errors import ParameterError
from vnestruct.graph import Graph
from vnestruct.store import Checkpoint, parse_part

PLANS = "plans"  # folder in a checkpoint for graphs in ranks, which other machines and later runs open


@dataclass(frozen=True)
class Run:
    """How one request is carried out."""

    backend: Backend
    progress: Progress
    checkpoint: Checkpoint | None = None
    part: tuple[int, int] | None = None  # (k, n): compute only the k-th of n parts of the rows


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
    chosen = None if part is None else parse_part(part)
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
            kept = Checkpoint.open(checkpoint, identity, settings.radius)
        yield Run(backend, listener, kept, chosen)
