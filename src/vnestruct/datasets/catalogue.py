"""`load`: a collection by its name, from a local folder or downloaded from its public source.

Checksums are computed from the content, not from the archive: archives of one collection differ in compression, in how
often they list an arc, and in the numbers of the classes, and none of that changes a graph.
"""

import hashlib
import os
import urllib.request
from os import fspath
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct.datasets.tu import is_tu, read_tu
from vnestruct.errors import ParameterError, VNEstructError
from vnestruct.files.atomic import atomic_path
from vnestruct.graph import GraphSet
from vnestruct.graph.labels import as_label_column, numbered
from vnestruct.types import FilePath

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

_SECONDS = 30
_FOLDERS = "data_dir, --data or VNESTRUCT_DATA"


def names() -> list[str]:
    """Return the names of the collections that `load` can download."""
    return list(CHECKSUMS)


def load(name: FilePath, data_dir: FilePath | None = None) -> GraphSet:
    r"""Return a collection of graphs, by name or by path.

    A name is searched for in `data_dir`, in the folder given by the environment variable ``VNESTRUCT_DATA``, and in the
    user's cache, as a folder ``NAME`` or an archive ``NAME.zip``, also inside ``tu``. If it is in none of them, it is
    downloaded from its public source into the cache, and its content is checked; `VNEstructError` is raised if that
    fails, `ParameterError` if there is no such collection.

    Parameters
    ----------
    name : str
        Name, such as "MUTAG", or path of a folder or zip archive in the TU Dortmund layout.
    data_dir : path-like, optional
        Folder that contains collections.

    Examples
    --------
    >>> from pathlib import Path
    >>> Path("data/TINY").mkdir(parents=True)
    >>> for part, text in {"A": "1, 2\n2, 1\n", "graph_indicator": "1\n1\n"}.items():
    ...     _ = Path(f"data/TINY/TINY_{part}.txt").write_text(text)
    >>> load("TINY", data_dir="data")
    GraphSet(1 graphs, 2 nodes, 1 edges)
    """
    text, place = fspath(name), Path(name)
    if data_dir is not None and not Path(data_dir).is_dir():
        wrong = f"`data_dir` is {fspath(data_dir)!r}, which is not a folder; name the folder that contains {text}.zip"
        raise ParameterError(wrong)
    if os.sep in text and not place.exists():
        raise ParameterError(f"{text}: there is no such file or folder; check the name")
    if place.exists() and (is_tu(place) or place.suffix == ".zip"):
        return read_tu(place)
    if place.exists() and text not in CHECKSUMS:
        raise ParameterError(_not_a_collection(place))
    folders = [Path(folder) for folder in (data_dir, os.environ.get("VNESTRUCT_DATA")) if folder]
    for folder in [*folders, cache_folder()]:
        for found in (folder / text, folder / f"{text}.zip", folder / "tu" / text, folder / "tu" / f"{text}.zip"):
            if found.exists() and is_tu(found):
                return read_tu(found)
    if text not in CHECKSUMS:
        wrong = f"{text!r} is neither a path nor a known collection; known are {', '.join(CHECKSUMS)}; "
        raise ParameterError(wrong + "you can also pass a folder or zip archive in the TU Dortmund layout")
    return _downloaded(text)


def _not_a_collection(place: Path) -> str:
    """Return what a collection is, and what to do with something else."""
    hint = ""
    if place.is_file():
        hint = f"; for the nodes of a single graph use: vnestruct roles {place}"
    elif inside := sorted(p.name for p in place.iterdir() if (p.is_dir() or p.suffix == ".zip") and is_tu(p)):
        hint = f"; the folder contains {', '.join(inside)}: name one, such as {place / inside[0]}"
    return (
        f"{place} is not a collection of graphs: a folder or zip archive in the TU Dortmund layout, with NAME_A.txt "
        "for the edges, NAME_graph_indicator.txt for the graph of each node and NAME_graph_labels.txt for the class "
        f"of each graph{hint}"
    )


def cache_folder() -> Path:
    """Return the folder for downloads: in ``XDG_CACHE_HOME``, else ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vnestruct" / "datasets"


def content_checksum(collection: GraphSet) -> str:
    """Return the SHA-256 of edges, graphs, classes and node types, independent of how the last two are numbered."""
    parts: list[Any] = [collection.offsets, collection.graph.indptr, collection.graph.indices]
    names = [] if collection.labels is None else [collection.labels]
    names.extend([] if collection.node_types is None else collection.node_types.T)
    parts += [numbered(as_label_column(column))[0] for column in names]
    digest = hashlib.sha256()
    for part in parts:
        digest.update(np.ascontiguousarray(part, dtype="<i8").tobytes())
    return digest.hexdigest()


def _downloaded(name: str) -> GraphSet:
    address, target = SOURCE.format(name=name), cache_folder() / f"{name}.zip"
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as response:
            content = response.read()
    except OSError as error:  # also what urllib raises
        reason = getattr(error, "reason", error)
        wrong = f"{name} is not on this machine and {address} cannot be reached ({reason}); download it on another "
        raise VNEstructError(f"{wrong}machine and name the folder of the archive with {_FOLDERS}") from error
    target.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(target) as temporary:
        temporary.write_bytes(content)
    try:
        collection = read_tu(target)
        checksum = content_checksum(collection)
        if checksum != CHECKSUMS[name]:
            sums = f"{checksum[:16]}..., expected {CHECKSUMS[name][:16]}..."
            wrong = f"{name} from {address} has the content checksum {sums}; the download is damaged or the collection "
            remedy = f"to use your own copy unchecked, name its folder with {_FOLDERS}"
            raise VNEstructError(f"{wrong}was changed at its source; {remedy}")
    except VNEstructError:
        target.unlink(missing_ok=True)
        raise
    return collection
