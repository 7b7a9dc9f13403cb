"""Collections of graphs to classify: readers, known names, downloads.

>>> from vnestruct import datasets
>>> sorted(set(datasets.names()) & {"MUTAG", "PROTEINS"})
['MUTAG', 'PROTEINS']
"""

from vnestruct.datasets.catalogue import load, names
from vnestruct.datasets.conversion import as_collection
from vnestruct.datasets.tu import read_tu

__all__ = ["as_collection", "load", "names", "read_tu"]
