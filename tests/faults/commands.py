"""The commands whose every file operation is made to fail: one line per command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.graphs import weighted_copy, write_collection
from vnestruct import embed
from vnestruct.cli import main
from vnestruct.graph import GraphSet
from vnestruct.graph.synthetic import barabasi_albert, cycle, path
from vnestruct.io import write_graph

Prepare = Callable[[Path], None]


def write_inputs(folder: Path) -> None:
    """A graph in several formats, changes of it, its embedding, a collection of graphs."""
    graph = weighted_copy(barabasi_albert(40, 2, seed=1), seed=1)
    write_graph(graph, folder / "graph.vng")
    write_graph(graph, folder / "graph.csv")
    events = "".join(f"{u},{u + 1 + day % 3},{86_400 * day + u}\n" for day in range(3) for u in range(6))
    (folder / "events.csv").write_text(f"from,to,when\n{events}")
    (folder / "added.csv").write_text("source,target,weight\n3,39,1\n7,40,2\n")
    assert main(["embed", str(folder / "graph.vng"), "-q", "-j", "1", "-o", str(folder / "rows.npz")]) == 0
    members = [path(3) if g % 2 == 0 else cycle(3) for g in range(12)]
    write_collection(folder / "TINY", GraphSet.from_graphs(members, labels=[0, 1] * 6))


def _half_a_checkpoint(folder: Path) -> None:
    embed(str(folder / "graph.vng"), 3, n_jobs=1, part=(1, 2), checkpoint=folder / "run")


@dataclass(frozen=True)
class FaultyCommand:
    """A command line on the prepared folder, which ``{}`` stands for, and the files it writes."""

    name: str
    words: str
    outputs: tuple[str, ...]
    prepare: Prepare | None = None
    """What is in the folder besides the inputs."""

    def command_line(self, folder: Path) -> list[str]:
        return self.words.format(folder).split()


COMMANDS = [
    FaultyCommand(
        "embed --checkpoint",
        "embed {0}/graph.csv -r 3 -j 1 -q --checkpoint {0}/run -o {0}/out.parquet",
        ("out.parquet",),
    ),
    FaultyCommand(
        "embed, resumed",
        "embed {0}/graph.vng -r 3 -j 1 -q --checkpoint {0}/run -o {0}/out.csv",
        ("out.csv",),
        _half_a_checkpoint,
    ),
    FaultyCommand(
        "embed --max-memory",
        "embed {0}/graph.vng -r 2 -j 1 -q --max-memory 4G --checkpoint {0}/run -o {0}/out.npy",
        ("out.npy",),
    ),
    FaultyCommand("convert", "convert {0}/graph.csv {0}/out.vng -q", ("out.vng",)),
    FaultyCommand("convert, compressed", "convert {0}/graph.vng {0}/out.graphml.gz -q", ("out.graphml.gz",)),
    FaultyCommand("convert, Parquet", "convert {0}/graph.vng {0}/out.parquet -q", ("out.parquet",)),
    FaultyCommand(
        "update",
        "update {0}/graph.vng {0}/rows.npz --added {0}/added.csv -j 1 -q -o {0}/out.feather --graph-output {0}/out.vng",
        ("out.feather", "out.vng"),
    ),
    FaultyCommand(
        "roles -o --save",
        "roles {0}/graph.csv -j 1 -q -o {0}/roles.csv --save {0}/roles.model --plot {0}/roles.svg --checkpoint {0}/run",
        ("roles.csv", "roles.model", "roles.svg"),
    ),
    FaultyCommand("explore", "explore {0}/graph.csv -j 1 -q -o {0}/page.html", ("page.html",)),
    FaultyCommand(
        "classify --save", "classify {0}/TINY --folds 0 -j 1 -q --save {0}/classes.model", ("classes.model",)
    ),
    FaultyCommand(
        "watch", "watch {0}/events.csv --time when --window 2d --every 1d -j 1 -q -o {0}/out.parquet", ("out.parquet",)
    ),
    FaultyCommand("embed -o npz", "embed {0}/graph.vng -j 1 -q -o {0}/out.npz", ("out.npz",)),
]
