"""The parameters of an embedding: checked once, named once."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import index as as_index

from vnestruct.errors import Message, Parameter, ParameterError

KINDS = ("approx", "exact", "quadratic", "normalized", "punctured")
DIRECTIONS = ("all", "out", "in", "out+in")
AGGREGATES = ("mean", "std")
ENGINES = ("threads", "ray", "cuda", "auto")


@dataclass(frozen=True, slots=True)
class Settings:
    """What to compute, in checked form; how it is computed (threads, blocks) has no part in it."""

    radius: int
    kinds: tuple[str, ...]
    weighted: bool
    directions: tuple[str, ...]
    aggregates: tuple[str, ...]
    tolerance: float

    @property
    def base_columns(self) -> list[str]:
        """Names of the entropy columns, before aggregation."""
        return [
            f"h{r}" + ("" if kind == "approx" else f"_{kind}") + ("" if direction == "all" else f"_{direction}")
            for kind in self.kinds
            for direction in self.directions
            for r in range(1, self.radius + 1)
        ]

    @property
    def columns(self) -> list[str]:
        """Names of all columns, in order."""
        base = self.base_columns
        return base + [f"{name}_{aggregate}" for aggregate in self.aggregates for name in base]

    def identity(self) -> dict[str, object]:
        """Return what two runs must share for their rows to be interchangeable."""
        return {
            "radius": self.radius,
            "kind": list(self.kinds),
            "weighted": self.weighted,
            "direction": list(self.directions),
            "tol": self.tolerance,
        }


def checked_settings(
    radius: object,
    kind: object = "approx",
    weighted: object = False,
    direction: object = "all",
    aggregate: object = (),
    tol: object = 1e-9,
) -> Settings:
    """Check the parameters and bring them into one form; a `ParameterError` names the first bad one."""
    if not isinstance(weighted, bool):
        raise ParameterError(f"weighted must be True or False, not {weighted!r}")
    if direction not in DIRECTIONS:
        raise ParameterError(f"direction must be one of {_listed(DIRECTIONS)}, not {direction!r}")
    return Settings(
        radius=checked_radius(radius),
        kinds=_choices("kind", kind, KINDS, allow_empty=False),
        weighted=weighted,
        directions=("out", "in") if direction == "out+in" else (str(direction),),
        aggregates=_choices("aggregate", aggregate, AGGREGATES, allow_empty=True),
        tolerance=_checked_tolerance(tol),
    )


def settings_from(radius: object, options: Mapping[str, object]) -> Settings:
    """Return the settings among the keyword options of `embed`; the others say how, not what."""
    names = ("kind", "weighted", "direction", "aggregate", "tol")
    return checked_settings(radius, **{name: options[name] for name in names if name in options})


def checked_radius(radius: object) -> int:
    """Return the radius as an int of at least 1."""
    try:
        number = 0 if isinstance(radius, bool) else as_index(radius)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number < 1:
        raise ParameterError(f"radius must be a whole number of hops, 1 or more, not {radius!r}")
    return number


def parse_size(text: str) -> int:
    """Read a size of memory in bytes: 2G, 1.5GB, 500M, 800000000.

    Raises
    ------
    ParameterError
        If it is no such thing.

    Examples
    --------
    >>> parse_size("1.5G"), parse_size("500 mb")
    (1500000000, 500000000)
    """
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)b?\s*", text.lower())
    size = 0 if match is None else int(float(match[1]) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}[match[2]])
    if size < 1:
        raise ParameterError(Message(Parameter("max_memory"), f" takes a size such as 2G or 500M, not {text!r}"))
    return size


def _checked_tolerance(tol: object) -> float:
    is_number = isinstance(tol, int | float) and not isinstance(tol, bool)
    if not is_number or not math.isfinite(tol) or not 1e-14 <= tol <= 1e-2:  # type: ignore[arg-type, operator]
        raise ParameterError(f"tol must be a number from 1e-14 to 0.01, not {tol!r}")
    return float(tol)  # type: ignore[arg-type]


def _choices(name: str, value: object, known: tuple[str, ...], *, allow_empty: bool) -> tuple[str, ...]:
    if isinstance(value, str):
        chosen: tuple[object, ...] = (value,)
    elif isinstance(value, Iterable):
        chosen = tuple(value)
    else:
        raise ParameterError(f"{name} must be one of {_listed(known)} or a list of them, not {value!r}")
    for item in chosen:
        if item not in known:
            raise ParameterError(f"{name} must be one of {_listed(known)} or a list of them, not {item!r}")
    if len(set(chosen)) < len(chosen):
        raise ParameterError(f"{name} names a value twice: {list(chosen)!r}")
    if not chosen and not allow_empty:
        raise ParameterError(f"{name} is empty; choose from {_listed(known)}")
    return tuple(str(item) for item in chosen)


def _listed(values: Iterable[str]) -> str:
    return ", ".join(repr(value) for value in values)
