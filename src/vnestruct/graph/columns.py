"""Which columns of a table hold the ends and the weights of edges: one answer for files and data frames."""

import difflib
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

# fmt: off
PAIRS = (
    ("source", "target"), ("from", "to"), ("src", "dst"), ("src", "dest"), (":start_id", ":end_id"),
    ("start_id", "end_id"), ("id_1", "id_2"), ("id1", "id2"), ("node_1", "node_2"), ("node1", "node2"),
    ("source_id", "target_id"), ("from_id", "to_id"), ("fromnodeid", "tonodeid"), ("from_node", "to_node"),
    ("source_node", "target_node"), ("start", "end"), ("tail", "head"), ("u", "v"), ("i", "j"),
    ("source", "destination"), ("source", "dest"), ("src", "tgt"), ("origin", "destination"), ("origin", "dest"),
    ("sender", "receiver"), ("sender", "recipient"), ("caller", "callee"), ("follower", "followee"),
    ("follower", "followed"), ("citing", "cited"), ("parent", "child"), ("payer", "payee"), ("seller", "buyer"),
    ("subject", "object"), ("from_address", "to_address"), ("user1", "user2"), ("person1", "person2"),
    ("protein1", "protein2"), ("author1", "author2"), ("src", "trg"), ("from_user", "to_user"),
)
"""Recognised names of the two ends of an edge, in the order in which they are tried."""
# fmt: on

WEIGHTS = ("weight", "weights", "edge_weight", "w", "value")  # recognised names of a weight column
INDEXES = {"", "index", "unnamed", "level_0", "__index_level_0__", "row.names", "rownames"}
"""Names that programs give to a column of row numbers, which is an end of edges only if the caller says so."""

SAMPLE_ROWS = 1000  # rows from which the layout of a table is decided
Fail = Callable[[str], Exception]
_SIGNATURE = re.compile(
    r"(h[0-9]+|size|collision|least|quadratic|arrivals)(_\w+)?|log_(size|links|core)|gap|neighbours|balance|repeats"
)
"""What `embed` names its columns."""


@dataclass(frozen=True)
class ColumnRequest:
    """The columns that the caller names, by name or by number from 1; None where they are not given."""

    source: str | int | None = None
    target: str | int | None = None
    weight: str | int | bool | None = None


class ColumnChoice(NamedTuple):
    """Positions, from 0, of the columns that matter."""

    source: int
    target: int
    weight: int | None
    names: tuple[str, str] | None = None  # of the columns of ends, if they have names


def shown(token: bytes | str) -> str:
    """Return a token as a message shows it: quoted, on one line, cut when long."""
    text = token.decode("utf-8", "replace") if isinstance(token, bytes) else token
    return repr(text if len(text) <= 40 else text[:37] + "...")


def plain_name(name: str) -> str:
    """Return a column name as names are compared, without Neo4j's id spaces (``:START_ID(Person)``) and types."""
    name = name.strip().casefold()
    neo4j = re.search(":(start|end)_id", name)
    return neo4j[0] if neo4j else name.partition(":")[0] or name


def known_pair(names: Sequence[str]) -> tuple[int, int] | None:
    """Return the positions of recognised names of the two ends, None if there are none."""
    plain = [plain_name(name) for name in names]
    return next(((plain.index(a), plain.index(b)) for a, b in PAIRS if a in plain and b in plain), None)


def column_number(column: str | int | None) -> int | None:
    """Return the number from 1 that a column is given by, 2 or "2", None if it is given by name."""
    if isinstance(column, str):
        return int(column) if column.isascii() and column.isdigit() and len(column) < 10 else None
    return column


def ignores_weights(weight: str | int | bool | None) -> bool:
    """Return whether the caller wants no weights: False, 0 or ``"0"``."""
    return weight is not None and column_number(weight) == 0


def is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        return text.isascii() and "_" not in text and math.isfinite(float(text))
    except ValueError:
        return False


def are_names(names: Sequence[str], request: ColumnRequest, is_numeric: Callable[[int], bool]) -> bool:
    """Return whether the first line holds names; `is_numeric` says whether a column has only numbers below it."""
    given = [column for column in (request.source, request.target, request.weight) if isinstance(column, str)]
    if known_pair(names) or any(column_number(column) is None or column in names for column in given):
        return True
    # A first line of words over a column of numbers can only be names.
    return not any(map(is_number, names)) and any(map(is_numeric, range(len(names))))


