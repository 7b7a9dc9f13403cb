"""Nothing in the package can run what a file says; `make lint` refuses pickles, `eval` and shells in its source."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from vnestruct import GraphFormatError, read_embedding, read_graph
from vnestruct.files.container import load_model


def test_reading_unpickles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even libraries do, for the files that we read: an array of objects is refused before it is loaded."""
    ran = []

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return ran.append, ("pickle",)

    objects = np.array([Evil(), 1], dtype=object)
    np.save(tmp_path / "rows.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "all.npz", nodes=objects, values=objects, format=objects, columns=objects, metadata=objects)
    np.savez(tmp_path / "plain.npz", **{"roles.json": np.arange(3), "x": objects})
    ran.clear()
    for name in ("load", "loads"):
        monkeypatch.setattr(pickle, name, lambda *words, **options: pytest.fail("pickle"))
    for read, name in [
        (read_embedding, "rows.npy"),
        (read_embedding, "all.npz"),
        (read_graph, "all.npz"),
        (lambda path: load_model(path, "roles", 1), "plain.npz"),
    ]:
        with pytest.raises(GraphFormatError):
            read(tmp_path / name)
    assert ran == []
