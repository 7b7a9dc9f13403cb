"""What has been computed of a network, and how rows of a table get their columns from it."""

import warnings
from dataclasses import dataclass

import numpy as np

from vnestruct.columns.in_time import columns_before
from vnestruct.columns.measures import PAIR_SENTENCES, pair_measures, taken_rows
from vnestruct.columns.network import Network, find_nodes
from vnestruct.columns.tables import Table
from vnestruct.errors import ParameterError
from vnestruct.types import OffsetArray, ValueArray

_NANOSECONDS = 1e9


@dataclass(frozen=True)
class Fitted:
    """A network, what is asked of it, and the columns of its nodes if they do not depend on time."""

    network: Network
    keys: list[str]
    time: str | None
    window: float | None  # in seconds
    measures: list[str]
    columns: list[str]
    matrix: ValueArray | None
    n_jobs: int | None

    @property
    def pair_names(self) -> list[str]:
        """Names of the columns about pairs."""
        return list(PAIR_SENTENCES)[: 4 if self.matrix is None else 3]

    def of_rows(self, rows: Table) -> dict[str, ValueArray]:
        """Return the columns of some rows."""
        ends, n_unknown = [], 0
        for key in self.keys:
            rows.check(key, "key")
            labels, is_missing = rows.labels(key)
            ends.append(find_nodes(self.network.nodes, labels, is_missing))
            n_unknown += int(((ends[-1] < 0) & ~is_missing).sum())
        if n_unknown:
            unknown = f"{n_unknown:,} of {len(rows) * len(ends):,} keys are not nodes of the graph"
            warnings.warn(f"{unknown}; their columns are missing values", stacklevel=4)
        of_pair: dict[str, ValueArray] = {}
        if self.matrix is None or self.network.graph is None:
            of_ends, of_pair = self._before(rows, ends)
        else:
            of_ends = [dict(zip(self.columns, taken_rows(self.matrix, places), strict=True)) for places in ends]
            if len(ends) == 2:
                of_pair = pair_measures(self.network.graph, *ends)
        if len(ends) == 1:
            return of_ends[0]
        named = zip(self.keys, of_ends, strict=True)
        return {f"{key}_{name}": values for key, columns in named for name, values in columns.items()} | of_pair

    def _before(
        self, rows: Table, ends: list[OffsetArray]
    ) -> tuple[list[dict[str, ValueArray]], dict[str, ValueArray]]:
        events, clock = self.network.events, self.network.clock
        assert events is not None
        rows.check(self.time, "time")
        times, found = rows.times(self.time)
        if found != clock:
            wrong = f"a time of the rows is a {found}, one of the edges a {clock}"
            raise ParameterError(f"`time`: {wrong}; convert one of them")
        unit = 1.0 if clock == "number" else _NANOSECONDS
        window = None if self.window is None else self.window * unit
        if window is not None and times.dtype == np.int64 and window == int(window):
            window = int(window)  # so that dates stay exact
        places = np.stack(ends, axis=1).astype(np.int32)
        names = self.network.value_names
        return columns_before(events, places, times, window, unit, self.measures, names, self.n_jobs)
