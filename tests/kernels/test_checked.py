"""The tests of the kernels again, with every index checked: by Numba, and as plain Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

MODES = {
    # What Numba compiles then must not be found by others, nor theirs be used.
    "NUMBA_BOUNDSCHECK": ["tests/embedding/test_oracle.py", "tests/embedding/test_bits.py"],
    # Vector instructions are not checked by Numba; their Python twins check themselves. Then nothing is compiled.
    "NUMBA_DISABLE_JIT": ["-p", "tests.kernels.plain_python", "-W", "ignore::RuntimeWarning"],
}


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES)
def test_kernels_with_checked_indices(mode: str, tmp_path: Path, root: Path) -> None:
    words = ["-m", "not full", "-p", "no:cacheprovider", "tests/kernels", "--ignore", "tests/kernels/test_cache.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *MODES[mode]],
        cwd=root,
        env=os.environ | {mode: "1", "NUMBA_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    print(done.stdout[-200:])
