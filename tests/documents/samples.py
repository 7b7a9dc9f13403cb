"""Small files with the names that examples use for the reader's own files."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

from tests.graphs import edges_of, write_collection
from vnestruct.cli import main
from vnestruct.graph import GraphSet
from vnestruct.graph.synthetic import barabasi_albert, cycle, star
from vnestruct.io import write_graph
from vnestruct.roles import RoleClusterer

CODES = ["GRU", "GIG", "BSB", "MAO", "REC", "POA", "SSA", "CWB", "FOR", "BEL"]


def write_samples(folder: Path) -> None:
    """Write every file that an example reads and that no earlier example has written."""
    graph = barabasi_albert(60, 2, seed=1)
    pairs = edges_of(graph)
    name = [CODES[i] if i < len(CODES) else f"A{i:02}" for i in range(60)]
    lines = [f"{name[u]},{name[v]}" for u, v in pairs]
    for table in ("graph.csv", "friends.csv", "flights.csv", "calls.csv"):
        (folder / table).write_text("from,to\n" + "\n".join(lines) + "\n")
    (folder / "new.csv").write_text(f"from,to\n{name[58]},{name[59]}\n")
    (folder / "gone.csv").write_text("from,to\n" + lines[0] + "\n")
    (folder / "airports.csv").write_text("code,city\n" + "".join(f"{label},City {label}\n" for label in name))
    (folder / "known.txt").write_text("node label\n" + "".join(f"{label} {i % 2}\n" for i, label in enumerate(name)))
    with gzip.open(folder / "web.txt.gz", "wt") as file:
        file.writelines(f"{u} {v}\n" for u, v in pairs)
    for file_name in ("web.vng", "huge.vng", "monday.vng"):
        write_graph(graph, folder / file_name)
    moments = [f"2026-01-{1 + i % 28:02} 12:00,{line}\n" for i, line in enumerate(lines)]
    (folder / "payments.csv").write_text("when,from,to\n" + "".join(sorted(moments)))
    (folder / "flows.txt").write_text("".join(f"{u} {v} {60 * i}\n" for i, (u, v) in enumerate(pairs)))
    assert main(["embed", str(folder / "monday.vng"), "--quiet", "-o", str(folder / "monday.npz")]) == 0
    RoleClusterer().fit(graph).save(folder / "year.roles")
    (folder / "tuesday.txt").write_text("58 59\n")
    members = [make(size) for size in range(4, 14) for make in (star, cycle)]
    for collection in ("PROTEINS", "new_proteins", "molecules"):
        write_collection(folder / collection, GraphSet.from_graphs(members, labels=[0, 1] * 10))
    for collection in ("PROTEINS", "new_proteins"):
        shutil.make_archive(str(folder / collection), "zip", folder, collection)
    shutil.rmtree(folder / "PROTEINS")
