"""Which process runs which test file: the last of three or more is for the files that mostly wait.

Pages in a browser and a Ray cluster leave the processor idle for most of their time. In a process of their own they
wait while the others compute, and there is only one browser and one cluster.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

# Files that mostly wait, in their order: with Ray last, its idle cluster does not outlive its tests.
WAITING = (
    "tests/documents/test_site.py",
    "tests/browser/test_explore.py",
    "tests/browser/test_explore_files.py",
    "tests/browser/test_time.py",
    "tests/faults/test_faults.py",
    "tests/cli/test_watch.py",
    "tests/cli/test_warmup.py",
    "tests/execute/test_ray_absent.py",
    "tests/execute/test_ray.py",
    "tests/embedding/test_ray_signatures.py",
)

# Long files of few tests. Files with many tests start early anyway; these would be the last and alone.
LONG = (
    "tests/cli/test_interruptions.py",
    "tests/embedding/test_out_of_core.py",
    "tests/kernels/test_lanczos.py",
    "tests/kernels/test_cache.py",
    "tests/kernels/test_starts.py",
    "tests/embedding/test_parts.py",
    "tests/io/test_convert.py",
    "tests/embedding/test_interrupt.py",
    "tests/setmodel/test_splits.py",
    "tests/contracts/test_wheel.py",
    "tests/contracts/test_collection.py",
    "tests/store/test_two_at_once.py",
)


def next_file(queue: Iterable[str], *, for_waiting: bool) -> str | None:
    """The file of the queue that a process should run next; none where it has nothing left to do."""
    files = list(queue)
    if for_waiting:
        return next((file for file in WAITING if file in files), None)
    long_first = [file for file in LONG if file in files] + [file for file in files if file not in WAITING]
    return next(iter(long_first + files), None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Schedule by file; with fewer than three processes, as pytest-xdist does."""
    if config.getoption("dist") != "loadfile" or len(config.getoption("tx")) < 3:
        return None
    from xdist.scheduler import LoadFileScheduling

    class WaitingApart(LoadFileScheduling):
        def _assign_work_unit(self, node: Any) -> None:
            waiting = node.gateway.id == f"gw{self.numnodes - 1}"
            file = next_file(self.workqueue, for_waiting=waiting)
            if file is None:
                node.shutdown()
                return
            self.workqueue.move_to_end(file, last=False)
            super()._assign_work_unit(node)

    return WaitingApart(config, log)
