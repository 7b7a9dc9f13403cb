"""What engines run, a task over blocks of work, and how the work is cut.

An engine knows no kernel. It runs a task over blocks of work and yields ``(block, rows)`` as they finish, so
progress, cancellation, checkpoints and distribution each exist once, on the block.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from vnestruct.errors import EngineError, VNEstructError
from vnestruct.types import ArrayLike, FlagArray, ValueArray

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
