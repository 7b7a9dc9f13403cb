"""Numbers for node labels, by first appearance, that grow with every batch; integers never pass through a dict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.errors import UnknownNodeError
from vnestruct.graph.labels import LabelArray, check_label, infer_column
from vnestruct.kernels import live
from vnestruct.types import IdArray, OffsetArray

_CHUNK = 1 << 16
"""Labels numbered at once: tables have room for so many more than there are."""


class NodeNumbers:
    """The labels of a growing graph and their numbers 0, 1, ..."""

    def __init__(self) -> None:
        self._n_integers = 0
        self._integers: OffsetArray = np.empty(0, np.int64)
        self._slots: IdArray = np.full(8, -1, np.int32)
        # Takes over once there is a label that is no integer.
        self._objects: list[Any] = []
        self._numbers: dict[Any, int] | None = None

    def __len__(self) -> int:
        return self._n_integers if self._numbers is None else len(self._objects)

    @property
    def nbytes(self) -> int:
        """Bytes of the tables of integers."""
        return self._integers.nbytes + self._slots.nbytes

    @property
    def labels(self) -> LabelArray:
        """The labels in the order of their numbers."""
        return self._integers[: self._n_integers].copy() if self._numbers is None else infer_column(self._objects)

    def labels_of(self, numbers: npt.NDArray[np.integer]) -> LabelArray:
        """Return the labels with these numbers."""
        if self._numbers is None:
            integers: LabelArray = self._integers[numbers]
            return integers
        return infer_column([self._objects[number] for number in numbers.tolist()])

    def number(self, labels: LabelArray, *, new: bool = True) -> IdArray:
        """Return the number of each label; an unknown one gets the next number, or is refused."""
        if self._numbers is None and labels.dtype == np.int64:
            chunks = [self._number_integers(labels[i : i + _CHUNK], new) for i in range(0, labels.size, _CHUNK)]
            ids = np.concatenate([np.empty(0, np.int32), *chunks])
        else:
            ids = self._number_objects(labels.tolist(), new)
        if not new and ids.size and ids.min() < 0:
            label = labels[int(np.argmax(ids < 0))]
            raise UnknownNodeError(f"node {label.item() if labels.dtype == np.int64 else label!r} is not in the graph")
        return ids

    def _number_integers(self, labels: OffsetArray, new: bool) -> IdArray:
        ids = np.empty(labels.size, np.int32)
        room = self._n_integers + labels.size
        if new and room > self._integers.size:
            known = self._integers[: self._n_integers]
            self._integers = np.empty(room + room // 2, np.int64)
            self._integers[: known.size] = known
        if new and 2 * room > self._slots.size:
            self._slots = np.full(1 << (2 * room).bit_length(), -1, np.int32)
            again = np.empty(self._n_integers, np.int32)
            live.number_integers(self._integers[: self._n_integers].copy(), self._integers, 0, self._slots, True, again)
        self._n_integers = live.number_integers(labels, self._integers, self._n_integers, self._slots, new, ids)
        return ids

    def _number_objects(self, labels: list[Any], new: bool) -> IdArray:
        if self._numbers is None:
            self._objects = self.labels.tolist()
            self._numbers = {label: number for number, label in enumerate(self._objects)}
        numbers = self._numbers
        try:
            if not new:
                return np.array([numbers.get(label, -1) for label in labels], np.int32)
            fresh: Iterable[Any] = dict.fromkeys(label for label in labels if label not in numbers)
        except TypeError:
            fresh = labels
        for label in fresh:
            check_label(label)
        for label in fresh:
            numbers[label] = len(self._objects)
            self._objects.append(label)
        return np.array([numbers[label] for label in labels], np.int32)