def doubtful_names(names: Sequence[str], remedy: str) -> str:
    """Return the message for a table whose first line may be column names or may be an edge."""
    listed = ", ".join(map(repr, names[:4]))
    return f"cannot tell whether {listed} are column names or the first edge; set `source` and `target`{remedy}"


def choose_columns(names: Sequence[str], request: ColumnRequest, fail: Fail) -> ColumnChoice:
    """Choose among named columns: those that the caller names, else those with known names."""
    if request.source is None and names[0] == "node" and all(map(_SIGNATURE.fullmatch, names[1:])):
        wrong = "these are signatures, not edges: RoleClusterer or vnestruct roles takes them; "
        raise fail(wrong + "for other columns set `source` and `target`")
    plain = [plain_name(name) for name in names]
    pair = known_pair(names) or ((0, 1) if len(names) == 2 and INDEXES.isdisjoint(plain) else None)
    weight = next((plain.index(name) for name in WEIGHTS if name in plain), None)
    choice = _chosen(names, request, pair or (0, 1), weight, fail)
    if pair is None and None in (request.source, request.target):
        wrong = f"cannot tell which columns hold the two ends of an edge among {_listed(names)}; "
        raise fail(wrong + _advice(names, request, ("source", "target")))
    return choice._replace(names=(names[choice.source], names[choice.target]))


def number_columns(
    n_columns: int, request: ColumnRequest, holds_weights: Callable[[], bool], fail: Fail
) -> ColumnChoice:
    """Choose among columns without names: the first two, and the third as weights if `holds_weights` says so."""
    has_weight = n_columns > 2 and (request.weight is True or holds_weights())
    names = [str(place + 1) for place in range(n_columns)]
    return _chosen(names, request, (0, 1), 2 if has_weight else None, fail)


def _chosen(
    names: Sequence[str], request: ColumnRequest, ends: tuple[int, int], weight: int | None, fail: Fail
) -> ColumnChoice:
    """Choose the columns that the caller names, the others as given."""
    source = ends[0] if request.source is None else _find("source", names, request, fail)
    target = ends[1] if request.target is None else _find("target", names, request, fail)
    if source == target:
        raise fail(f"source and target are the same column {shown(names[source])}; set both `source` and `target`")
    if request.weight is None or request.weight is True:
        weight = None if weight in (source, target) else weight
        if request.weight and weight is None:
            raise fail(f"no weight column among {_listed(names)}; add one of numbers, or correct `weight`")
    elif ignores_weights(request.weight):
        weight = None
    elif (weight := _find("weight", names, request, fail)) in (source, target):
        raise fail(f"column {shown(names[weight])} is already an end of the edges; correct `weight`")
    return ColumnChoice(source, target, weight)


def _find(role: str, names: Sequence[str], request: ColumnRequest, fail: Fail) -> int:
    """Return the position of the column that the caller gives for a role, by name or by number from 1."""
    column = getattr(request, role)
    if isinstance(column, str):
        for known, wanted in ((list(names), column), ([*map(plain_name, names)], plain_name(column))):
            if wanted in known:
                return known.index(wanted)
    number = column_number(column)
    if number is None:
        roles = (role,) if role == "weight" else ("source", "target")
        raise fail(f"no column {shown(str(column))} among {_listed(names)}; {_advice(names, request, roles)}")
    if not 1 <= number <= len(names):
        raise fail(f"no column {number}: there are {len(names)}, counted from 1; correct `{role}`")
    return number - 1


def _advice(names: Sequence[str], request: ColumnRequest, roles: tuple[str, ...]) -> str:
    """Return the arguments to try: names near to those given, else recognised ones, else the first columns."""
    near = [difflib.get_close_matches(str(getattr(request, role) or ""), names, 1) for role in roles]
    weights = [name for name in names if plain_name(name) in WEIGHTS]
    pair = [names[place] for place in known_pair(names) or ()]
    ends = pair or [name for name in names if plain_name(name) not in INDEXES and name not in weights]
    guesses = iter([name for name in (ends if len(roles) == 2 else weights) if [name] not in near])
    chosen = [match[0] if match else next(guesses, None) for match in near]
    if None in chosen or len(set(chosen)) < len(roles):
        return "set " + " and ".join(f"`{role}`" for role in roles)
    return "try: " + " ".join(f"`{role}={name!r}`" for role, name in zip(roles, chosen, strict=True))


def _listed(names: Sequence[str]) -> str:
    return ", ".join(map(shown, names[:8])) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
