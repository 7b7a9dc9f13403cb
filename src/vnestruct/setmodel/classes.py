"""The classes of the graphs that a classifier is fitted on."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from vnestruct.datasets import Collection
from vnestruct.errors import ParameterError


def training_classes(collection: Collection) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the classes of a collection and the place of each graph's class among them."""
    if collection.labels is None:
        raise ParameterError("the graphs have no labels; pass y with one class a graph")
    classes, codes = np.unique(collection.labels, return_inverse=True)
    if classes.size < 2:
        raise ParameterError(f"all {len(collection)} graphs are of class {classes.tolist()}; two classes are needed")
    return classes, codes
