"""Node labels on their way to a file and back: whole numbers stay numbers, everything else becomes text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError
from vnestruct.graph.labels import LabelArray, as_label_column

_WHOLE_NUMBER = re.compile(r"0|-?[1-9][0-9]{0,18}", re.ASCII)
_INT64 = np.iinfo(np.int64)


def writable_labels(nodes: npt.ArrayLike | Sequence[object] | None, n_rows: int) -> LabelArray:
    """Turn node labels into what files can hold: int64 if all are integers, else the ``str`` of each.

    Raises
    ------
    ParameterError
        If their number is wrong, two would be written alike, or one is not valid Unicode.
    """
    if nodes is None:
        return np.arange(n_rows)
    items = as_label_column(nodes)
    if len(items) != n_rows:
        raise ParameterError(f"there are {len(items)} node labels for {n_rows} rows of values")
    labels = items
    if items.dtype == object:
        labels = text_array([str(item) for item in items])
        if (bad := _first_not_unicode(labels)) is not None:
            raise ParameterError(f"node label {labels[bad]!r} is not valid Unicode; relabel the node")
    if (pair := first_repeat(labels)) is not None:
        raise ParameterError(
            f"nodes {items[pair[0]]!r} and {items[pair[1]]!r} would both be written as {labels[pair[0]]!s}; "
            f"relabel one of them"
        )
    return labels


def labels_from_text(texts: Sequence[str]) -> LabelArray:
    """Read labels from a text file: int64 if each is a whole number as Python writes it, else strings."""
    if all(_WHOLE_NUMBER.fullmatch(text) for text in texts):
        numbers = [int(text) for text in texts]
        if all(_INT64.min <= number <= _INT64.max for number in numbers):
            return np.array(numbers, dtype=np.int64)
    return text_array(texts)


def text_array(texts: Sequence[str]) -> LabelArray:
    """Make an object array of strings."""
    labels = np.empty(len(texts), dtype=object)
    labels[:] = texts
    return labels


def first_repeat(labels: LabelArray) -> tuple[int, int] | None:
    """Find the first label that occurred before: its earlier and its later position."""
    items = labels.tolist()
    if len(set(items)) == len(items):
        return None
    seen: dict[object, int] = {}
    return next((seen[item], i) for i, item in enumerate(items) if seen.setdefault(item, i) != i)


def _first_not_unicode(labels: LabelArray) -> int | None:
    try:
        "".join(labels).encode()
    except UnicodeEncodeError:
        return next(i for i, label in enumerate(labels) if re.search("[\ud800-\udfff]", label))
    return None
