"""The audit of estimated signatures: how far they are from exact ones."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Self, cast

import numpy as np

from vnestruct.errors import ParameterError
from vnestruct.types import ValueArray


@dataclass(frozen=True, slots=True)
class Audit:
    """Errors of estimated signatures, in one entry per column.

    Attributes
    ----------
    target : float
        Largest mean error that was accepted, as a share of the spread of the column.
    random_state : int
        Seed of all draws.
    n_nodes : int
        Number of nodes, drawn at random, that were computed exactly; 0 where all rows are exact.
    n_edges : int
        Number of edges sampled.
    columns : tuple of str
        Names of the audited columns; statistics over neighbours follow from them.
    estimated : tuple of float
        Share of rows that are estimates; the others are exact.
    spread : tuple of float
        Standard deviation of the column.
    mean, within_95, largest : tuple of float
        Mean error of all audited nodes, the error that 95% of nodes stay within, and the largest error, in the units of
        the column. `within_95` has a margin, so that it holds for other nodes too: it is the second largest of 200.

    Examples
    --------
    >>> print(Audit(0.01, 0, 200, 4096, ("h3",), (0.9,), (1.5,), (0.006,), (0.03,), (0.06,)))
    h3: 90.0% of rows estimated, mean error 0.40% of the spread, 95% of nodes within 2.00%, largest 4.00% (200 nodes)
    """

    target: float
    random_state: int
    n_nodes: int
    n_edges: int
    columns: tuple[str, ...]
    estimated: tuple[float, ...]
    spread: tuple[float, ...]
    mean: tuple[float, ...]
    within_95: tuple[float, ...]
    largest: tuple[float, ...]

    def __str__(self) -> str:
        if not any(self.estimated):
            return "all rows are exact: that was cheap enough"
        return "; ".join(map(self._line, range(len(self.columns))))

    def _line(self, column: int) -> str:
        if not self.estimated[column]:
            return f"{self.columns[column]}: exact"
        spread = self.spread[column] or 1.0
        mean, most, largest = (errors[column] / spread for errors in (self.mean, self.within_95, self.largest))
        rows = f"{self.columns[column]}: {self.estimated[column]:.1%} of rows estimated, mean error {mean:.2%}"
        return f"{rows} of the spread, 95% of nodes within {most:.2%}, largest {largest:.2%} ({self.n_nodes} nodes)"

    @property
    def shares(self) -> ValueArray:
        """Mean errors as shares of the spread."""
        mean, spread = np.array(self.mean), np.array(self.spread)
        return cast(ValueArray, np.divide(mean, spread, out=np.where(mean > 0.0, np.inf, 0.0), where=spread > 0.0))

    def to_text(self) -> str:
        """Return the audit as JSON, as files keep it."""
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `to_text` wrote."""
        try:
            stored = json.loads(text)
            fields: Any = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
            return cls(**fields)
        except (ValueError, TypeError, AttributeError) as error:
            raise ParameterError(f"the audit of these signatures cannot be read: {error}") from error


class AuditedArray(np.ndarray[Any, np.dtype[np.float64]]):
    """Estimated signatures with their audit; `write_embedding` keeps it in the file."""

    audit: Audit | None = None

    def __array_finalize__(self, other: Any) -> None:
        self.audit = getattr(other, "audit", None)


def audited(values: ValueArray, audit: Audit) -> AuditedArray:
    """Return signatures that carry their audit."""
    carrier = values.view(AuditedArray)
    carrier.audit = audit
    return carrier
