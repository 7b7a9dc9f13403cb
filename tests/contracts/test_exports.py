"""The public names, pinned: added and removed names must be changed here too."""

from __future__ import annotations

import importlib
import pkgutil

import pytest

import vnestruct
from tests.cases import for_each

EXPORTS: dict[str, list[str]] = {
    "vnestruct": [
        "CheckpointMismatchError",
        "EngineError",
        "Graph",
        "GraphFormatError",
        "GraphSet",
        "GraphSignature",
        "Interval",
        "LiveGraph",
        "MissingExtraError",
        "NotAGraphError",
        "ParameterError",
        "RoleClusterer",
        "TooLargeError",
        "UnknownNodeError",
        "Update",
        "VNEstruct",
        "VNEstructError",
        "__version__",
        "annotate",
        "as_graph",
        "continuity_bound",
        "embed",
        "embed_stream",
        "embedding_frame",
        "entropy",
        "explain",
        "graph_distance",
        "graph_distances",
        "match_nodes",
        "read_embedding",
        "read_graph",
        "similar_nodes",
        "update",
        "write_embedding",
    ],
    "vnestruct.datasets": ["as_collection", "load", "names", "read_tu"],
    "vnestruct.embedding": [
        "Update",
        "VNEstruct",
        "annotate",
        "embed",
        "embedding_frame",
        "update",
    ],
    "vnestruct.execute": [
        "BLOCKS_PER_WORKER",
        "Block",
        "Cancelled",
        "GROUP",
        "Task",
        "ThreadsEngine",
        "cut_blocks",
        "resolve_n_jobs",
        "run_inline",
    ],
    "vnestruct.explore": ["NodeTable", "PageSummary", "read_node_table", "write_page"],
    "vnestruct.graph": [
        "CleaningReport",
        "Graph",
        "GraphSet",
        "IN",
        "OUT",
        "graph_from_ids",
        "graph_from_object",
        "graph_from_pairs",
    ],
    "vnestruct.io": ["as_graph", "read_graph", "read_vng", "write_graph"],
    "vnestruct.kernels": [
        "DIGEST",
        "FOLDER",
        "announce",
    ],
    "vnestruct.live": [
        "Anomaly",
        "LiveGraph",
        "Pending",
        "Period",
        "anomalies",
        "anomaly_scores",
        "change_scores",
        "draw_periods",
        "embed_stream",
        "read_events",
    ],
    "vnestruct.roles": [
        "Agreement",
        "Explanation",
        "RoleClusterer",
        "RoleQuality",
        "RoleSummary",
        "agreement",
        "draw_roles",
        "explain",
        "match_nodes",
        "read_labels",
        "similar_nodes",
    ],
    "vnestruct.setmodel": [
        "DeepSetsClassifier",
        "Evaluation",
        "GraphSignature",
        "NodeFeatures",
        "SignatureClassifier",
        "cross_validate",
        "load_classifier",
        "read_splits",
        "write_folds",
    ],
    "vnestruct.store": [
        "Audit",
        "Checkpoint",
        "Embedding",
        "embedding_format",
        "holds_embedding",
        "parse_part",
        "part_slice",
        "read_embedding",
        "write_embedding",
    ],
}

# A program, from which nothing is imported, and packages whose names are imported from their modules.
WITHOUT_NAMES = {"vnestruct.cli", "vnestruct.drawing", "vnestruct.files"}


@for_each("module", EXPORTS)
def test_names(module: str) -> None:
    package = importlib.import_module(module)
    assert sorted(package.__all__) == EXPORTS[module]
    assert len(set(package.__all__)) == len(package.__all__)
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_every_subpackage_is_pinned() -> None:
    packages = {f"vnestruct.{part.name}" for part in pkgutil.iter_modules(vnestruct.__path__) if part.ispkg}
    assert packages - WITHOUT_NAMES == set(EXPORTS) - {"vnestruct"}


def test_completion_shows_the_lazy_names_and_nothing_else() -> None:
    assert dir(vnestruct) == EXPORTS["vnestruct"]


def test_lazy_names_are_those_of_their_packages() -> None:
    assert vnestruct.embed is importlib.import_module("vnestruct.embedding").embed
    with pytest.raises(AttributeError, match="no attribute 'embedd'"):
        vnestruct.embedd
