"""The options that commands share: one spelling, one help text, one meaning.

A group is a frozen dataclass. Its fields are named like the parameters of the library, so that an error about a
parameter can be shown as the option; a command that takes the group takes all of its options.
"""

import json
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import vnestruct
from vnestruct import store
from vnestruct.cli.output import Console
from vnestruct.embedding.parameters import AGGREGATES, DIRECTIONS, ENGINES, KINDS, NAMED_KINDS, Settings, parse_size
from vnestruct.errors import ParameterError, UnknownNodeError, one_of
from vnestruct.files.atomic import STANDARD_OUTPUT

if TYPE_CHECKING:
    from vnestruct.graph.labels import LabelArray


def option(*declared: Any, words: Sequence[str] = (), callback: Any = None) -> Any:
    """Return an option for an annotation, from its names, metavar and help; this lists `words`, which shells complete.

    Names are left out if there is one, that of the parameter.
    """
    *names, metavar, help = declared

    # Typer passes the word by this name. Several are separated by commas, and the last one is completed.
    def complete(incomplete: str) -> list[str]:
        done, comma, begun = incomplete.rpartition(",")
        return [done + comma + word for word in words if word.startswith(begun)]

    completion = {"help": f"{help}: {', '.join(words)}.", "autocompletion": complete} if words else {"help": help}
    return typer.Option(*" ".join(names).split(), metavar=metavar, callback=callback, **completion)


def argument(metavar: str, help: str) -> Any:
    """Return a positional argument for an annotation."""
    return typer.Argument(metavar=metavar, help=help)


def _some_jobs(number: int | None) -> int | None:
    if number == 0:
        raise typer.BadParameter("--jobs must be a positive integer, or -1 for all CPUs, -2 for all but one, not 0")
    return number


def separate_words(values: list[str] | None) -> list[str]:
    """Split repeated and comma-separated values into single words."""
    return [word for value in values or [] for word in value.split(",") if word]


Radius = Annotated[
    int | None, option("--radius -r", "R", "Largest number of hops, for kinds that have a radius; 2 by default.")
]
_KINDS = "What describes a node, several separated by commas; the last three have no radius and stand alone"
Kind = Annotated[list[str] | None, option("KIND", _KINDS, words=[*KINDS, *NAMED_KINDS], callback=separate_words)]
Source = Annotated[str | None, option("COLUMN", "Column with one end of each edge, by name or number.")]
Target = Annotated[str | None, option("COLUMN", "Column with the other end, by name or number.")]
Span = Annotated[str, option("SPAN", "How long an edge counts: 90s, 15min, 12h, 7d, 2w.")]
Every = Annotated[str, option("SPAN", "Length of a period.")]
Weighted = Annotated[bool, option("--weighted", None, "Use edge weights; balls are still measured in hops.")]
Direction = Annotated[str, option("WHICH", "Which edges balls follow in a directed graph", words=DIRECTIONS)]
Jobs = Annotated[
    int | None, option("--jobs -j", "N", "Number of threads. Default: all CPUs; -2: all but one.", callback=_some_jobs)
]
Aggregate = Annotated[
    list[str] | None,
    option("NAME", "Append statistics over each node's neighbours", words=AGGREGATES, callback=separate_words),
]
OutputFormat = Annotated[str | None, option("NAME", "Format of OUT, whatever its suffix.")]
RandomState = Annotated[int, option("N", "Seed of what is estimated.")]

_LONG_READ = 20_000_000  # bytes of a file that takes more than a second to read


@dataclass(frozen=True)
class GraphOptions:
    """The graph of a command, and how to read it."""

    input: Annotated[
        str, argument("IN", "The graph: a file in any known format, plain or .gz .bz2 .xz .zst; - for standard input.")
    ]
    format: Annotated[
        str | None, option("NAME", "Format of IN, whatever its suffix; NAME+text reads numbers as text.")
    ] = None
    source: Source = None
    target: Target = None
    weight: Annotated[str | None, option("COLUMN", "Column or attribute with weights; 0 ignores weights.")] = None
    directed: Annotated[
        bool | None,
        option("--directed/--undirected", None, "Whether edges are directed. Default: as the file says, else not."),
    ] = None
    bipartite: Annotated[
        bool | None,
        option(
            "--bipartite/--no-bipartite",
            None,
            "Whether nodes are on two sides: equal labels in the two columns are then different nodes, COLUMN:LABEL. "
            "Default: if the columns share no label, or the file says so.",
        ),
    ] = None

    def load(self, console: Console, *, summary: bool = True, weighted: bool = True) -> "vnestruct.Graph":
        """Read the graph; in a summary, report what was read, cleaned and is unused."""
        reading = asdict(self)
        path, n_bytes = reading.pop("input"), 0
        with suppress(OSError):  # the reader says what is wrong
            n_bytes = Path(path).stat().st_size
        is_long = n_bytes >= _LONG_READ
        if is_long:
            console.note(f"Reading {path}, {n_bytes / 1e6:,.0f} MB ...")
        with console.progress("reading", "MB") if is_long else nullcontext() as progress:
            graph = vnestruct.read_graph(path, **reading, progress=None if progress is None else progress.advance)
        if summary:
            unused = "" if weighted or graph.weights is None else " Weights are not used; --weighted uses them."
            console.note(f"{path}: {graph.n_nodes:,} nodes, {graph.n_edges:,} edges. {graph.report}{unused}")
        return graph

    def facts(self, graph: "vnestruct.Graph") -> dict[str, Any]:
        """Return what results for programs say about the graph."""
        sizes = None if graph.sides is None else [int((graph.sides == side).sum()) for side in (0, 1)]
        facts = {"input": self.input, "nodes": graph.n_nodes, "edges": graph.n_edges, "graph_hash": graph.hash}
        return facts | {"sides": sizes, "side_names": graph.side_names}


