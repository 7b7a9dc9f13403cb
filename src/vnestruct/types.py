"""The types of the whole package, named once: numbers, arrays of them, names of files."""

from os import PathLike
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

NodeId = np.int32  # node ids: positions 0..n-1 in a graph's node order
Offset = np.int64  # offsets into arc arrays; graphs may have more than 2**31 arcs
Value = np.float64  # weights and entropies
IdArray: TypeAlias = npt.NDArray[np.int32]
OffsetArray: TypeAlias = npt.NDArray[np.int64]
ValueArray: TypeAlias = npt.NDArray[np.float64]
FlagArray: TypeAlias = npt.NDArray[np.uint8]
BoolArray: TypeAlias = npt.NDArray[np.bool_]
WordArray: TypeAlias = npt.NDArray[np.uint64]
Array: TypeAlias = npt.NDArray[Any]
ArrayLike: TypeAlias = npt.ArrayLike
FilePath: TypeAlias = str | PathLike[str]
