"""The staged tables: edges, one row per node, targets and splits."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold

Splits = list[tuple[np.ndarray, np.ndarray]]
TWITCH = ("DE", "ES", "FR", "RU")


@dataclass(frozen=True)
class NodeTable:
    """A table about the nodes 0, 1, ... of a graph."""

    name: str
    edges: np.ndarray  # pairs of nodes
    own: pd.DataFrame  # what is known of each node, without the targets
    targets: dict[str, tuple[str, np.ndarray]]  # by name: a measure of quality and the values
    splits: Splits


def load_table(name: str, folder: Path) -> NodeTable:
    """Read one table from the folder of staged data."""
    if name.startswith("twitch"):
        return _twitch(name, folder)
    return _wikipedia(name, folder) if name.startswith("wiki") else _archive(name, folder)


NAMES = (
    *(f"twitch-{country}" for country in TWITCH), "wiki-chameleon", "wiki-squirrel", "tolokers", "minesweeper",
    "chameleon_filtered", "squirrel_filtered",
)  # fmt: skip


def _twitch(name: str, folder: Path) -> NodeTable:
    # The French file lists two users twice.
    target = pd.read_csv(folder / f"{name}-target.csv.gz").drop_duplicates("new_id")
    target = target.sort_values("new_id", ignore_index=True)
    own = target[["days", "mature"]].assign(attributes=_attribute_counts(name, folder, len(target)))
    views = np.log1p(target["views"].to_numpy(float))
    targets = {"views": ("r2", views), "partner": ("average_precision", target["partner"].to_numpy(int))}
    return NodeTable(name, _edges(name, folder), own, targets, five_folds(len(target)))


def _wikipedia(name: str, folder: Path) -> NodeTable:
    target = pd.read_csv(folder / f"{name}-target.csv.gz").sort_values("id", ignore_index=True)
    own = pd.DataFrame({"attributes": _attribute_counts(name, folder, len(target))})
    targets = {"traffic": ("r2", np.log1p(target["target"].to_numpy(float)))}
    return NodeTable(name, _edges(name, folder), own, targets, five_folds(len(target)))


def _archive(name: str, folder: Path) -> NodeTable:
    """Read a data set of the heterophilous graphs (Platonov et al. 2023), with its first five splits."""
    with np.load(folder / f"{name}.npz") as data:
        attributes, labels = data["node_features"], data["node_labels"]
        edges = data["edges"]
        splits = [
            (np.flatnonzero(train), np.flatnonzero(test))
            for train, test in zip(data["train_masks"][:5], data["test_masks"][:5], strict=True)
        ]
    if name.endswith("filtered"):
        own, quality = pd.DataFrame({"attributes": (attributes > 0).sum(axis=1)}), "accuracy"
    else:
        own, quality = pd.DataFrame(attributes, columns=[f"x{i}" for i in range(attributes.shape[1])]), "roc_auc"
    return NodeTable(name, edges, own, {"class": (quality, labels)}, splits)


def _edges(name: str, folder: Path) -> np.ndarray:
    return pd.read_csv(folder / f"{name}-edges.csv.gz").to_numpy()


def _attribute_counts(name: str, folder: Path, n_nodes: int) -> np.ndarray:
    with gzip.open(folder / f"{name}-features.json.gz", "rt") as file:
        attributes = json.load(file)
    return np.array([len(attributes.get(str(node), ())) for node in range(n_nodes)])


def five_folds(n_rows: int) -> Splits:
    """Return five shuffled folds."""
    return list(KFold(5, shuffle=True, random_state=0).split(np.zeros(n_rows)))


def repeated_nodes(table: NodeTable) -> int:
    """Return how many nodes have the same neighbours as an earlier one."""
    neighbours: dict[int, set[int]] = {node: set() for node in range(len(table.own))}
    for u, v in table.edges.tolist():
        neighbours[u].add(v)
        neighbours[v].add(u)
    return len(neighbours) - len({frozenset(near) for near in neighbours.values()})
