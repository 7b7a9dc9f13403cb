"""Collections of graphs to classify: readers, names, downloads.

>>> from vnestruct import datasets
>>> sorted(set(datasets.names()) & {"MUTAG", "PROTEINS"})
['MUTAG', 'PROTEINS']
"""

from vnestruct.datasets.catalogue import names
from vnestruct.datasets.collection import Collection, as_collection
from vnestruct.datasets.load import load
from vnestruct.datasets.tu import read_tu

__all__ = ["Collection", "as_collection", "load", "names", "read_tu"]
