"""What runs on the machines of a cluster: one block at a time, in processes that keep task and workspace."""

import pickle
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


def compute(task_id: str, reference: list[Any], block: Block) -> ValueArray | Failure:
    """Compute one block of the task in the object store, unless this process has unpacked `task_id` already."""
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
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return EngineError(reason_of(error))
    return error
