"""The engine itself: which blocks are under way, which come back, which must be tried again."""

import time
import uuid
import warnings
from collections import Counter, deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

from vnestruct.errors import EngineError, MissingExtraError, VNEstructError
from vnestruct.execute.base import Block, Task, block_failure, dearest_first, describe_block, reason_of
from vnestruct.execute.ray import worker
from vnestruct.execute.ray.cluster import Connection, connect, line_of
from vnestruct.execute.ray.worker import Failure
from vnestruct.types import ValueArray

MAX_ATTEMPTS = 4  # how often a block is tried: machines die, but a block that kills each of them must end
WITHOUT_WORKERS_SECONDS = 60.0  # how long a cluster may be without any CPU or GPU, while its machines are replaced
_LOOK_SECONDS = 5.0
_NAMED_AT_MOST = 20


class RayEngine:
    """Run a task over blocks on a Ray cluster.

    The task, with all its arrays, is put into the object store once; the processes of a machine share one copy of it.
    Blocks that are lost with a process, a machine or an object are tried again elsewhere. A block takes a CPU, or a GPU
    if that is the `resource`; `n_jobs` blocks run at once, None for as many as the cluster has. `address` is
    ``"auto"``, ``"host:port"`` or ``"ray://host:port"``, None for the cluster that this process is connected to, the
    one that RAY_ADDRESS names, or a new one on this machine, which `close` stops.
    """

    def __init__(self, n_jobs: int | None = None, address: str | None = None, resource: str = "CPU") -> None:
        self._connection = connect(address, n_jobs, resource)
        self.n_workers = self._connection.n_workers

    def close(self) -> None:
        """Stop the cluster if this engine started it."""
        self._connection.close()

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in order of completion; blocks start dearest first.

        When the loop over this generator ends early, the blocks under way are forgotten. Blocks that cannot be finished
        raise an `EngineError` after all others have been yielded; at once if workers cannot start, or if a block says
        that the request itself is wrong.
        """
        if not blocks:
            return
        run = _Run(self._connection, task, blocks)
        try:
            while run.pending or run.running:
                run.submit()
                yield from run.collect()
        finally:
            run.cancel()
        if run.given_up:
            raise _given_up(task, run.given_up, len(blocks))


class _Run:
    """The state of one run."""

    def __init__(self, connection: Connection, task: Task, blocks: Sequence[Block]) -> None:
        self._ray, self._resource, self._task = connection.ray, connection.resource, task
        self.pending = deque(dearest_first(blocks))
        self.running: dict[Any, tuple[Block, str, Any]] = {}
        self._starting: dict[Any, Any] = {}  # processes that wait for a GPU
        self._attempts: Counter[int] = Counter()
        self._without_workers_since: float | None = None
        # One CPU or GPU per block; only this class decides what is tried again, and how often.
        any_process = SimpleNamespace(compute=self._ray.remote(num_cpus=1, max_retries=0)(worker.compute))
        self._start_owner = self._ray.remote(num_cpus=0, num_gpus=1)(worker.Owner).remote
        self._n_owners = connection.n_workers * (self._resource == "GPU")
        self._idle = connection.owners if self._n_owners else [any_process] * connection.n_in_flight
        self.given_up: list[tuple[Block, BaseException]] = []
        self._put()

    def submit(self) -> None:
        """Send blocks to idle processes. One that waits for a GPU gets none: another may be free sooner."""
        while self.pending and self._idle:
            process, block = self._idle.pop(), self.pending.popleft()
            reference = process.compute.remote(self._task_id, self._reference, block)
            self.running[reference] = block, self._task_id, process
        while len(self._starting) < min(self._n_owners - len(self.running), len(self.pending)):
            owner = self._start_owner()
            self._starting[owner.__ray_ready__.remote()] = owner

    def collect(self) -> Generator[tuple[Block, ValueArray], None, None]:
        """Wait for a block and yield it, unless it must be tried again."""
        ready, _ = self._ray.wait([*self.running, *(self._starting if self.pending else ())], timeout=_LOOK_SECONDS)
        if not ready:
            self._look_for_workers()
            return
        [reference] = ready
        self._without_workers_since = None
        block, task_id, process = self.running.pop(reference, None) or (None, "", self._starting.pop(reference))
        try:
            outcome = self._ray.get(reference)
        except self._ray.exceptions.RayError as error:
            if isinstance(error, self._ray.exceptions.RayTaskError) or getattr(error, "actor_init_failed", False):
                # Our function catches what happens inside it: this one could not even be loaded there.
                wrong = f"workers cannot start: {line_of(error, -1)}; every machine needs the same version of vnestruct"
                raise EngineError(wrong) from error
            self._idle += [process] * (not self._n_owners)  # the owner of a GPU is dead
            self._try_again(block or self.pending.popleft(), error)  # one that cannot start counts as well
            return
        self._idle.append(process)
        if block is None:
            return
        rows, cautions = outcome
        for caution in cautions:
            warnings.warn(caution, RuntimeWarning, stacklevel=2)
        if isinstance(rows, Failure):
            self._fail(block, task_id, rows)
        else:
            self.submit()  # nobody waits while the caller is busy with these rows
            yield block, rows

    def cancel(self) -> None:
        """Forget what is under way, and end processes that own a GPU.

        The others end with this program, or after their block: `ray.cancel` is not safe here, because Ray 2.60 ends the
        program if a task finishes while it is cancelled.
        """
        for _, _, process in self.running.values() if self._n_owners else ():
            with suppress(Exception):
                self._ray.kill(process)
        self._starting.clear()
        self.running.clear()
        self.pending.clear()

    def _put(self) -> None:
        self._task_id = uuid.uuid4().hex
        try:
            self._reference = [self._ray.put(self._task)]
        except self._ray.exceptions.RayError as error:
            raise EngineError(f"the object store did not take the graph: {reason_of(error)}") from error

    def _fail(self, block: Block, task_id: str, failure: Failure) -> None:
        error = failure.error
        if failure.setup and isinstance(error, self._ray.exceptions.RayError):
            # The task is gone from the object store. One new copy is enough for all who miss the old one.
            if task_id == self._task_id:
                self._put()
            self._try_again(block, error)
        elif failure.setup and not isinstance(error, MemoryError):
            where = f", on every machine with a {self._resource}" * isinstance(error, MissingExtraError)
            raise EngineError(f"a worker could not make ready: {reason_of(error)}{where}") from error
        elif isinstance(error, VNEstructError):
            raise block_failure(self._task, block, error) from error
        elif isinstance(error, MemoryError):
            self._try_again(block, error)
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
        if self._ray.cluster_resources().get(self._resource, 0) >= 1:
            self._without_workers_since = None
            return
        now = time.monotonic()
        self._without_workers_since = self._without_workers_since or now
        if now - self._without_workers_since > WITHOUT_WORKERS_SECONDS:
            left, seconds = len(self.pending) + len(self.running), f"{WITHOUT_WORKERS_SECONDS:.0f} s"
            raise EngineError(f"the cluster has had no {self._resource} for {seconds}; {left} blocks are left")


def _given_up(task: Task, lost: list[tuple[Block, BaseException]], n_blocks: int) -> EngineError:
    """Name the nodes of all blocks that could not be finished."""
    block, cause = lost[0]
    if len(lost) == 1 == n_blocks:
        error = block_failure(task, block, cause)
    else:
        ordered = sorted((block for block, _ in lost), key=lambda block: block.start)
        named = "; ".join(describe_block(task, block) for block in ordered[:_NAMED_AT_MOST])
        more = f"; and {len(ordered) - _NAMED_AT_MOST} more" if len(ordered) > _NAMED_AT_MOST else ""
        wrong = f"could not finish {len(lost)} of {n_blocks} blocks: {named}{more} ({reason_of(cause)}); "
        error = EngineError(wrong + "all other rows are done, and kept where there is a checkpoint")
    error.__cause__ = cause
    return error
