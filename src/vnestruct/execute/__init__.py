"""Engines: what they run, a task over blocks of work; how the work is cut; and threads of this process that run it.

An engine knows no kernel. It runs a task over blocks of work and yields ``(block, rows)`` as they finish, so
progress, cancellation, checkpoints and distribution each exist once, on the block.
"""

import sys
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from queue import SimpleQueue
from typing import Any, Protocol

import numpy as np

from vnestruct.errors import EngineError, ParameterError, VNEstructError, whole_number
from vnestruct.types import ArrayLike, FlagArray, ValueArray

__all__ = [
    "BLOCKS_PER_WORKER", "GROUP", "Block", "Cancelled", "Task", "ThreadsEngine", "cut_blocks", "resolve_n_jobs",
    "run_inline",
]  # fmt: skip

BLOCKS_PER_WORKER = 32  # blocks aimed at per worker
_TAIL, _FINER = 0.1, 4.0
"""Share of the cost that is cut so much finer: these blocks start last, and the others wait for the last to finish."""
GROUP = 8  # neighbours in a work list that kernels process together; cuts fall on multiples of it
MAX_ITEMS = 16_384  # items of a block at most, whatever their cost: bounds the rows in flight and what a crash loses


@dataclass(frozen=True, slots=True)
class Block:
    """A run of positions ``start..stop-1`` of the work list, with its estimated cost."""

    index: int
    start: int
    stop: int
    cost: float

    def __len__(self) -> int:
        return self.stop - self.start


class Cancelled(Exception):
    """Raised by a task that saw ``cancel[0] != 0``; never leaves an engine."""


class Task(Protocol):
    """A function over blocks; picklable, so that other processes can run it."""

    def scratch(self) -> Any:
        """Make the workspace of one worker; called once per worker, never per block."""

    def __call__(self, block: Block, scratch: Any, cancel: FlagArray, /) -> ValueArray:
        """Compute the rows of a block, polling ``cancel[0]`` often; raise `Cancelled` when it is set."""

    def describe(self, block: Block) -> str:
        """Name the nodes of a block for error messages, e.g. ``nodes 'a' to 'f' (128 nodes)``."""


def cut_blocks(
    costs: ArrayLike, *, target: float | None = None, n_workers: int = 1, max_items: int = MAX_ITEMS
) -> list[Block]:
    """Cut a work list with these costs, finite and not negative, into consecutive blocks of roughly equal cost.

    A block costs less than twice the `target` and has at most `max_items` items. By default there are about 32 blocks
    for each of `n_workers`, those at the end of the list being shorter. Cuts fall on multiples of `GROUP`; a group is
    never split, however costly, unless `max_items` is smaller.
    """
    costs = np.asarray(costs, dtype=np.float64)
    if not len(costs):
        return []
    # Everything below counts in groups of `unit` positions, the smallest thing a cut may separate.
    unit = min(GROUP, max_items)
    groups = np.add.reduceat(costs, np.arange(0, len(costs), unit))
    ends = np.cumsum(groups)
    middles = ends - 0.5 * groups
    if target is None:
        middles += (_FINER - 1.0) * np.maximum(middles - (1.0 - _TAIL) * ends[-1], 0.0)
        length = float(ends[-1]) * (1.0 - _TAIL + _TAIL * _FINER)
        target = max(length / (BLOCKS_PER_WORKER * n_workers), float(np.finfo(np.float64).tiny))
    # A group belongs to the bin of its midpoint on the cost axis; one above the target is a block of its own, since
    # joined to a nearly full bin it would make the longest block longer still.
    with np.errstate(over="ignore"):
        bins = np.floor(middles / target)
    is_block, pieces = groups >= target, np.arange(groups.size) // (max_items // unit)
    cut = (bins[1:] != bins[:-1]) | (pieces[1:] != pieces[:-1]) | is_block[1:] | is_block[:-1]
    starts = np.append(0, np.flatnonzero(cut) + 1)
    edges = [*(starts * unit).tolist(), len(costs)]
    return [Block(i, edges[i], edges[i + 1], cost) for i, cost in enumerate(np.add.reduceat(groups, starts).tolist())]


def costliest_first(blocks: Sequence[Block]) -> list[Block]:
    """Order blocks for running: by descending cost, so that no big block starts last; ties by index."""
    return sorted(blocks, key=lambda block: (-block.cost, block.index))


def block_failure(task: Task, block: Block, error: BaseException) -> EngineError:
    """Make the `EngineError` for a block that failed; raise it ``from`` the original."""
    return EngineError(f"could not finish {describe_block(task, block)}: {reason_of(error)}")


def describe_block(task: Task, block: Block) -> str:
    """Name the nodes of a block, as well as can be."""
    try:
        return task.describe(block)
    except Exception:
        # A task broken enough to fail may be unable to name its nodes; the range still helps.
        return f"positions {block.start} to {block.stop - 1}"


