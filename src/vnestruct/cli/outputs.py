"""Where an embedding goes: checked before the work, written with its metadata."""

from __future__ import annotations

import errno
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console
from vnestruct.cli.options import OutputFormat, option
from vnestruct.errors import ParameterError, VNEstructError
from vnestruct.files.output_checks import STANDARD_OUTPUT, check_place

if TYPE_CHECKING:
    from vnestruct.embedding.parameters import Settings
    from vnestruct.graph import Graph
    from vnestruct.store import Embedding
    from vnestruct.types import ValueArray


@dataclass(frozen=True)
class EmbeddingOutput:
    """The file that an embedding is written to."""

    output: Annotated[
        str,
        option("--output -o", "OUT", "File: .parquet .feather .csv .tsv .npy .npz .emb; - for CSV on standard output."),
    ] = STANDARD_OUTPUT
    output_format: OutputFormat = None

    @property
    def name(self) -> str:
        """The file as notes name it."""
        return "standard output" if self.output == STANDARD_OUTPUT else self.output

    @property
    def format(self) -> str:
        """The format to write."""
        from vnestruct.store import embedding_format

        return embedding_format(self.output, self.output_format)

    def check(self, console: Console) -> None:
        """Refuse, before any work, a file that could not be written after it."""
        _ = self.format
        check_place(self.output)
        refuse_mixed_output(self.output, console, "the rows")

    def write(self, labels: Any, values: Any, graph: Graph, settings: Settings, kept: str | None = None) -> None:
        """Write an embedding; an error names the file, and the folder where finished rows are kept."""
        from vnestruct.store import write_embedding

        metadata = embedding_metadata(graph, settings)
        try:
            write_embedding(self.output, labels, values, settings.columns, metadata=metadata, format=self.format)
        except BrokenPipeError:
            raise
        except OSError as error:
            remedy = "free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "choose another place"
            again = "" if kept is None else f" and run the same command again: all rows are kept in {kept}"
            wrong = f"writing failed ({error.strerror or error})"
            raise VNEstructError(f"{self.name}: {wrong}; {remedy}{again}") from error


def rows_of_graph(stored: Embedding, path: str, graph: Graph) -> ValueArray:
    """Return the rows of an embedding file in the node order of the graph, which must be the one that was embedded."""
    import numpy as np

    known = stored.metadata.get("graph_hash")
    if known is not None and known != graph.hash:
        raise ParameterError(f"{path} is the embedding of another graph; embed this graph, or name the right file")
    if len(stored.values) != graph.n_nodes:
        raise ParameterError(f"{path} has {len(stored.values):,} rows, but the graph has {graph.n_nodes:,} nodes")
    if stored.nodes is None:
        return stored.values
    place = {str(label): row for row, label in enumerate(stored.nodes.tolist())}
    missing = next((label for label in graph.nodes.tolist() if str(label) not in place), None)
    if missing is not None:
        raise ParameterError(f"{path} has no row for node {missing!r} of the graph")
    return stored.values[np.array([place[str(label)] for label in graph.nodes.tolist()], dtype=np.int64)]


def refuse_mixed_output(output: str | None, console: Console, what: str, how: str = "with -o") -> None:
    """Refuse to print both JSON and something else to standard output."""
    if console.json and output == STANDARD_OUTPUT:
        raise ParameterError(f"--json prints to standard output, and so would {what}; name a file {how}")


def check_labels(labels: Any, form: str) -> None:
    """Refuse, before any work, labels that the format cannot express."""
    if form == "npy" or labels.dtype != object:
        return
    from vnestruct.store.tables import writable_labels
    from vnestruct.store.text_files import check_words

    texts = writable_labels(labels, labels.size)
    if form == "emb":
        check_words(texts.tolist())


def embedding_metadata(graph: Graph, settings: Settings) -> dict[str, str]:
    """Return what an embedding file says about itself: version, graph, parameters."""
    from vnestruct import __version__

    return {
        "vnestruct_version": __version__,
        "graph_hash": graph.hash,
        "parameters": json.dumps(parameters_of(settings), sort_keys=True),
    }


def parameters_of(settings: Settings) -> dict[str, object]:
    """Return all parameters of an embedding, by name."""
    return settings.identity() | {"aggregate": list(settings.aggregates)}
