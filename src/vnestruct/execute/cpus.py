"""How many workers to start: CPUs this process may use, and the meaning of `n_jobs`."""

import sys

from vnestruct.checks import whole_number
from vnestruct.errors import ParameterError


def usable_cpus() -> int:
    """Count the CPUs this process may use: its affinity mask, or less where a cgroup grants less time."""
    from joblib import cpu_count

    return int(cpu_count())


def resolve_n_jobs(n_jobs: int | None) -> int:
    """Turn `n_jobs` into a number of workers: None or -1 is every usable CPU, -2 all but one, and so on."""
    if n_jobs is None:
        return usable_cpus()
    try:
        count = whole_number("n_jobs", n_jobs, -sys.maxsize)
    except ParameterError:
        count = 0
    if count == 0:
        wrong = f"must be a positive integer, or -1 for all CPUs, -2 for all but one; not {n_jobs!r}"
        raise ParameterError(f"`n_jobs` {wrong}")
    return count if count > 0 else max(1, usable_cpus() + 1 + count)
