"""The engine for clusters: blocks as tasks of Ray, on this machine or on many.

A process of the cluster computes one block at a time, and keeps the task and its workspace for the next one.
"""

import pickle
import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import EngineError, VNEstructError
from vnestruct.execute.base import Block, Task, block_failure, costliest_first, describe_block, reason_of
from vnestruct.execute.ray_cluster import Connection, connect, line_of
from vnestruct.types import ValueArray

MAX_ATTEMPTS = 4  # how often a block is tried: machines die, but a block that kills each of them must end
WITHOUT_WORKERS_SECONDS = 60.0  # how long a cluster may be without any CPU, while its machines are replaced
_LOOK_SECONDS = 5.0
_MAX_NAMED = 20


class RayEngine:
    """Run a task over blocks on a Ray cluster.

    The task, with all its arrays, is put into the object store once; the processes of a machine share one copy of it.
    Blocks that are lost with a process, a machine or an object are tried again elsewhere. `n_jobs` blocks run at once,
    None for as many as the cluster has CPUs. `address` is ``"auto"``, ``"host:port"`` or ``"ray://host:port"``, None
    for the cluster that this process is connected to, the one that RAY_ADDRESS names, or a new one on this machine,
    which `close` stops.
    """

    def __init__(self, n_jobs: int | None = None, address: str | None = None) -> None:
        self._connection = connect(address, n_jobs)
        self.n_workers = self._connection.n_workers

    def close(self) -> None:
        """Stop the cluster if this engine started it."""
        self._connection.close()

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in order of completion; blocks start costliest first.

        When the loop over this generator ends early, the blocks under way are forgotten. Blocks that cannot be finished
        raise an `EngineError` after all others have been yielded; at once if workers cannot start, or if a block says
        that the request itself is wrong.
        """
        if not blocks:
            return
        run = _Run(self._connection, task, blocks)
        # Blocks under way end by themselves: `ray.cancel` ends the program if a task finishes meanwhile (Ray 2.60).
        while run.pending or run.running:
            run.submit()
            yield from run.collect()
        if run.given_up:
            raise _given_up(task, run.given_up, len(blocks))


class _Run:
    """The state of one run."""

    def __init__(self, connection: Connection, task: Task, blocks: Sequence[Block]) -> None:
        self._ray, self._task = connection.ray, task
        self._n_in_flight = connection.n_in_flight
        self.pending = deque(costliest_first(blocks))
        self.running: dict[Any, tuple[Block, str]] = {}
        self._attempts: Counter[int] = Counter()
        self._without_workers_since: float | None = None
        # Only this class decides what is tried again, and how often.
        self._compute = self._ray.remote(num_cpus=1, max_retries=0)(compute)
        self.given_up: list[tuple[Block, BaseException]] = []
        self._put()

    def submit(self) -> None:
        """Send blocks to idle processes."""
        while self.pending and len(self.running) < self._n_in_flight:
            block = self.pending.popleft()
            self.running[self._compute.remote(self._task_id, self._reference, block)] = block, self._task_id

    def collect(self) -> Generator[tuple[Block, ValueArray], None, None]:
        """Wait for a block and yield it, unless it must be tried again."""
        ready, _ = self._ray.wait([*self.running], timeout=_LOOK_SECONDS)
        if not ready:
            self._look_for_workers()
            return
        self._without_workers_since = None
        block, task_id = self.running.pop(ready[0])
        try:
            rows, cautions = self._ray.get(ready[0])
        except self._ray.exceptions.RayTaskError as error:
            # Our function catches what happens inside it: this one could not even be loaded there.
            wrong = f"workers cannot start: {line_of(error, -1)}; every machine needs the same version of vnestruct"
            raise EngineError(wrong) from error
        except self._ray.exceptions.RayError as error:
            self._try_again(block, error)
            return
        for caution in cautions:
            warnings.warn(caution, RuntimeWarning, stacklevel=2)
        if isinstance(rows, Failure):
            self._fail(block, task_id, rows)
        else:
            self.submit()  # nobody waits while the caller is busy with these rows
            yield block, rows

    def _put(self) -> None:
        self._task_id = uuid.uuid4().hex
        try:
            self._reference = [self._ray.put(self._task)]
        except self._ray.exceptions.RayError as error:
            raise EngineError(f"the object store did not take the graph: {reason_of(error)}") from error

    def _fail(self, block: Block, task_id: str, failure: "Failure") -> None:
        error = failure.error
        if failure.setup and isinstance(error, self._ray.exceptions.RayError):
            # The task is gone from the object store. One new copy is enough for all who miss the old one.
            if task_id == self._task_id:
                self._put()
            self._try_again(block, error)
        elif isinstance(error, MemoryError):
            self._try_again(block, error)
        elif failure.setup:
            raise EngineError(f"a worker could not make ready: {reason_of(error)}") from error
        elif isinstance(error, VNEstructError):
            raise block_failure(self._task, block, error) from error
        else:
            self.given_up.append((block, error))

    def _try_again(self, block: Block, error: BaseException) -> None:
        self._attempts[block.index] += 1
        if self._attempts[block.index] < MAX_ATTEMPTS:
            self.pending.appendleft(block)
        else:
            self.given_up.append((block, error))

    def _look_for_workers(self) -> None:
        """Give up when no machine is left that could do anything."""
        if self._ray.cluster_resources().get("CPU", 0) >= 1:
            self._without_workers_since = None
            return
        now = time.monotonic()
        self._without_workers_since = self._without_workers_since or now
        if now - self._without_workers_since > WITHOUT_WORKERS_SECONDS:
            left, seconds = len(self.pending) + len(self.running), f"{WITHOUT_WORKERS_SECONDS:.0f} s"
            raise EngineError(f"the cluster has had no CPU for {seconds}; {left} blocks are left")


def _given_up(task: Task, lost: list[tuple[Block, BaseException]], n_blocks: int) -> EngineError:
    """Name the nodes of all blocks that could not be finished."""
    block, cause = lost[0]
    if len(lost) == 1 == n_blocks:
        error = block_failure(task, block, cause)
    else:
        ordered = sorted((block for block, _ in lost), key=lambda block: block.start)
        named = "; ".join(describe_block(task, block) for block in ordered[:_MAX_NAMED])
        more = f"; and {len(ordered) - _MAX_NAMED} more" if len(ordered) > _MAX_NAMED else ""
        wrong = f"could not finish {len(lost)} of {n_blocks} blocks: {named}{more} ({reason_of(cause)}); "
        error = EngineError(wrong + "all other rows are done, and kept where there is a checkpoint")
    error.__cause__ = cause
    return error


@dataclass(frozen=True)
class Failure:
    """Why a block has no rows: its own fault, or that of the `setup` before it."""

    setup: bool
    error: Exception


_state: tuple[str, Task, Any] | None = None  # a task's id, the task and its workspace, from one block to the next


def compute(task_id: str, reference: list[Any], block: Block) -> tuple[ValueArray | Failure, list[str]]:
    """Compute one block in a process of the cluster; return its rows, and the warnings that came with them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = _rows(task_id, reference, block)
    return rows, [str(warning.message) for warning in caught if warning.category is RuntimeWarning]


def _rows(task_id: str, reference: list[Any], block: Block) -> ValueArray | Failure:
    """Compute one block, with the task that this process has, or else unpacks from the object store."""
    # The reference is in a list, because Ray would fetch a bare one again for every block.
    global _state
    try:
        if _state is None or _state[0] != task_id:
            _state = None
            import ray

            # Arrays are not copied: they are views of the object store, which all processes of a machine share.
            try:
                task = ray.get(reference[0])
            except ray.exceptions.RaySystemError as error:
                # It is there but cannot be unpacked; the reason is the last line of a text that quotes a traceback.
                raise EngineError(str(error).strip().rpartition("\n")[2].partition(": ")[2]) from None
            _state = task_id, task, task.scratch()
    except Exception as error:
        return Failure(True, _portable(error))
    try:
        # Whoever wants the work to end ends the process: the flag is never set.
        _, task, scratch = _state
        return task(block, scratch, np.zeros(1, np.uint8))
    except Exception as error:
        return Failure(False, _portable(error))


def _portable(error: Exception) -> Exception:
    """Return an error that the other side can unpickle."""
    error.__traceback__ = None
    with suppress(Exception):
        pickle.loads(pickle.dumps(error))
        return error
    return EngineError(reason_of(error))
