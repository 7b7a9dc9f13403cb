"""Small files with the names that examples use for the reader's own files."""

from __future__ import annotations

import gzip
import shutil
import zipfile
from pathlib import Path

from vnestruct.cli import main
from vnestruct.graph.synthetic import barabasi_albert
from vnestruct.io import write_graph
from vnestruct.roles import RoleClusterer

CODES = ["GRU", "GIG", "BSB", "MAO", "REC", "POA", "SSA", "CWB", "FOR", "BEL"]


def write_samples(folder: Path) -> None:
    """Write every file that an example reads and that no earlier example has written."""
    graph = barabasi_albert(60, 2, seed=1)
    pairs = [(u, v) for u in range(60) for v in graph.indices[graph.indptr[u] : graph.indptr[u + 1]].tolist() if u < v]
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
    for collection in ("PROTEINS", "new_proteins", "molecules"):
        write_collection(folder / collection, collection)
    for collection in ("PROTEINS", "new_proteins"):
        with zipfile.ZipFile(folder / f"{collection}.zip", "w") as archive:
            for path in (folder / collection).iterdir():
                archive.write(path, f"{collection}/{path.name}")
    shutil.rmtree(folder / "PROTEINS")


def write_collection(folder: Path, name: str) -> None:
    """Write rings and stars in the TU Dortmund layout."""
    folder.mkdir()
    arcs, owners, classes, first = [], [], [], 1
    for size in range(4, 14):
        for kind in (0, 1):
            ring = [(i, (i + 1) % size) for i in range(size)] if kind else [(0, i) for i in range(1, size)]
            arcs += [(first + u, first + v) for pair in ring for u, v in (pair, pair[::-1])]
            owners += [len(classes) + 1] * size
            classes.append(kind)
            first += size
    (folder / f"{name}_A.txt").write_text("".join(f"{u}, {v}\n" for u, v in arcs))
    (folder / f"{name}_graph_indicator.txt").write_text("".join(f"{owner}\n" for owner in owners))
    (folder / f"{name}_graph_labels.txt").write_text("".join(f"{label}\n" for label in classes))
