"""What runs on the machines of a cluster: one block at a time, in processes that keep task and workspace."""

import pickle
import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import EngineError
from vnestruct.execute.base import Block, Task, reason_of
from vnestruct.types import ValueArray


@dataclass(frozen=True)
class Failure:
    """Why a block has no rows: its own fault, or that of the `setup` before it."""

    setup: bool
    error: Exception


_state: tuple[str, Task, Any] | None = None  # a task's id, the task and its workspace, from one block to the next


def compute(task_id: str, reference: list[Any], block: Block) -> tuple[ValueArray | Failure, list[str]]:
    """Compute one block of the task in the object store; return its rows, and the warnings that came with them."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        rows = _rows(task_id, reference, block)
    return rows, [str(warning.message) for warning in caught if warning.category is RuntimeWarning]


class Owner:
    """A process that keeps a GPU from block to block; Ray ends others after one task on a GPU, to free its memory."""

    compute = staticmethod(compute)


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
        if not type(error).__module__.startswith("cupy"):  # which the other side may be without
            return error
    return EngineError(reason_of(error))
