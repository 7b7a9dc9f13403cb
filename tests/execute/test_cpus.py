"""The number of workers: affinity, control groups of both versions, and the meaning of n_jobs."""

import os

import numpy as np
import pytest
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.execute import cpus
from vnestruct.execute.cpus import cgroup_cpus, resolve_n_jobs, usable_cpus


def make_tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@for_each(
    ("files", "expected"),
    [
        ({}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "max 100000\n"}, None),
        ({"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cpu.max": "150000 100000\n"}, 1.5),
        (  # the tightest group on the way to the root binds
            {
                "proc/self/cgroup": "0::/jobs/mine\n",
                "sys/fs/cgroup/jobs/mine/cpu.max": "400000 100000\n",
                "sys/fs/cgroup/jobs/cpu.max": "200000 100000\n",
            },
            2.0,
        ),
        (  # version 1, seen from a container: the path is the host's and only the mount's root exists
            {
                "proc/self/cgroup": "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "300000\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            3.0,
        ),
        (
            {
                "proc/self/cgroup": "4:cpu:/\n",
                "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
                "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
            },
            None,
        ),
        ({"proc/self/cgroup": "nonsense\n0::/\n", "sys/fs/cgroup/cpu.max": "garbage\n"}, None),
    ],
)
def test_control_groups(tmp_path, files, expected):
    make_tree(tmp_path, files)
    assert cgroup_cpus(tmp_path) == expected


@for_each(("quota", "expected"), [(None, 4), (1.5, 2), (0.1, 1), (64.0, 4)])
def test_quota_caps_affinity(monkeypatch, quota, expected):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})
    monkeypatch.setattr(cpus, "_own_quota", lambda: quota)
    assert usable_cpus() == expected


@for_each(("n_jobs", "expected"), [(None, 4), (-1, 4), (-2, 3), (-4, 1), (-40, 1), (1, 1), (7, 7), (np.int64(3), 3)])
def test_n_jobs_counts_like_joblib(monkeypatch, n_jobs, expected):
    monkeypatch.setattr(cpus, "usable_cpus", lambda: 4)
    assert resolve_n_jobs(n_jobs) == expected


@for_each("n_jobs", [0, 2.0, True, False, "2", np.True_, [1]])
def test_invalid_n_jobs_are_refused(n_jobs):
    with pytest.raises(ParameterError, match="n_jobs must be a positive integer"):
        resolve_n_jobs(n_jobs)
