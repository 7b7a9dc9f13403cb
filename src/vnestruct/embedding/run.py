"""How one request is carried out: by which back end, who hears about it, where rows are kept, which part of them."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from vnestruct.checks import one_of
from vnestruct.embedding.backends import Backend, BackendRequest
from vnestruct.embedding.backends.out_of_core import OutOfCoreBackend
from vnestruct.embedding.identity import bits_identity
from vnestruct.embedding.parameters import ENGINES, Settings, parse_size
from vnestruct.embedding.progress import Progress, as_progress
from vnestruct.embedding.tasks import registered, task_type
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.graph import Graph
from vnestruct.store import Checkpoint, parse_part

PLANS = "plans"  # folder in a checkpoint for plans and graphs in ranks, which other machines and later runs open


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
    if address is not None and not engine.startswith("ray"):
        wrong = f" runs on this machine and takes no address; got {address!r}"
        raise ParameterError(Message(Parameter("engine", engine), wrong))
    if part is not None and checkpoint is None:
        raise ParameterError(Message(Parameter("part"), " needs ", Parameter("checkpoint"), ", where the parts meet"))
    chosen = None if part is None else parse_part(part)
    limit = None if max_memory is None else parse_size(max_memory)
    listener = as_progress(progress)
    plans = None if checkpoint is None else Path(checkpoint) / PLANS
    request = BackendRequest(graph, settings, n_jobs, address, limit, plans, listener.announce)
    made = registered(ENGINES[engine])(request)
    with closing(made if limit is None else OutOfCoreBackend(made, request)) as backend:
        kept = None
        if checkpoint is not None:
            # Rows of two versions of the kernels may differ in their last bits, and must not be mixed.
            kernels = backend.fingerprint + "".join(sorted({task_type(kind).bits for kind in settings.kinds}))
            identity = {"graph": graph.hash, "kernels": kernels, **settings.identity()}
            kept = Checkpoint.open(checkpoint, identity | bits_identity(backend.machine), settings.radius)
        yield Run(backend, listener, kept, chosen)
