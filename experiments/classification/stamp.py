"""The version of the code that a figure was measured with."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NETWORK_CODE = (
    "src/vnestruct/setmodel/batches.py",
    "src/vnestruct/setmodel/network.py",
    "src/vnestruct/setmodel/training.py",
    "experiments/classification/folds.json",
    "experiments/classification/jobs.py",
    "experiments/classification/models",
)
"""What the curves of a network depend on."""

HEAD_CODE = (
    *("src/vnestruct/kernels", "src/vnestruct/embedding", "src/vnestruct/graph", "src/vnestruct/datasets"),
    *(f"src/vnestruct/setmodel/{name}.py" for name in ("evaluation", "features", "heads")),
    *(f"src/vnestruct/setmodel/{name}.py" for name in ("signature", "signature_classifier")),
    "experiments/classification/folds.json",
)
"""What the figures of the signature heads depend on."""

FIRST = "before ae08d03ec5ac"
"""Stamp of curves that were made before the code was first committed."""


def commit(*paths: str) -> str:
    """Return the commit that is checked out, with "-dirty" if files under the paths differ from it."""
    head = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "--", *paths)
    return f"{head}-dirty" if changed else head or "unknown"


def _git(*words: str) -> str:
    try:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""
