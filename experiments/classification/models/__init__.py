"""The networks of the comparison, each for several replicas at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from experiments.classification.models.messages import MessageData

from vnestruct.setmodel.network import SetNetwork

NETWORKS = ("vnestruct", "gin", "gcn", "dgcnn", "gfn", "capsgnn")


def network_class(name: str) -> Any:
    """Return the class of a network; PyTorch Geometric is imported only for those that need it."""
    if name == "vnestruct":
        return SetNetwork
    from importlib import import_module

    home = {"gin": "GIN", "gcn": "GCN", "dgcnn": "DGCNN", "gfn": "GFN", "capsgnn": "CapsGNN"}[name]
    return getattr(import_module(f"experiments.classification.models.{name}"), home)


def normalised_arcs(arcs: Any, n_nodes: int, how: str) -> tuple[Any, Any]:
    """Return arcs with self-loops, graph by graph, and their weights: "symmetric" as in GCN, "row" as in DGCNN."""
    loops = np.arange(n_nodes, dtype=arcs.dtype)
    every = np.hstack([arcs, np.vstack([loops, loops])])
    every = every[:, np.argsort(every[0], kind="stable")]
    degrees = np.bincount(every[0], minlength=n_nodes).astype(np.float64)
    if how == "symmetric":
        return every, (degrees[every[0]] * degrees[every[1]]) ** -0.5
    # Messages travel from the first row to the second: the receiver divides.
    return every, 1.0 / degrees[every[1]]


def set_data(name: str, arrays: dict[str, Any], radius: int = 4, features: str = "X+H") -> MessageData:
    """Return what a network is given: features, and arcs where it passes messages.

    Parameters
    ----------
    name : str
        The network.
    arrays : dict
        See `experiments.classification.features`.
    radius : int
        Radius of the entropies, for "vnestruct".
    features : str
        For "vnestruct": a sum of X, H, rich (columns of kind "noisy") and attributes.
    """
    parts, scaled = [], []
    if name == "vnestruct":
        for word in features.split("+"):
            block = arrays["H"][:, :radius] if word == "H" else arrays[word]
            parts.append(block.astype(np.float32))
            scaled += [word != "X"] * block.shape[1]
    elif name == "gfn":
        from experiments.classification.models.gfn import propagated

        n_nodes = arrays["X"].shape[0]
        degrees = np.bincount(arrays["arcs"][0], minlength=n_nodes).astype(np.float32)[:, np.newaxis]
        parts = [degrees, propagated(arrays["X"], *normalised_arcs(arrays["arcs"], n_nodes, "symmetric"))]
        scaled = [True] + [False] * parts[1].shape[1]
    else:
        parts = [arrays["X"].astype(np.float32)]
        scaled = [False] * parts[0].shape[1]
    kind = network_class(name)
    arcs, weights = None, None
    if getattr(kind, "uses_arcs", False):
        arcs = arrays["arcs"]
        if kind.arc_weighting is not None:
            arcs, weights = normalised_arcs(arcs, arrays["X"].shape[0], kind.arc_weighting)
    return MessageData(arrays["sizes"], np.hstack(parts), arrays["classes"], np.array(scaled), arcs, weights)
