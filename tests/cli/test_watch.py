"""`vnestruct watch`: output, notes by line, and runs that are killed and resumed."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.cli.conftest import PROGRAM, Invoke
from vnestruct import as_graph, embed, embed_stream
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.live import read_events
from vnestruct.live.stream import Stream
from vnestruct.roles import RoleClusterer

parquet = pytest.importorskip("pyarrow.parquet")

DATA = Path(__file__).parents[3] / "shared" / "data" / "temporal"
STREAMS = {
    "uci-messages.txt.gz": ["--time", "1", "--weight", "4", "--window", "1d"],
    "bitcoin_otc_graph.csv.gz": ["--time", "time", "--source", "src", "--target", "trg", "--window", "60d"],
}


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
    words = [
        "--time",
        "when",
        "--window",
        "3s",
        "--every",
        "2s",
        "--short",
        2,
        "--long",
        4,
        "--roles-file",
        tmp_path / "roles",
    ]
    done = invoke("watch", events, *words, "-o", out, "--plot", tmp_path / "out.png", "--json")
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
    assert not Path(f"{out}.parts").exists()


@pytest.mark.parametrize("words", [[], ["--kind", "roles"]])
def test_one_saved_model_gives_the_roles_of_every_period(words: list[str], invoke: Invoke, tmp_path: Path) -> None:
    events, out = write_events(tmp_path / "events.csv"), tmp_path / "out.parquet"
    model = RoleClusterer(4).fit(barabasi_albert(200, 2, seed=0))
    model.save(tmp_path / "model.roles")
    shared = ["--time", "when", "--window", "4s", "--every", "2s", *words]
    done = invoke("watch", events, *shared, "--roles-file", tmp_path / "model.roles", "-o", out, "-q")
    assert done.code == 0, done.err
    table = parquet.read_table(out).to_pandas()
    lines = [line.split(",") for line in events.read_text().splitlines()[1:]]
    for start, rows in table.groupby("period"):
        ends = [(u, v) for when, u, v in lines if start - 2 <= float(when) < start + 2]
        graph = as_graph(ends, bipartite=False)
        roles = dict(zip(graph.nodes.tolist(), model.predict(graph).tolist(), strict=True))
        assert dict(zip(rows["node"], rows["role"], strict=True)) == roles
        if words:
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


def test_errors_come_before_any_work(invoke: Invoke, tmp_path: Path) -> None:
    events = write_events(tmp_path / "events.csv", 10)
    for words, error in {
        ("--time", "when", "-o", "-"): "rows are written at the end, as Parquet; name a file with -o",
        ("--time", "when", "-o", tmp_path / "x", "--window", "soon"): "--window is a time span such as 7d",
        ("--time", "when", "-o", tmp_path / "x", "--short", 0): "--short must be a whole number of at least 1",
        ("--time", "where", "-o", tmp_path / "x"): "no column 'where' in the first line",
        ("--time", "when", "-o", tmp_path / "x", "--plot", "x.txt"): "pictures are .png, .svg, .pdf files",
    }.items():
        done = invoke("watch", events, *words)
        assert done.code == 2
        assert error in done.error


def feed(words: list[str], lines: list[bytes], pause_after: int | None, parts: Path) -> None:
    """Pipe lines into a command; kill it once it has kept some periods of the first `pause_after` lines."""
    with subprocess.Popen([sys.executable, *PROGRAM[1:], *words], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        if pause_after is None:
            process.communicate(b"".join(lines))
            assert process.returncode == 0
            return
        process.stdin.write(b"".join(lines[:pause_after]))
        process.stdin.flush()
        for _ in range(600):
            if len(list(parts.glob("*.parquet"))) >= 3:
                break
            time.sleep(0.1)
        process.kill()


def killed_and_resumed(words: list[str], lines: list[bytes], folder: Path) -> None:
    """Both ways to the end give the same file."""
    whole, again = folder / "whole.parquet", folder / "again.parquet"
    feed([*words, "-q", "-o", str(whole)], lines, None, folder)
    parts = Path(f"{again}.parts")
    feed([*words, "-q", "-o", str(again)], lines, len(lines) // 2, parts)
    assert len(list(parts.glob("*.parquet"))) >= 3
    assert not again.exists()
    feed([*words, "-q", "-o", str(again)], lines, None, folder)
    assert whole.read_bytes() == again.read_bytes()


def test_killed_and_resumed_gives_the_same_file(tmp_path: Path) -> None:
    lines = write_events(tmp_path / "events.csv").read_bytes().splitlines(keepends=True)
    lines[700] = b"broken\n"
    lines[900], lines[2_100] = lines[2_100], lines[900]
    killed_and_resumed(["watch", "-", "--time", "when", "--window", "3s", "--every", "2s"], lines, tmp_path)


@pytest.mark.full
@pytest.mark.parametrize("name", STREAMS)
def test_real_streams_killed_and_resumed(name: str, tmp_path: Path) -> None:
    if not (DATA / name).exists():
        pytest.skip(f"needs {DATA / name}")
    lines = gzip.decompress((DATA / name).read_bytes()).splitlines(keepends=True)
    killed_and_resumed(["watch", "-", *STREAMS[name]], lines, tmp_path)


def test_a_part_without_its_state_is_written_again(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    events, whole, again = write_events(tmp_path / "events.csv"), tmp_path / "whole.parquet", tmp_path / "again.parquet"
    words = ["watch", events, "--time", "when", "--window", "3s", "--every", "2s", "-q", "-o"]
    assert invoke(*words, whole).code == 0
    save = Stream.save

    def fail_once(stream: Stream, *arguments: object) -> None:
        if stream.n_ended == 7:
            raise OSError("no space")
        save(stream, *arguments)

    with monkeypatch.context() as broken:
        broken.setattr(Stream, "save", fail_once)
        assert invoke(*words, again).code != 0
    assert len(list(Path(f"{again}.parts").glob("*.parquet"))) == 7
    assert invoke(*words, again).code == 0
    assert whole.read_bytes() == again.read_bytes()
