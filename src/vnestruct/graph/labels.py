"""Columns of node labels: int64 where all are integers, objects otherwise."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import ParameterError

LabelArray = npt.NDArray[Any]


def as_label_column(labels: Any) -> LabelArray:
    """Return labels as an int64 array if all are integers that fit, else as an object array.

    Parameters
    ----------
    labels : array or iterable
        One label per entry; NumPy strings become ``str``, NumPy scalars their Python equals.

    Returns
    -------
    ndarray
        One-dimensional, of type int64 or object.

    Examples
    --------
    >>> as_label_column([3, 5])
    array([3, 5])
    >>> as_label_column(["a", 5])
    array(['a', 5], dtype=object)
    """
    if isinstance(labels, str | bytes):
        raise ParameterError(f"expected a sequence of node labels, got {labels!r}; write [{labels!r}]")
    if not isinstance(labels, np.ndarray) and hasattr(labels, "__array__"):
        labels = np.asarray(labels)
    if isinstance(labels, np.ndarray):
        if labels.ndim != 1:
            raise ParameterError(f"node labels must form a 1-D array, not one of shape {labels.shape}")
        if labels.dtype.kind in "iu":
            if labels.dtype == np.uint64 and labels.size and labels.max() > np.iinfo(np.int64).max:
                return _object_array(labels.tolist())
            return labels.astype(np.int64, copy=False)
        # tolist() would turn dates of nanosecond resolution into bare integers.
        return infer_column(list(labels) if labels.dtype.kind in "Mm" else labels.tolist())
    try:
        return infer_column(list(labels))
    except TypeError:
        kind = type(labels).__name__
        raise ParameterError(f"expected a sequence of node labels, got {labels!r} of type {kind}") from None


def infer_column(labels: list[Any]) -> LabelArray:
    """Return a list of labels as an int64 array if all are integers that fit, else as an object array."""
    if all(kind is int or issubclass(kind, np.integer) for kind in set(map(type, labels))):
        try:
            return np.array(labels, dtype=np.int64)
        except OverflowError:
            pass
    return _object_array(labels)


def _object_array(labels: Iterable[Any]) -> LabelArray:
    return np.fromiter((plain_label(label) for label in labels), dtype=object)


def plain_label(label: Any) -> Any:
    """Return the Python equal of a NumPy scalar, anything else as it is."""
    return label.item() if isinstance(label, np.integer | np.floating | np.bool_ | np.str_) else label


def is_missing(label: Any) -> bool:
    """Tell whether a label stands for a missing value: None, NaN, NaT or a data frame's NA."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, float | np.datetime64 | np.timedelta64) and label != label


def check_labels(labels: LabelArray) -> None:
    """Refuse labels that are missing, unhashable or not distinct, naming the first such label."""
    if labels.dtype == np.int64:
        ordered = np.sort(labels)
        repeated = np.flatnonzero(ordered[1:] == ordered[:-1])
        if repeated.size:
            raise _repeated(ordered[repeated[0]].item())
        return
    seen: set[Hashable] = set()
    for label in labels:
        check_label(label)
        if label in seen:
            raise _repeated(label)
        seen.add(label)


def _repeated(label: Any) -> ParameterError:
    return ParameterError(f"node label {label!r} occurs twice; labels must be distinct")


def check_label(label: Any) -> None:
    """Refuse a label that is missing or unhashable."""
    try:
        hash(label)
    except TypeError:
        kind = type(label).__name__
        raise ParameterError(
            f"node label {label!r} is a {kind}, which is not hashable; use a tuple or a string"
        ) from None
    if is_missing(label):
        raise ParameterError(f"node label {label!r} is a missing value; drop those rows or name the node")
