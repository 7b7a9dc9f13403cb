"""Whether the kernels were compiled on this machine before."""

from __future__ import annotations

from pathlib import Path


def is_empty() -> bool:
    """Tell whether no compiled kernel is kept, so that the next call compiles."""
    from vnestruct.kernels import balls

    folder = Path(balls.fill_rows.stats.cache_path)
    return not folder.is_dir() or next(folder.glob("*.nbc"), None) is None
