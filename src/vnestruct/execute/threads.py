"""The engines of this process: threads, for kernels that release the GIL, and the calling thread itself."""

import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from queue import SimpleQueue
from typing import Any, NoReturn, TypeAlias

import numpy as np

from vnestruct.errors import EngineError
from vnestruct.execute.base import Block, Cancelled, Task, block_failure, costliest_first, reason_of
from vnestruct.execute.cpus import resolve_n_jobs
from vnestruct.sharing import ALONE, Share
from vnestruct.types import FlagArray, ValueArray

_FEW_THREADS = 4  # below which planning is not shared: it takes up to twice the processor time
_FEW_ARCS = 200_000  # below which planning is done before threads have started
_PLANNERS = 8  # threads that share planning; more of them only if each has so many arcs: waking one takes time, too
_OWN_ARCS = 200_000

# A finished block with its rows, or a failure: on a block, or (None) while making a workspace.
_Outcome: TypeAlias = tuple[Block, ValueArray] | tuple[Block | None, BaseException]


class ThreadsEngine:
    """Run a task over blocks on threads of this process, `n_jobs` of them as for `resolve_n_jobs`.

    Even a single worker is a thread of its own, so that the main thread sees Ctrl-C while a kernel runs.
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_workers = resolve_n_jobs(n_jobs)
        self._pool: ThreadPoolExecutor | None = None

    def share(self, n_arcs: int) -> Share:
        """Return who shares the planning for a graph with so many arcs: many threads, or the caller alone."""
        if self.n_workers < _FEW_THREADS or n_arcs < _FEW_ARCS:
            return ALONE
        number = min(self.n_workers, max(_PLANNERS, n_arcs // _OWN_ARCS))
        self._pool = self._pool or ThreadPoolExecutor(number)
        return Share(number, partial(_shared_map, self._pool))

    def close(self) -> None:
        """End the threads that shared planning."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in order of completion; blocks start costliest first.

        At most two blocks per worker are computed or waiting at any time. When the loop over this generator ends early
        (an exception, Ctrl-C, ``close()``), the cancel flag is set and the threads are joined. Code that keeps the
        generator in a variable should wrap it in `contextlib.closing`.
        """
        pending = deque(costliest_first(blocks))
        n_blocks = len(pending)
        n_threads = min(self.n_workers, n_blocks)
        # Only C-level queues are shared: a KeyboardInterrupt cannot strike inside them and leave a lock held.
        starts: SimpleQueue[None] = SimpleQueue()
        permits: SimpleQueue[None] = SimpleQueue()
        outcomes: SimpleQueue[_Outcome] = SimpleQueue()
        cancel = np.zeros(192, np.uint8)[64:65]  # on a cache line of its own, since workers read it all the time
        threads: list[threading.Thread] = []
        try:
            with _interrupts_held():
                for number in range(1, n_threads + 1):
                    thread = threading.Thread(
                        target=_work,
                        args=(task, pending, starts, permits, outcomes, cancel),
                        name=f"vnestruct-worker-{number}",
                        daemon=True,  # repeated Ctrl-C ends the program even if a task ignores the flag
                    )
                    threads.append(thread)
                    try:
                        thread.start()
                    except RuntimeError as error:
                        wrong = f"could not start worker {number} of {n_threads}: {error}; try a smaller n_jobs"
                        raise EngineError(wrong) from error
            # Not before: a worker that has begun delays the start of the next.
            for _ in range(n_threads):
                starts.put(None)
            for _ in range(2 * n_threads):
                permits.put(None)
            for _ in range(n_blocks):
                block, result = outcomes.get()
                if isinstance(result, BaseException):
                    _raise(task, block, result, n_threads)
                assert block is not None
                yield block, result
                del result
                permits.put(None)
        finally:
            try:
                _stop(threads, pending, starts, permits, cancel)
            except KeyboardInterrupt:
                # Ctrl-C while already stopping: the workers are about to end, so wait for them anyway.
                _stop(threads, pending, starts, permits, cancel)
                raise


class InlineEngine:
    """Run a task over blocks in the calling thread: for work that is done before a thread has started."""

    n_workers = 1

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in the order given."""
        cancel = np.zeros(1, np.uint8)
        scratch = task.scratch() if blocks else None
        for block in blocks:
            try:
                rows = task(block, scratch, cancel)
            except Exception as error:
                raise block_failure(task, block, error) from error
            yield block, rows


def _shared_map(pool: ThreadPoolExecutor, function: Callable[..., object], *arguments: Iterable[Any]) -> list[object]:
    """Do what `map` does, in the calling thread and in those of a pool that are awake in time."""
    calls = list(zip(*arguments, strict=True))
    results: list[object] = [None] * len(calls)
    pending = iter(enumerate(calls))

    def work() -> None:
        for number, call in pending:
            results[number] = function(*call)

    helpers = [pool.submit(work) for _ in calls[1:]]
    work()
    for helper in helpers:
        if not helper.cancel():
            helper.result()
    return results


def _work(
    task: Task, pending: deque[Block], starts: SimpleQueue[None], permits: SimpleQueue[None],
    outcomes: SimpleQueue[_Outcome], cancel: FlagArray,
) -> None:  # fmt: skip
    """Live the life of one worker: make a workspace, then compute blocks until none is left."""
    block: Block | None = None
    try:
        starts.get()
        if cancel[0]:
            return
        scratch = task.scratch()
        while True:
            permits.get()
            if cancel[0]:
                return
            try:
                block = pending.popleft()
            except IndexError:
                return
            outcomes.put((block, task(block, scratch, cancel)))
    except Cancelled as error:
        # Asked for, it needs no answer; unasked for, silence would leave the engine waiting for this block.
        if not cancel[0]:
            outcomes.put((block, error))
    except BaseException as error:
        outcomes.put((block, error))


def _stop(
    threads: list[threading.Thread], pending: deque[Block], starts: SimpleQueue[None], permits: SimpleQueue[None],
    cancel: FlagArray,
) -> None:  # fmt: skip
    """Tell the workers to stop, wake those that wait, and join them all."""
    cancel[0] = 1
    pending.clear()
    for _ in threads:
        starts.put(None)
        permits.put(None)
    for thread in threads:
        if thread.is_alive():
            thread.join()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Put Ctrl-C off until the block ends: inside ``Thread.start`` it would leave a thread nobody can join."""
    # Threads started meanwhile never take the signal, so it always wakes the main thread from its waiting.
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _raise(task: Task, block: Block | None, error: BaseException, n_threads: int) -> NoReturn:
    if not isinstance(error, Exception):
        raise error  # SystemExit and KeyboardInterrupt mean what they say
    if block is None:
        wrong = f"could not make the workspace of one of {n_threads} workers: {reason_of(error)}; try a smaller n_jobs"
        raise EngineError(wrong) from error
    raise block_failure(task, block, error) from error