def reason_of(error: BaseException) -> str:
    """Say what went wrong: our own messages explain themselves, others need their type."""
    text = str(error)
    if isinstance(error, VNEstructError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def resolve_n_jobs(n_jobs: int | None = None) -> int:
    """Turn `n_jobs` into a number of workers: None or -1 is every CPU this process may use, -2 all but one."""
    from joblib import cpu_count

    try:
        count = -1 if n_jobs is None else whole_number("n_jobs", n_jobs, -sys.maxsize)
    except ParameterError:
        count = 0
    if count == 0:
        wrong = f"must be a positive integer, or -1 for all CPUs, -2 for all but one; not {n_jobs!r}"
        raise ParameterError(f"`n_jobs` {wrong}")
    return count if count > 0 else max(1, int(cpu_count()) + 1 + count)


class ThreadsEngine:
    """Run a task over blocks on threads of this process, `n_jobs` of them as for `resolve_n_jobs`.

    Even a single worker is a thread of its own, so that the main thread sees Ctrl-C while a kernel runs.
    """

    def __init__(self, n_jobs: int | None = None) -> None:
        self.n_workers = resolve_n_jobs(n_jobs)

    @cached_property
    def _pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.n_workers)

    def close(self) -> None:
        """End the threads of the pool; those of `run` end with it."""
        if "_pool" in vars(self):
            self.__dict__.pop("_pool").shutdown()

    def submit(self, function: Callable[[], Any]) -> Callable[[], Any]:
        """Run a function beside the caller, if there is more than one thread, else now; return what has its result."""
        if self.n_workers > 1:
            return self._pool.submit(function).result
        result = function()
        return lambda: result

    def map(self, function: Callable[..., object], *arguments: Iterable[Any]) -> list[object]:
        """Do what `map` does, in the calling thread and in those of the pool that are awake in time."""
        calls = list(zip(*arguments, strict=True))
        results: list[object] = [None] * len(calls)
        pending = iter(enumerate(calls))

        def work() -> None:
            for number, call in pending:
                results[number] = function(*call)

        helpers = [self._pool.submit(work) for _ in calls[1:]]
        work()
        for helper in helpers:
            if not helper.cancel():
                helper.result()
        return results

    def run(self, task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
        """Yield every block with its rows, in order of completion; blocks start costliest first.

        At most two blocks per worker are computed or waiting at any time. When the loop over this generator ends early
        (an exception, Ctrl-C, ``close()``), the cancel flag is set and the threads are joined. Code that keeps the
        generator in a variable should wrap it in `contextlib.closing`.
        """
        n_threads = min(self.n_workers, len(blocks))
        pending = iter(costliest_first(blocks))
        # Only C-level queues are shared: a KeyboardInterrupt cannot strike inside them and leave a lock held.
        permits: SimpleQueue[bool] = SimpleQueue()
        outcomes: SimpleQueue[tuple[Block | None, Any]] = SimpleQueue()
        cancel = np.zeros(192, np.uint8)[64:65]  # on a cache line of its own, since workers read it all the time

        def work() -> None:
            block = None
            try:
                scratch = task.scratch()
                while permits.get() and not cancel[0] and (block := next(pending, None)) is not None:
                    outcomes.put((block, task(block, scratch, cancel)))
            except BaseException as error:
                outcomes.put((block, error))

        # Daemons: repeated Ctrl-C ends the program even if a task ignores the flag.
        threads = [threading.Thread(target=work, name=f"vnestruct-worker-{i}", daemon=True) for i in range(n_threads)]
        try:
            for thread in threads:
                thread.start()
            for _ in range(2 * n_threads):
                permits.put(True)
            for _ in blocks:
                block, rows = outcomes.get()
                if isinstance(rows, Exception):
                    if block is not None:
                        raise block_failure(task, block, rows) from rows
                    wrong = f"could not make the workspace of one of {n_threads} workers: {reason_of(rows)}"
                    raise EngineError(f"{wrong}; use fewer threads with `n_jobs`") from rows
                if isinstance(rows, BaseException):
                    raise rows  # SystemExit and KeyboardInterrupt mean what they say
                assert block is not None
                yield block, rows
                del rows
                permits.put(True)
        finally:
            cancel[0] = 1
            for _ in threads:
                permits.put(False)
            for thread in threads:
                if thread.is_alive():
                    thread.join()


def run_inline(task: Task, blocks: Sequence[Block]) -> Generator[tuple[Block, ValueArray], None, None]:
    """Run a task over blocks in the calling thread: for work that is done before a thread has started."""
    cancel = np.zeros(1, np.uint8)
    scratch = task.scratch() if blocks else None
    for block in blocks:
        try:
            rows = task(block, scratch, cancel)
        except Exception as error:
            raise block_failure(task, block, error) from error
        yield block, rows
