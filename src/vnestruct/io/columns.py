"""Which columns of a table are the ends and the weight of an edge."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from vnestruct.io.source import ReadOptions, shown

PAIRS = (
    ("source", "target"),
    ("from", "to"),
    ("src", "dst"),
    ("src", "dest"),
    (":start_id", ":end_id"),
    ("start_id", "end_id"),
    ("id_1", "id_2"),
    ("id1", "id2"),
    ("node_1", "node_2"),
    ("node1", "node2"),
    ("source_id", "target_id"),
    ("from_id", "to_id"),
    ("fromnodeid", "tonodeid"),
    ("from_node", "to_node"),
    ("source_node", "target_node"),
    ("start", "end"),
    ("tail", "head"),
    ("u", "v"),
    ("i", "j"),
)
"""Names of the two ends of an edge that are recognised, in the order in which they are tried."""

WEIGHTS = ("weight", "weights", "edge_weight", "w", "value")
"""Names of a weight column that are recognised."""


@dataclass(frozen=True)
class ColumnChoice:
    """Positions, from 0, of the columns that matter."""

    source: int
    target: int
    weight: int | None


def plain_name(name: str) -> str:
    """Return a column name in the form in which names are compared.

    Neo4j's id spaces and types, ``:START_ID(Person)`` and ``weight:float``, are taken off.

    Examples
    --------
    >>> plain_name(" :START_ID(Person)"), plain_name("Weight:float")
    (':start_id', 'weight')
    """
    name = name.strip().casefold()
    if name.startswith((":start_id", ":end_id")):
        return name.partition("(")[0]
    return name.partition(":")[0] or name


def known_pair(names: Sequence[str]) -> tuple[int, int] | None:
    """Return where the recognised names of the two ends stand, None if there are none."""
    plain = [plain_name(name) for name in names]
    for first, second in PAIRS:
        if first in plain and second in plain:
            return plain.index(first), plain.index(second)
    return None


def known_weight(names: Sequence[str]) -> int | None:
    """Return where a recognised weight column stands, None if there is none."""
    plain = [plain_name(name) for name in names]
    return next((plain.index(name) for name in WEIGHTS if name in plain), None)


def column_number(column: str | int | None) -> int | None:
    """Return the number, counted from 1, that a column is given by, None if it is not given by number.

    Examples
    --------
    >>> column_number("3"), column_number(2), column_number("age")
    (3, 2, None)
    """
    if isinstance(column, str):
        return int(column) if column.isascii() and column.isdigit() and len(column) < 10 else None
    return column


def ignores_weights(weight: str | int | bool | None) -> bool:
    """Tell whether the caller wants no weights: False, 0 or ``"0"``."""
    return weight is not None and column_number(weight) == 0


def choose_columns(names: Sequence[str], options: ReadOptions, fail: Callable[[str], Exception]) -> ColumnChoice:
    """Choose the columns of a table with named columns: what the caller says, else what the names say.

    Parameters
    ----------
    names : sequence of str
        Names of all columns.
    options : ReadOptions
        The columns that the caller names, by name or by number from 1.
    fail : callable
        Makes the exception to raise from a message.
    """
    pair = known_pair(names)
    if pair is None and len(names) == 2:
        pair = (0, 1)
    source = None if options.source is None else find_column(options.source, names, "source", fail)
    target = None if options.target is None else find_column(options.target, names, "target", fail)
    if pair is None and (source is None or target is None):
        raise fail(
            f"cannot tell which columns hold the two ends of an edge among {_listed(names)}; say source= and target="
        )
    if pair is not None:
        source = pair[0] if source is None else source
        target = pair[1] if target is None else target
    assert source is not None
    assert target is not None
    if source == target:
        raise fail(f"source and target are the same column {shown(names[source])}; say both source= and target=")
    if ignores_weights(options.weight):
        return ColumnChoice(source, target, None)
    if options.weight is None or options.weight is True:
        weight = known_weight(names)
        if options.weight is True and weight is None:
            raise fail(f"no weight column among {_listed(names)}; say weight= with the name of one")
        return ColumnChoice(source, target, None if weight in (source, target) else weight)
    return ColumnChoice(source, target, find_column(options.weight, names, "weight", fail))


def find_column(column: str | int, names: Sequence[str], role: str, fail: Callable[[str], Exception]) -> int:
    """Return where the column of this name, or of this number from 1, stands."""
    if isinstance(column, str):
        for wanted, known in (
            (column, list(names)),
            (plain_name(column), [plain_name(name) for name in names]),
        ):
            if wanted in known:
                return known.index(wanted)
    number = column_number(column)
    if number is None:
        raise fail(f"no column {shown(str(column))} among {_listed(names)}; correct {role}=")
    if not 1 <= number <= len(names):
        raise fail(f"no column {number}: there are {len(names)}, counted from 1; correct {role}=")
    return number - 1


def _listed(names: Sequence[str]) -> str:
    listed = ", ".join(shown(name) for name in names[:8])
    return listed + (f" and {len(names) - 8} more" if len(names) > 8 else "")
