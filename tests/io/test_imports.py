"""Large libraries are imported by the formats that need them only, and their absence names the remedy."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path

import pytest

from tests.io.samples import TEXTS, small_graph
from vnestruct.errors import MissingExtraError
from vnestruct.io import read_graph, write_graph

HEAVY = ("pyarrow", "pandas", "networkx", "igraph", "sklearn", "torch", "ray", "matplotlib")


def test_importing_io_loads_no_large_library() -> None:
    code = f"import sys, vnestruct.io; print([name for name in {HEAVY!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.fixture
def without_arrow(monkeypatch: pytest.MonkeyPatch) -> None:
    original = builtins.__import__

    def refuse(name: str, *arguments: object, **options: object) -> object:
        if name.partition(".")[0] in ("pyarrow", "zstandard", "compression"):
            raise ImportError(name)
        return original(name, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    for name in [name for name in sys.modules if name.partition(".")[0] in ("pyarrow", "zstandard")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("vnestruct.files.archives._first_of", lambda *names: None)


@pytest.mark.usefixtures("without_arrow")
def test_text_formats_need_no_extra(tmp_path: Path) -> None:
    for name, (text, weighted, isolated, directed, labels) in TEXTS.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        expected = small_graph(weighted=weighted, isolated=isolated, directed=directed, labels=labels)
        assert read_graph(path) == expected, name


@pytest.mark.usefixtures("without_arrow")
@pytest.mark.parametrize("name", ["graph.parquet", "graph.feather", "graph.txt.zst"])
def test_a_missing_library_is_named_with_its_extra(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    with pytest.raises(MissingExtraError, match=r"pip install 'vnestruct\[parquet\]'"):
        write_graph(small_graph(weighted=True, isolated=False), path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"\x28\xb5\x2f\xfd rest" if name.endswith(".zst") else b"PAR1")
    with pytest.raises(MissingExtraError, match=r"pip install 'vnestruct\[parquet\]'"):
        read_graph(path)
