"""How many workers to start: CPUs this process may use, and the meaning of `n_jobs`."""

import functools
import math
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from vnestruct.checks import whole_number
from vnestruct.errors import Message, Parameter, ParameterError


def usable_cpus() -> int:
    """Count the CPUs this process may use: its affinity mask, or less where a cgroup grants less time."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _own_quota()
    # A quota of 1.5 CPUs keeps two threads busy three quarters of the time: round up, as joblib does.
    return allowed if quota is None else max(1, min(allowed, math.ceil(quota)))


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of workers: None or -1 is every usable CPU, -2 all but one, and so on."""
    if n_jobs is None:
        return usable_cpus()
    try:
        count = whole_number("n_jobs", n_jobs, -sys.maxsize)
    except ParameterError:
        count = 0
    if count == 0:
        wrong = f" must be a positive integer, or -1 for all CPUs, -2 for all but one; not {n_jobs!r}"
        raise ParameterError(Message(Parameter("n_jobs"), wrong))
    return count if count > 0 else max(1, usable_cpus() + 1 + count)


def cgroup_cpus(root: Path = Path("/")) -> float | None:
    """Read the CPU time that control groups grant this process, in CPUs; None where nothing limits it."""
    try:
        memberships = (root / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    groups = [line.split(":", 2)[1:] for line in memberships if line.count(":") >= 2]
    return min((quota for group in groups for quota in _quotas(root / "sys/fs/cgroup", *group)), default=None)


# Read once: engines start often, quotas hardly ever change.
_own_quota = functools.cache(cgroup_cpus)


def _quotas(mount: Path, controllers: str, group: str) -> Iterator[float]:
    """Yield the quota of a group and of every group above it: the tightest one binds."""
    unified = controllers == ""
    if not unified and "cpu" not in controllers.split(","):
        return
    path = PurePosixPath(group.lstrip("/"))
    # Inside a container the path may be the host's, and absent here; the mount's own root then is our group.
    for level in (path, *path.parents):
        if unified:
            quota = _read_ratio(mount / level / "cpu.max")
        else:
            folder = mount / "cpu" / level
            quota = _read_ratio(folder / "cpu.cfs_quota_us", folder / "cpu.cfs_period_us")
        if quota is not None:
            yield quota


def _read_ratio(*files: Path) -> float | None:
    """Read "quota period", in one file or two; None if absent, unlimited ("max", -1) or senseless."""
    try:
        quota, period = (int(word) for word in " ".join(file.read_text() for file in files).split())
    except (OSError, ValueError):
        return None
    return quota / period if quota > 0 and period > 0 else None
