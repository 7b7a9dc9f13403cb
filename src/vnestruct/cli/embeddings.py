"""Embedding files that commands read and write: checked before the work, written with their metadata."""

import json
from dataclasses import dataclass
from typing import Annotated, Any

import vnestruct
from vnestruct import store
from vnestruct.cli.options import OutputFormat, option
from vnestruct.cli.output import Console
from vnestruct.embedding.parameters import Settings
from vnestruct.errors import ParameterError
from vnestruct.files.atomic import STANDARD_OUTPUT


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
    rows = [place.get(str(label)) for label in graph.nodes.tolist()]
    if None in rows:
        raise ParameterError(f"{path} has no row for node {graph.nodes[rows.index(None)]!r} of the graph")
    return stored.values[rows]
