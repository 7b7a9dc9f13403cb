"""The periods of a stream on disk, one part per period that are joined into one Parquet file, and in a picture."""

import json
import math
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from os import fspath
from pathlib import Path
from typing import Any

import numpy as np

from vnestruct.drawing.palette import colour_of
from vnestruct.files.atomic import atomic_file
from vnestruct.live.stream import KINDS, Period, Stream
from vnestruct.store.formats import embedding_format
from vnestruct.store.tables import writable_labels
from vnestruct.types import FilePath, ValueArray

_FACTS = b"vnestruct_period"


class PeriodFiles:
    """A folder of parts next to the output, and the state after the last: a killed run continues from there."""

    def __init__(self, output: str) -> None:
        embedding_format(output, "parquet")  # refuses at once where pyarrow is missing
        self._output = output
        self.folder = Path(f"{output}.parts")
        self._state = self.folder / "state"

    def resume(self, stream: Stream) -> int:
        """Continue an earlier run, if there is one; return how many lines it has processed."""
        return stream.restore(self._state) if self._state.exists() else 0

    def write(self, period: Period, stream: Stream) -> dict[str, Any]:
        """Keep a period and the state of the stream; return what describes the period as a whole."""
        import pyarrow
        from pyarrow import parquet

        self.folder.mkdir(exist_ok=True)
        n = len(period.nodes)
        facts = {
            "start": period.start, "nodes": n, "edges": period.n_edges,
            **{f"entropy_{kind}": value for kind, value in zip(KINDS, period.entropies, strict=True)},
            "distance": None if math.isnan(period.distance) else period.distance, "late": period.late,
            "dropped": period.dropped,
        }  # fmt: skip
        columns = {
            "period": pyarrow.array([period.start] * n, pyarrow.float64()),
            "node": pyarrow.array(writable_labels(period.nodes, n).astype(object).tolist(), pyarrow.string()),
            **{name: pyarrow.array(column) for name, column in zip(stream.columns, period.signatures.T, strict=True)},
            "role": pyarrow.array([None] * n if period.roles is None else period.roles, pyarrow.int64()),
            # What is not known, because the node was not there before, is missing.
            "moved": pyarrow.array(period.moved, from_pandas=True),
            "surprise": pyarrow.array(period.surprise, from_pandas=True),
        }
        table = pyarrow.table(columns).replace_schema_metadata({_FACTS: json.dumps(facts)})
        # A part whose state was not written is written again under the same name.
        with atomic_file(self.folder / f"{stream.n_ended:08}.parquet") as file:
            parquet.write_table(table, file)
        stream.save(self._state, period.n_lines)
        return facts

    def join(self) -> list[dict[str, Any]]:
        """Write the output, one group of rows per period, remove the parts, and return the facts of all periods."""
        from pyarrow import parquet

        parts = sorted(self.folder.glob("*.parquet"))
        facts = [json.loads(parquet.read_schema(part).metadata[_FACTS]) for part in parts]
        if parts:
            schema = parquet.read_schema(parts[0]).with_metadata({"vnestruct_periods": json.dumps(facts)})
            with atomic_file(self._output) as file, parquet.ParquetWriter(file, schema) as writer:
                for part in parts:
                    writer.write_table(parquet.read_table(part).cast(schema))
        with suppress(OSError):  # a failure to close the folder is raised even if errors are ignored
            shutil.rmtree(self.folder, ignore_errors=True)
        return facts


def draw_periods(
    path: FilePath, times: Sequence[Any], scores: ValueArray, distances: ValueArray, roles: Sequence[Any]
) -> None:
    """Draw change scores and distances over time, and below them the share of each role.

    Parameters
    ----------
    path : path-like
        A ``.png``, ``.svg`` or ``.pdf`` file.
    times : sequence
        Numbers or dates, one per period.
    scores, distances : array of float
        `change_scores` and `Period.distance` of each period.
    roles : sequence of arrays
        Role of each node in each period; empty if there are none.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.0 if len(roles) else 3.5), layout="constrained")
    axes = figure.subplots(2 if len(roles) else 1, sharex=True, squeeze=False)[:, 0]
    axes[0].plot(times, scores, color=colour_of(0), label="change score")
    axes[0].set_ylabel("change score")
    beside = axes[0].twinx()
    beside.plot(times, distances, color=colour_of(1), linewidth=0.8, label="distance from the period before")
    beside.set_ylabel("distance of signatures")
    for i in np.argsort(-scores, kind="stable")[:3]:
        axes[0].annotate(str(times[i])[:10], (times[i], scores[i]))
    figure.legend(loc="outside upper center", ncols=2)
    if len(roles):
        counts = [Counter(np.asarray(period).tolist()) for period in roles]
        known = sorted(set().union(*counts))
        shares = [[count[role] / max(sum(count.values()), 1) for count in counts] for role in known]
        names = [f"role {role}" for role in known]
        axes[1].stackplot(times, shares, colors=[colour_of(role) for role in known], labels=names)
        axes[1].set_ylabel("share of nodes")
        axes[1].legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    figure.savefig(fspath(path), dpi=150)
