"""The periods of a stream on disk: one part per period beside the output, joined into one Parquet file at the end.

The state of the stream is written after each part, so that a run that was killed continues after the last whole period.
"""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path
from typing import Any

from vnestruct.errors import MissingExtraError
from vnestruct.files.atomic import atomic_file
from vnestruct.live.stream import KINDS, Period, Stream
from vnestruct.store.tables import writable_labels

_FACTS = b"vnestruct_period"


class PeriodFiles:
    """A folder of parts beside the output."""

    def __init__(self, output: str) -> None:
        try:
            import pyarrow.parquet as parquet
        except ImportError:
            raise MissingExtraError('Parquet files need pyarrow: pip install "vnestruct[parquet]"') from None
        self._parquet: Any = parquet
        self._output = output
        self.folder = Path(f"{output}.parts")
        self._state = self.folder / "state"

    def resume(self, stream: Stream) -> int:
        """Continue an earlier run, if there is one; return how many lines it has processed."""
        return stream.restore(self._state) if self._state.exists() else 0

    def write(self, period: Period, stream: Stream) -> dict[str, Any]:
        """Keep a period and the state of the stream; return what describes the period as a whole."""
        import pyarrow

        self.folder.mkdir(exist_ok=True)
        n = len(period.nodes)
        facts = {
            "start": period.start,
            "nodes": n,
            "edges": period.n_edges,
            **{f"entropy_{kind}": value for kind, value in zip(KINDS, period.entropies, strict=True)},
            "distance": None if math.isnan(period.distance) else period.distance,
            "late": period.late,
            "dropped": period.dropped,
        }
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
            self._parquet.write_table(table, file)
        stream.save(self._state, period.n_lines)
        return facts

    def _parts(self) -> list[Path]:
        return sorted(self.folder.glob("*.parquet"))

    def join(self) -> list[dict[str, Any]]:
        """Write the output, one group of rows per period, remove the parts, and return the facts of all periods."""
        parts = self._parts()
        facts = [json.loads(self._parquet.read_schema(part).metadata[_FACTS]) for part in parts]
        if parts:
            schema = self._parquet.read_schema(parts[0]).with_metadata({"vnestruct_periods": json.dumps(facts)})
            with atomic_file(self._output) as file, self._parquet.ParquetWriter(file, schema) as writer:
                for part in parts:
                    writer.write_table(self._parquet.read_table(part).cast(schema))
        shutil.rmtree(self.folder, ignore_errors=True)
        return facts
