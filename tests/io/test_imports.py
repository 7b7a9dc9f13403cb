"""Large libraries are imported by the formats that need them only, and not before."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("pyarrow", "pandas", "networkx", "igraph", "sklearn", "torch", "ray", "matplotlib")


def test_importing_io_loads_no_large_library() -> None:
    code = f"import sys, vnestruct.io; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
