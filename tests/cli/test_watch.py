"""`vnestruct watch`: output, and notes by line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cases import for_each
from tests.cli.conftest import Invoke
from vnestruct import embed_stream
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.live import read_events
from vnestruct.roles import RoleClusterer

parquet = pytest.importorskip("pyarrow.parquet")


@for_each(
    ("words", "options"),
    [("", {}), ("--kind roles", {"kind": "roles"}), ("--radius 2 --weight w", {"radius": 2, "weighted": True})],
)
def test_one_row_per_node_and_period(words: str, options: dict[str, object], invoke: Invoke, tmp_path: Path) -> None:
    events, out, saved = (tmp_path / name for name in ("events.csv", "out.parquet", "model.roles"))
    generator = np.random.default_rng(5)
    times, ends = np.sort(generator.uniform(0, 40, 3_000)).round(3), generator.integers(0, 60, (3_000, 2))
    lines = [f"{time},p{u},p{v},{1 + u}" for time, (u, v) in zip(times.tolist(), ends, strict=True)]
    events.write_text("\n".join(["when,from,to,w", *lines]))
    model = RoleClusterer(4).fit(barabasi_albert(200, 2, seed=0))
    model.save(saved)
    command = f"--time when --window 3s --every 2s --roles-file {saved} --json -o {out} --plot {out}.png {words}"
    done = invoke("watch", events, *command.split())
    table = parquet.read_table(out).to_pandas()
    stream = read_events(str(events), time="when", weight="w" if "weighted" in options else None)
    periods = list(embed_stream(stream, window=3, every=2, roles=model, **options))
    assert table["node"].tolist() == [node for period in periods for node in period.nodes]
    for columns, name in ((table.columns[2:-3], "signatures"), ("role", "roles"), ("moved", "moved")):
        expected = np.concatenate([getattr(period, name) for period in periods])
        np.testing.assert_array_equal(table[columns].to_numpy(float), expected)
    said = json.loads(done.out)["periods"]
    assert [(one["start"], one["entropy_quadratic"]) for one in said] == [(p.start, p.entropies[1]) for p in periods]
    assert out.with_suffix(".parquet.png").stat().st_size > 10_000


def test_late_and_malformed_lines_are_noted_with_their_number(invoke: Invoke, tmp_path: Path) -> None:
    events = tmp_path / "events.txt"
    events.write_text("1 a b\n25 b c\noops\n21 c d\n14 d e\n3 e f\n41 a b\n")
    done = invoke("watch", events, "--time", 1, "--window", "10s", "--every", "10s", "-o", tmp_path / "out.parquet")
    assert [line for line in done.err.splitlines() if ", line " in line] == [
        f"{events}, line 3: skipped: 1 fields are too few in 'oops'",
        f"{events}, line 5: late: it counts from now on",
        f"{events}, line 6: dropped: it has left the window",
    ]
    assert "1 lines dropped." in done.err
    assert done.out.splitlines()[0].split() == ["period", "nodes", "edges", "entropy", "score"]
