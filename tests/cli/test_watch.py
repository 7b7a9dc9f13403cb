"""`vnestruct watch`: output, and notes by line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import Invoke
from vnestruct import as_graph, embed, embed_stream
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.live import read_events
from vnestruct.roles import RoleClusterer

parquet = pytest.importorskip("pyarrow.parquet")


def write_events(path: Path, n_events: int = 3_000) -> Path:
    generator = np.random.default_rng(5)
    times = np.sort(generator.uniform(0, 40, n_events))
    ends = generator.integers(0, 60, (n_events, 2))
    lines = ["when,from,to", *(f"{t:.3f},p{u},p{v}" for t, (u, v) in zip(times, ends, strict=True))]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_one_row_per_node_and_period(invoke: Invoke, tmp_path: Path) -> None:
    events, out = write_events(tmp_path / "events.csv"), tmp_path / "out.parquet"
    model = RoleClusterer(3, kind="approx", radius=1).fit(barabasi_albert(50, 2, seed=0))
    model.save(tmp_path / "roles")
    words = f"--time when --window 3s --every 2s --short 2 --long 4 --json --roles-file {tmp_path / 'roles'}"
    done = invoke("watch", events, *words.split(), "-o", out, "--plot", tmp_path / "out.png")
    assert done.code == 0, done.err
    table = parquet.read_table(out)
    assert table.column_names == ["period", "node", "h1", "role", "moved", "surprise"]
    periods = list(embed_stream(read_events(str(events), time="when"), window=3, every=2, roles=model))
    assert table["node"].to_pylist() == [node for period in periods for node in period.nodes]
    assert np.array_equal(table["h1"].to_numpy(), np.concatenate([period.signatures[:, 0] for period in periods]))
    assert np.array_equal(table["role"].to_numpy(), np.concatenate([period.roles for period in periods]))
    assert table["moved"].null_count == sum(int(np.isnan(period.moved).sum()) for period in periods)
    said = json.loads(done.out)["periods"]
    assert [period["start"] for period in said] == [period.start for period in periods]
    assert said[3]["entropy_quadratic"] == periods[3].entropies[1]
    assert (tmp_path / "out.png").stat().st_size > 10_000


@pytest.mark.parametrize("kind", ["", "--kind roles"])
def test_one_saved_model_gives_the_roles_of_every_period(kind: str, invoke: Invoke, tmp_path: Path) -> None:
    events, out = write_events(tmp_path / "events.csv"), tmp_path / "out.parquet"
    model = RoleClusterer(4).fit(barabasi_albert(200, 2, seed=0))
    model.save(tmp_path / "model.roles")
    words = f"--time when --window 4s --every 2s {kind} --roles-file {tmp_path / 'model.roles'} -o {out} -q"
    done = invoke("watch", events, *words.split())
    assert done.code == 0, done.err
    table = parquet.read_table(out).to_pandas()
    lines = [line.split(",") for line in events.read_text().splitlines()[1:]]
    for start, rows in table.groupby("period"):
        ends = [(u, v) for when, u, v in lines if start - 2 <= float(when) < start + 2]
        graph = as_graph(ends, bipartite=False)
        roles = dict(zip(graph.nodes.tolist(), model.predict(graph).tolist(), strict=True))
        assert dict(zip(rows["node"], rows["role"], strict=True)) == roles
        if kind:
            expected = embed(graph, kind="roles")[graph.positions(rows["node"].tolist())]
            np.testing.assert_allclose(rows[model.columns_], expected, atol=1e-12)


def test_late_and_malformed_lines_are_noted_with_their_number(invoke: Invoke, tmp_path: Path) -> None:
    events = tmp_path / "events.txt"
    events.write_text("1 a b\n25 b c\noops\n21 c d\n14 d e\n3 e f\n41 a b\n")
    done = invoke("watch", events, "--time", 1, "--window", "10s", "--every", "10s", "-o", tmp_path / "out.parquet")
    assert done.code == 0
    notes = [line for line in done.err.splitlines() if ", line " in line]
    assert notes == [
        f"{events}, line 3: skipped: 1 fields are too few in 'oops'",
        f"{events}, line 5: late: it counts from now on",
        f"{events}, line 6: dropped: it has left the window",
    ]
    assert "1 lines dropped." in done.err
    assert done.out.splitlines()[0].split() == ["period", "nodes", "edges", "entropy", "score"]