@dataclass(frozen=True)
class SignatureOptions:
    """Which entropies of which balls."""

    radius: Radius = None
    kind: Kind = None
    weighted: Weighted = False
    direction: Direction = "all"
    aggregate: Aggregate = None

    def keywords(self, default: str = "approx") -> dict[str, Any]:
        """Return the parameters of `embed` and others that these options mean."""
        return asdict(self) | {"kind": self.kind or [default], "aggregate": self.aggregate or []}


@dataclass(frozen=True)
class RunOptions:
    """How the work is done."""

    engine: Annotated[str, option("NAME", "What does the work", words=ENGINES)] = "threads"
    address: Annotated[
        str | None, option("WHERE", "Ray cluster: auto, host:port or ray://host:port. Default: a new local one.")
    ] = None
    n_jobs: Jobs = None
    checkpoint: Annotated[
        str | None, option("DIR", "Keep finished rows in DIR; the same command again resumes from there.")
    ] = None
    max_memory: Annotated[
        str | None, option("SIZE", "Memory limit, e.g. 2G; large arrays are kept in files; IN must be a .vng.")
    ] = None

    def __post_init__(self) -> None:
        # What is wrong for any graph is refused before the graph is read.
        one_of("engine", self.engine, ENGINES)
        if self.max_memory is not None:
            parse_size(self.max_memory)
        if self.engine == "ray" and self.address is not None:
            from vnestruct.execute.ray import check_cluster

            check_cluster(self.address)


@dataclass(frozen=True)
class CollectionOptions:
    """The graphs of a command, and where to look for them."""

    data: Annotated[
        str, argument("DATA", "The graphs: a folder or zip archive in the TU Dortmund layout, or a known name.")
    ]
    data_dir: Annotated[
        str | None,
        option("--data", "DIR", "Folder of collections; searched before VNESTRUCT_DATA and the download cache."),
    ] = None

    def load(self, console: Console) -> tuple["vnestruct.GraphSet", dict[str, Any]]:
        """Read the collection and say how large it is; return it with what results for programs say about it."""
        from vnestruct.datasets import load

        collection = load(self.data, self.data_dir)
        n_graphs, n_nodes, n_edges = len(collection), collection.graph.n_nodes, collection.graph.n_edges
        console.note(f"{self.data}: {n_graphs:,} graphs, {n_nodes:,} nodes, {n_edges:,} edges.")
        return collection, {"data": self.data, "graphs": n_graphs, "nodes": n_nodes, "edges": n_edges}


def labels_named(labels: "LabelArray", named: Sequence[str]) -> list[Any]:
    """Return the labels that words of the command line name; refuse one that the graph does not have."""
    known = {str(label): label for label in labels.tolist()}
    for word in named:
        if word not in known:
            some = ", ".join(map(repr, list(known)[:3]))
            raise UnknownNodeError(f"the graph has no node {word!r}; its labels are such as {some}")
    return [known[word] for word in named]


@dataclass(frozen=True)
class EmbeddingOutput:
    """The file that an embedding is written to."""

    output: Annotated[
        str,
        option("--output -o", "OUT", "File: .parquet .feather .csv .tsv .npy .npz .emb; - for CSV on standard output."),
    ] = STANDARD_OUTPUT
    output_format: OutputFormat = None

    @property
    def format(self) -> str:
        """The format to write."""
        return store.embedding_format(self.output, self.output_format)

    def check(self, console: Console) -> None:
        """Refuse, before any work, a file that could not be written after it."""
        _ = self.format
        console.check_outputs(shown=self.output)

    def check_labels(self, labels: Any) -> None:
        """Refuse, before any work, labels that the format cannot express."""
        if self.format != "npy" and labels.dtype == object:
            from vnestruct.store.tables import writable_labels
            from vnestruct.store.text_files import check_words

            texts = writable_labels(labels, labels.size)
            if self.format == "emb":
                check_words(texts.tolist())

    def write(self, labels: Any, values: Any, graph: "vnestruct.Graph", settings: Settings) -> dict[str, Any]:
        """Write an embedding and return what was written."""
        about = about_embedding(graph, settings)
        metadata = about | {"parameters": json.dumps(about["parameters"], sort_keys=True)}
        vnestruct.write_embedding(self.output, labels, values, settings.columns, metadata=metadata, format=self.format)
        return about | {"output": self.output, "format": self.format, "columns": settings.columns}


def about_embedding(graph: "vnestruct.Graph", settings: Settings) -> dict[str, Any]:
    """Return what an embedding says about itself: version, graph, parameters."""
    parameters = settings.identity() | {"aggregate": list(settings.aggregates)}
    return {"vnestruct_version": vnestruct.__version__, "graph_hash": graph.hash, "parameters": parameters}


def rows_of_graph(stored: "store.Embedding", path: str, graph: "vnestruct.Graph") -> Any:
    """Return the rows of an embedding file in the node order of the graph, which must be the one that was embedded."""
    known = stored.metadata.get("graph_hash")
    if known is not None and known != graph.hash:
        raise ParameterError(f"{path} is the embedding of another graph; embed this graph, or name the right file")
    if len(stored.values) != graph.n_nodes:
        raise ParameterError(f"{path} has {len(stored.values):,} rows, but the graph has {graph.n_nodes:,} nodes")
    if stored.nodes is None:
        return stored.values
    place = {str(label): row for row, label in enumerate(stored.nodes.tolist())}
    labels = graph.nodes.tolist()
    rows = [place.get(str(label), -1) for label in labels]
    if -1 in rows:
        raise ParameterError(f"{path} has no row for node {labels[rows.index(-1)]!r} of the graph")
    return stored.values[rows]
