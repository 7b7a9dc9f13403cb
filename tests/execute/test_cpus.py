"""How many workers `n_jobs` means."""

from __future__ import annotations

import os

import pytest

from vnestruct.errors import ParameterError
from vnestruct.execute import cpus, resolve_n_jobs, usable_cpus


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system has no affinity masks")
def test_the_affinity_mask_counts() -> None:
    allowed = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(allowed)})
        assert usable_cpus() == 1
    finally:
        os.sched_setaffinity(0, allowed)


@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 8), (-1, 8), (-2, 7), (-8, 1), (-20, 1), (1, 1), (3, 3)])
def test_n_jobs(n_jobs: int | None, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cpus, "usable_cpus", lambda: 8)
    assert resolve_n_jobs(n_jobs) == expected


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", True])
def test_invalid_n_jobs(n_jobs: object) -> None:
    with pytest.raises(ParameterError, match="`n_jobs` must be a positive integer, or -1 for all CPUs"):
        resolve_n_jobs(n_jobs)  # type: ignore[arg-type]
