"""How much of the package one small command loads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MOST_MODULES, MOST_LINES = 55, 8_000

PROGRAM = """
import json, sys
from vnestruct.cli import main
assert main(sys.argv[1:]) == 0
files = {name: module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "vnestruct"}
print(json.dumps(files))
"""


def test_embedding_a_small_edge_list_loads_little(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edges = tmp_path / "edges.txt"
    edges.write_text("".join(f"{i} {(7 * i + 1) % 300}\n{i} {(i + 1) % 300}\n" for i in range(300)))
    words = ["embed", str(edges), "-q", "-o", str(tmp_path / "rows.parquet")]
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, check=True)
    lines = {name: len(Path(file).read_text("utf-8").splitlines()) for name, file in json.loads(done.stdout).items()}
    with capsys.disabled():
        print(f"\nvnestruct embed of a small edge list loads {len(lines)} modules, {sum(lines.values()):,} lines")
    assert len(lines) <= MOST_MODULES
    assert sum(lines.values()) <= MOST_LINES
