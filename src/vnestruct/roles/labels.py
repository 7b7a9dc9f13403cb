"""Roles in files: compared with known labels, as tables, and saved to be loaded again."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from os import fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from sklearn import metrics

from vnestruct.errors import GraphFormatError, ParameterError
from vnestruct.files.atomic import STANDARD_OUTPUT, write_rows
from vnestruct.files.container import decode_value, encode_value, load_model, save_model
from vnestruct.graph.labels import as_label_column
from vnestruct.io.label_files import read_labels
from vnestruct.roles.describe import RoleSummary
from vnestruct.roles.quality import separation
from vnestruct.store.signatures import checked_signatures
from vnestruct.store.tables import writable_labels
from vnestruct.types import FilePath

if TYPE_CHECKING:
    from vnestruct.roles.clusterer import RoleClusterer

__all__ = ["Agreement", "agreement", "read_labels"]

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_FORMAT_VERSION = 1
_SAVED_ARRAYS = ("labels", "centres", "groups", "signatures")
_Model = TypeVar("_Model", bound="RoleClusterer")


@dataclass(frozen=True)
class Agreement:
    """Scores of roles against known labels, those of scikit-learn; 1 is perfect for each.

    Only the `n_nodes` nodes with a known label are scored; they have `n_classes` labels and `n_roles` roles. The
    V-measure is the normalised mutual information, too; the silhouette says how well the roles separate signatures.
    """

    n_nodes: int
    n_classes: int
    n_roles: int
    homogeneity: float
    completeness: float
    v_measure: float
    adjusted_rand: float
    silhouette: float | None


def agreement(known: Any, roles: Any, signatures: Any = None, *, nodes: Any = None) -> Agreement:
    """Compare roles with known labels.

    `known` has a label of each node, in the order of `roles`; or it is a mapping from node to label, such as
    `read_labels` returns: then `nodes` are the node labels to look up, 0..n-1 by default, where the number 7 and the
    text "7" match, and other nodes are left out. The silhouette needs the `signatures`.

    Examples
    --------
    >>> from vnestruct.roles import agreement
    >>> scores = agreement(["hub", "leaf", "leaf", "leaf"], [1, 0, 0, 0])
    >>> scores.homogeneity, scores.completeness, scores.adjusted_rand
    (1.0, 1.0, 1.0)
    """
    numbers = np.asarray(roles)
    if numbers.ndim != 1:
        raise ParameterError(f"roles must be one number per node, not an array of shape {numbers.shape}")
    if not isinstance(known, Mapping):
        known, nodes = dict(enumerate(known)), None
        if len(known) != numbers.size:
            raise ParameterError(f"there are {len(known)} known labels for {numbers.size} roles; give one for each")
    labels = list(range(numbers.size)) if nodes is None else as_label_column(nodes).tolist()
    if len(labels) != numbers.size:
        raise ParameterError(f"there are {len(labels)} nodes for {numbers.size} roles; give one label for each")
    found = labels_of_nodes(known, labels)
    places = [place for place, node in enumerate(labels) if node in found]
    truth, numbers = [str(found[labels[place]]) for place in places], numbers[places]
    homogeneity, completeness, v_measure = map(float, metrics.homogeneity_completeness_v_measure(truth, numbers))
    rand = float(metrics.adjusted_rand_score(truth, numbers))
    silhouette = None if signatures is None else separation(checked_signatures(signatures)[places], numbers, 0)
    n_classes, n_roles = len(set(truth)), np.unique(numbers).size
    return Agreement(len(places), n_classes, n_roles, homogeneity, completeness, v_measure, rand, silhouette)


def labels_of_nodes(known: Mapping[Any, Any], nodes: Any) -> dict[Any, Any]:
    """Return the known label of each node that has one; the number 7 and the text "7" are the same node."""
    labels = as_label_column(nodes).tolist()
    texts = {str(node): label for node, label in known.items()}
    found = {node: texts[str(node)] for node in labels if str(node) in texts}
    if not found:
        which = f"the labels are for nodes such as {list(known)[:1]}, but the graph has nodes such as {labels[:1]}"
        reason = "they are those of another graph, or the columns of nodes and labels are others"
        raise ParameterError(f"none of the {len(labels)} nodes has a known label; {which}: {reason}")
    in_graph = set(map(str, found))
    if others := [node for node in known if str(node) not in in_graph]:
        which = f"{len(others):,} of {len(known):,} labelled nodes are not in the graph, e.g. {others[0]!r}"
        logging.getLogger(__name__).info("%s; check that the labels belong to it", which)
    return found


def check_role_file(path: FilePath) -> None:
    """Check that `path` has the suffix of a role file."""
    if fspath(path) != STANDARD_OUTPUT and Path(path).suffix.lower() not in _DELIMITERS:
        places = "a .csv or .tsv file, or to - for standard output"
        raise ParameterError(f"{path}: roles are written to {places}; choose one of these")


def write_roles(path: FilePath, model: Any, rows: Sequence[Mapping[str, Any]] = ()) -> None:
    """Write the role of each node to a .csv or .tsv file, or as csv to standard output for ``-``.

    Two different labels that would be written as the same text are refused. `rows` is what is known of each role, which
    is written next to the file; with names there are two more columns: the name of the role, and 1 for a node that no
    other node is like.
    """
    check_role_file(path)
    numbers, delimiter = model.labels_.tolist(), _DELIMITERS.get(Path(path).suffix.lower(), ",")
    columns = {"node": writable_labels(model.nodes_, len(numbers)).tolist(), "role": numbers}
    if rows and "name" in rows[0]:
        columns["name"] = [rows[role]["name"] for role in numbers]
        columns["exceptional"] = model.exceptional_.astype(int).tolist()
    write_rows(path, [list(columns), *zip(*columns.values(), strict=True)], delimiter)
    if rows and path != STANDARD_OUTPUT:
        cells = [[" ".join(map(str, v)) if isinstance(v, list | tuple) else v for v in row.values()] for row in rows]
        write_rows(role_table_path(path), [list(rows[0]), *cells], delimiter)


def role_table_path(path: FilePath) -> Path:
    """Return where `write_roles` writes what is known of each role: ``roles.summary.csv`` for ``roles.csv``."""
    return Path(path).with_suffix(f".summary{Path(path).suffix}")


def save_roles(model: "RoleClusterer", path: FilePath) -> None:
    """Write fitted roles, and what is known of each, for `load_roles`."""
    parameters = {name: encode_value(value) for name, value in model.get_params().items() if name != "n_jobs"}
    roles = model.describe() if model.has_descriptions else []
    notes = {
        "parameters": parameters, "columns": model.columns_, "scale": encode_value(model.scale_),
        "roles": [encode_value(list(asdict(role).values())) for role in roles],
        "nodes": encode_value(model.nodes_.tolist()),
    }  # fmt: skip
    save_model(path, "roles", _FORMAT_VERSION, notes, {name: getattr(model, f"{name}_") for name in _SAVED_ARRAYS})


def load_roles(kind: type[_Model], path: FilePath) -> _Model:
    """Read what `save_roles` wrote."""
    notes, arrays = load_model(path, "roles", _FORMAT_VERSION)
    try:
        model = kind(**{name: decode_value(value) for name, value in notes["parameters"].items()})
        for name in _SAVED_ARRAYS:
            setattr(model, f"{name}_", arrays[name])
        model.nodes_ = as_label_column(decode_value(notes["nodes"]))
        model.columns_, model.scale_ = notes["columns"], float(decode_value(notes["scale"]))
        n, d, k = len(model.nodes_), len(model.columns_), len(model.centres_)
        model.n_roles_ = model._n_features_out = k
        if [arrays[name].shape for name in _SAVED_ARRAYS] != [(n,), (k, d), (k,), (n, d)]:
            raise ValueError("its arrays do not belong together")
        model.graph_ = model.described_ = None
        model.summaries_ = [RoleSummary(*decode_value(role)) for role in notes["roles"]]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise GraphFormatError(f"not a readable roles file: {error}", path) from error
    return model
