"""Files about folds: splits read from one, and the result of each fold written as CSV."""

import json
from typing import Any

import numpy as np

from vnestruct.files.atomic import write_rows
from vnestruct.io.fields import data_lines, is_plain_integer, split_fields
from vnestruct.io.source import LineBlock, Source
from vnestruct.setmodel.evaluation import Evaluation
from vnestruct.types import FilePath, OffsetArray


def read_splits(path: FilePath, n_graphs: int) -> OffsetArray:
    r"""Read the test fold of each graph.

    The file, compressed or not, is text or JSON. Text has one line per graph with the number of its fold, from 0; more
    columns are more ways to draw the folds. JSON is a list of folds, each a list of the graphs it tests, counted from
    0, or an object with that list as ``test``, as in the splits of the fair comparison of graph networks by Errica et
    al. (2020); training and validation sets in it are not used, because each protocol validates inside all graphs that
    a fold does not test.

    Returns
    -------
    array of int64, shape (number of draws, number of graphs)

    Raises
    ------
    GraphFormatError
        If a graph is in no test fold or in two, or there are other graphs than those of the collection.

    Examples
    --------
    >>> from pathlib import Path
    >>> _ = Path("splits.json").write_text('[{"test": [0, 3]}, {"test": [1]}, {"test": [2]}]')
    >>> read_splits("splits.json", 4)
    array([[0, 1, 2, 0]])
    """
    with Source(path) as source:
        content = source.content().removeprefix(b"\xef\xbb\xbf")
        if content.lstrip().startswith((b"[", b"{")):
            return _from_json(source, content, n_graphs)[np.newaxis]
        return _from_lines(source, content, n_graphs)


def _from_json(source: Source, content: bytes, n_graphs: int) -> OffsetArray:
    try:
        tests = [fold["test"] if isinstance(fold, dict) else fold for fold in json.loads(content)]
        if not all(type(graph) is int for test in tests for graph in test):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise source.error('expected a list of folds, each like {"test": [0, 5, ...]} with graphs from 0') from None
    folds = np.full(n_graphs, -1, dtype=np.int64)
    for number, test in enumerate(tests):
        for graph in test:
            if not 0 <= graph < n_graphs:
                raise source.error(f"graph {graph}, but the collection has {n_graphs} graphs, counted from 0")
            if folds[graph] >= 0:
                raise source.error(f"graph {graph} is in the test folds {folds[graph]} and {number}; keep one")
            folds[graph] = number
    if (folds < 0).any():
        raise source.error(f"graph {int(np.argmin(folds))} of {n_graphs} is in no test fold; add it to one")
    return folds


def _from_lines(source: Source, content: bytes, n_graphs: int) -> OffsetArray:
    block = data_lines(LineBlock(content, 1))
    lines = [(number, split_fields(line.replace(b",", b" "), None)) for number, line in block]
    width = len(lines[0][1]) if lines else 0
    for number, fields in lines:
        if len(fields) != width or not all(is_plain_integer(field) and int(field) >= 0 for field in fields):
            raise source.error("expected the number of a fold, from 0, in each column; correct the line", number)
    if len(lines) != n_graphs:
        raise source.error(f"{len(lines)} lines for {n_graphs} graphs; write the fold of one graph per line")
    folds = np.array([[int(field) for field in fields] for _, fields in lines], dtype=np.int64).T
    for draw in folds:
        if np.unique(draw).size != draw.max() + 1:
            empty = int(np.argmin(np.bincount(draw)))
            raise source.error(f"fold {empty} tests no graph; number folds from 0 without gaps")
    return folds


def write_folds(path: FilePath, result: Evaluation) -> None:
    """Write the accuracy on each test fold, next to that of the most frequent class, as CSV.

    Folds of the same seed, or of the same file of splits, test the same graphs whatever the classifier, so that two of
    these files can be compared line by line.
    """
    rows: list[tuple[Any, ...]] = [("seed", "fold", "graphs", "accuracy", "majority", "chosen")]
    for (seed, fold), accuracy in np.ndenumerate(result.accuracies):
        shares = (repr(float(accuracy)), repr(float(result.majority[seed, fold])))
        rows.append((seed, fold, np.sum(result.folds[seed] == fold), *shares, result.chosen[seed][fold]))
    write_rows(path, rows)
