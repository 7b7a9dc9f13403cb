"""`load`: a collection by its name, from a folder of yours or from its original public source."""

from __future__ import annotations

import os
import urllib.error
import urllib.request
from os import PathLike, fspath
from pathlib import Path

from vnestruct.datasets.catalogue import CHECKSUMS, SOURCE, content_checksum
from vnestruct.datasets.collection import Collection
from vnestruct.datasets.tu import is_tu, read_tu
from vnestruct.errors import ParameterError, VNEstructError
from vnestruct.files.atomic import atomic_path

_SECONDS = 30


def load(name: str | PathLike[str], data_dir: str | PathLike[str] | None = None) -> Collection:
    r"""Return a collection of graphs, by name or by path.

    A name is looked for in `data_dir`, in the folder that the environment variable ``VNESTRUCT_DATA`` names, and in the
    cache of the user, as a folder ``NAME`` or an archive ``NAME.zip``, also inside ``tu``. If it is in none of them it
    is downloaded from its original public source into the cache, and its content is checked.

    Parameters
    ----------
    name : str
        Such as "MUTAG"; or the path of a folder or zip archive in the TU Dortmund layout.
    data_dir : path-like, optional
        A folder of collections.

    Returns
    -------
    Collection

    Raises
    ------
    ParameterError
        If there is no such collection.
    VNEstructError
        If it cannot be downloaded, or is not what it should be.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder, "TINY")
    ...     place.mkdir()
    ...     _ = (place / "TINY_A.txt").write_text("1, 2\n2, 1\n")
    ...     _ = (place / "TINY_graph_indicator.txt").write_text("1\n1\n")
    ...     load("TINY", data_dir=folder)
    Collection(1 graphs, 2 nodes, 1 edges)
    """
    text = fspath(name)
    if data_dir is not None and not Path(data_dir).is_dir():
        raise ParameterError(f"data_dir is {fspath(data_dir)!r}, which is no folder; name one that holds {text}.zip")
    if os.sep in text or Path(text).exists():
        if not Path(text).exists():
            raise ParameterError(f"{text}: there is no such file or folder; check the name")
        if is_tu(text) or Path(text).suffix == ".zip" or Path(text).is_dir():
            return read_tu(text)
    for folder in _folders(data_dir):
        for place in (folder / text, folder / f"{text}.zip", folder / "tu" / text, folder / "tu" / f"{text}.zip"):
            if place.exists() and is_tu(place):
                return read_tu(place)
    if text not in CHECKSUMS:
        raise ParameterError(
            f"{text!r} is neither a path nor a known collection; known are {', '.join(CHECKSUMS)}; "
            "or name a folder or zip archive in the TU Dortmund layout"
        )
    return _checked(text, _download(text))


def cache_folder() -> Path:
    """Return the folder that keeps downloads: in ``XDG_CACHE_HOME``, else ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vnestruct" / "datasets"


def _folders(data_dir: str | PathLike[str] | None) -> list[Path]:
    given = [data_dir, os.environ.get("VNESTRUCT_DATA") or None, cache_folder()]
    return [Path(folder) for folder in given if folder is not None]


def _download(name: str) -> Path:
    address = SOURCE.format(name=name)
    target = cache_folder() / f"{name}.zip"
    try:
        with urllib.request.urlopen(address, timeout=_SECONDS) as answer:
            content = answer.read()
    except (urllib.error.URLError, TimeoutError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise VNEstructError(
            f"{name} is not on this machine and {address} cannot be reached ({reason}); download it elsewhere and pass "
            "data_dir, --data or VNESTRUCT_DATA, the folder that holds the archive"
        ) from error
    target.parent.mkdir(parents=True, exist_ok=True)
    with atomic_path(target) as temporary:
        temporary.write_bytes(content)
    return target


def _checked(name: str, path: Path) -> Collection:
    try:
        collection = read_tu(path)
        found = content_checksum(collection)
    except VNEstructError:
        path.unlink(missing_ok=True)
        raise
    if found != CHECKSUMS[name]:
        path.unlink(missing_ok=True)
        raise VNEstructError(
            f"{name} from {SOURCE.format(name=name)} has the content checksum {found[:16]}..., expected "
            f"{CHECKSUMS[name][:16]}...; the download is damaged or the collection was changed at its source; "
            "pass data_dir, --data or VNESTRUCT_DATA to use a copy of your own as it is"
        )
    return collection
