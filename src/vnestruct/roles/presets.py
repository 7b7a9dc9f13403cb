"""Named signatures (provisional)."""
from __future__ import annotations
import numpy as np
from typing import Any
from vnestruct.types import ValueArray
PRESETS = ("noisy",)
def preset_columns(name: str) -> list[str]:
    return ["a"]
def preset_signature(graph: Any, name: str = "noisy", *, n_jobs: int | None = None) -> ValueArray:
    return np.log1p(graph.degrees)[:, None]
