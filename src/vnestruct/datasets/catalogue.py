"""The collections that `load` knows by name: where they come from, and what they must hold.

A checksum is that of the content and not of the archive: archives of one collection differ in how they are packed, in
how often they list an arc and in the numbers they give to classes, and none of that changes a graph.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from vnestruct.datasets.collection import Collection

SOURCE = "https://www.chrsmrrs.com/graphkerneldatasets/{name}.zip"

CHECKSUMS: dict[str, str] = {
    "MUTAG": "3144b5c24c32383ad3c354c8fa74977ee0d65adbb89b493a3f1997d3a32434eb",
    "PTC_MR": "e445e7dc63a20cf8c3665ec69e8830ec705c77804da9ab764689c7a9f71eaa1f",
    "PROTEINS": "eda5f358c3e5463a9c76e445b00f6044966651a40e974019736b0edc75cd36b5",
    "IMDB-BINARY": "68efdd26a4466f497d3ed6a873770cbb07c4abfd326ed85140d0c93efa7dc009",
    "ENZYMES": "09d4c7ccd771c56200c1ade1c8b34cb31bcb54fce24b39fbbc7c00f9486a953c",
    "NCI1": "63addefde9d419bb60c3a35a5ec9a48c2b9ff91ee994d11cf3daff58bde7092e",
    "DD": "7a8e9d0b1f6e5403916bd71dbc6ca68019afd7340198fca8e519445a08300efc",
    "REDDIT-BINARY": "a349211403c5783a7a475d9640f56d48c9aceded9c6b978022deff9842d137bd",
}


def content_checksum(collection: Collection) -> str:
    """Return the SHA-256 of edges, graphs, classes and node types, whatever numbers the last two go by.

    Examples
    --------
    >>> from vnestruct.datasets import as_collection
    >>> path = [(0, 1), (1, 2)]
    >>> content_checksum(as_collection([path], [7])) == content_checksum(as_collection([path + path], [-1]))
    True
    """
    parts: list[Any] = [collection.offsets, collection.graph.indptr, collection.graph.indices]
    if collection.labels is not None:
        parts.append(_by_appearance(collection.labels))
    if collection.node_types is not None:
        parts += [_by_appearance(column) for column in collection.node_types.T]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
    return digest.hexdigest()


def _by_appearance(values: Any) -> Any:
    """Return the number of each value, in the order in which values first appear."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(first.size)
    return rank[codes]


def names() -> list[str]:
    """Return the names of the collections that `load` can download."""
    return list(CHECKSUMS)
