"""How well roles agree with known labels, measured by the scores of scikit-learn."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from vnestruct.errors import Arguments, Message, Parameter, ParameterError
from vnestruct.graph.labels import as_label_column
from vnestruct.roles.distinct import checked_signatures
from vnestruct.roles.quality import separation
from vnestruct.types import OffsetArray


@dataclass(frozen=True)
class Agreement:
    """Scores of roles against known labels; 1 is perfect for each.

    Parameters
    ----------
    n_nodes : int
        Number of nodes with a known label; only these are scored.
    n_classes, n_roles : int
        Distinct labels and roles among them.
    homogeneity, completeness : float
        1 if each role contains a single label; 1 if each label is in a single role.
    v_measure : float
        Harmonic mean of the two.
    adjusted_rand : float
        Share of pairs of nodes on which both agree, corrected for chance.
    normalized_mutual_information : float
        Mutual information divided by the mean of both entropies: equal to the V-measure.
    silhouette : float or None
        How well the roles separate the signatures, whatever the labels, on a sample of 5,000 nodes if there are more;
        None without signatures.
    """

    n_nodes: int
    n_classes: int
    n_roles: int
    homogeneity: float
    completeness: float
    v_measure: float
    adjusted_rand: float
    normalized_mutual_information: float
    silhouette: float | None


def agreement(known: Any, roles: Any, signatures: Any = None, *, nodes: Any = None) -> Agreement:
    """Compare roles with known labels.

    Parameters
    ----------
    known : sequence or mapping
        Known label of each node, in the order of `roles`; or a mapping from node to label, such as `read_labels`
        returns. Nodes that are not in the mapping are left out.
    roles : array of int, shape (n,)
        Role of each node.
    signatures : array of float, shape (n, d), optional
        Signatures, for the silhouette of the roles (over the nodes that are scored).
    nodes : sequence, optional
        Node labels, to look up in a mapping; 0..n-1 by default. The number 7 and the text "7" match.

    Returns
    -------
    Agreement

    Raises
    ------
    ParameterError
        If lengths differ, or no node has a known label.

    Examples
    --------
    >>> from vnestruct.roles import agreement
    >>> scores = agreement(["hub", "leaf", "leaf", "leaf"], [1, 0, 0, 0])
    >>> scores.homogeneity, scores.completeness, scores.adjusted_rand
    (1.0, 1.0, 1.0)
    """
    from sklearn import metrics

    numbers = np.asarray(roles)
    if numbers.ndim != 1:
        raise ParameterError(f"roles must be one number per node, not an array of shape {numbers.shape}")
    truth, places = _aligned(known, numbers.size, nodes)
    numbers = np.unique(numbers[places], return_inverse=True)[1].reshape(-1)
    scores = (
        *metrics.homogeneity_completeness_v_measure(truth, numbers),
        metrics.adjusted_rand_score(truth, numbers),
        metrics.normalized_mutual_info_score(truth, numbers),
    )
    silhouette = None if signatures is None else separation(checked_signatures(signatures)[places], numbers, 0)
    fields: list[Any] = [places.size, int(truth.max()) + 1, int(numbers.max()) + 1, *map(float, scores), silhouette]
    return Agreement(*fields)


def labels_of_nodes(known: Mapping[Any, Any], nodes: Any) -> dict[Any, Any]:
    """Return the known label of each node that has one; the number 7 and the text "7" are the same node."""
    labels = as_label_column(nodes).tolist()
    texts = {str(node): label for node, label in known.items()}
    found = {node: texts[str(node)] for node in labels if str(node) in texts}
    if found:
        return found
    named = set(map(str, labels))
    # Classes may be numbers, as nodes are, but are not all different.
    if len(set(known.values())) == len(known) > 1 and all(str(label) in named for label in known.values()):
        swapped = Arguments([Parameter("node", 2), Parameter("label", 1)])
        wrong = "the known labels are nodes of the graph: the columns are swapped; try: "
        raise ParameterError(Message(wrong, swapped))
    example, node = next(iter(known), None), labels[0] if labels else None
    which = f"the labels are for nodes such as {example!r}, but the graph has nodes such as {node!r}"
    reason = "they are those of another graph, or in another column"
    raise ParameterError(f"none of the {len(labels)} nodes has a known label; {which}: {reason}")


def _aligned(known: Any, n_nodes: int, nodes: Any) -> tuple[OffsetArray, OffsetArray]:
    """Return labels numbered 0, 1, ... and the positions of the nodes that have them."""
    if isinstance(known, Mapping):
        labels = list(range(n_nodes)) if nodes is None else as_label_column(nodes).tolist()
        if len(labels) != n_nodes:
            raise ParameterError(f"there are {len(labels)} nodes for {n_nodes} roles; give one label for each")
        found = labels_of_nodes(known, labels)
        places = [place for place, node in enumerate(labels) if node in found]
        values = [found[labels[place]] for place in places]
    else:
        values = list(known)
        if len(values) != n_nodes:
            raise ParameterError(f"there are {len(values)} known labels for {n_nodes} roles; give one for each")
        if not values:
            raise ParameterError("there are no nodes to compare; give at least one")
        places = list(range(n_nodes))
    numbers: dict[Any, int] = {}
    truth = [numbers.setdefault(value, len(numbers)) for value in values]
    return np.array(truth, dtype=np.int64), np.array(places, dtype=np.int64)
