"""The parameters of an embedding: checked once, named once."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from vnestruct.errors import ParameterError, listed, one_of, whole_number
from vnestruct.lazy import load

if TYPE_CHECKING:
    from vnestruct.graph import Graph

_TASKS = "vnestruct.embedding.tasks"

KINDS = {
    "approx": f"{_TASKS}:BallTask",
    "exact": "vnestruct.embedding.spectrum:SpectrumTask",
    "quadratic": f"{_TASKS}:BallTask",
    "normalized": "vnestruct.embedding.spectrum:SpectrumTask",
    "punctured": "vnestruct.embedding.spectrum:SpectrumTask",
    "unscaled": f"{_TASKS}:BallTask",
    "sizes": f"{_TASKS}:BallTask",
}
"""The registry of entropies: each names the task (a `NodeTask`) that computes its rows."""

WHOLE_GRAPH_KINDS = [kind for kind in KINDS if kind not in ("punctured", "sizes")]
"""The entropies of a whole graph, which has no centre to remove; "sizes" are not one number."""

NAMED_KINDS = {"roles": ("sizes",), "profile": ("approx", "sizes"), "noisy": ("approx", "sizes")}
"""Signatures without a radius, made of what the kinds named here say of 1-balls (`vnestruct.embedding.named_kinds`)."""

SIZES = ("nodes", "edges", "squares", "quadratic", "largest")
"""What kind "sizes" says of each ball: numbers of nodes and edges, the sum of squared degrees, Q, lambda_max."""

ENGINES = {
    "threads": "vnestruct.embedding.backends:ThreadsBackend",
    "ray": "vnestruct.embedding.backends.ray:RayBackend",
    "cuda": "vnestruct.embedding.backends.cuda:CudaBackend",
    "auto": "",
}
"""The registry of engines: each names its back end (a `ThreadsBackend`); "auto" chooses between threads and cuda."""

DIRECTIONS = ("all", "out", "in", "out+in")
AGGREGATES = ("mean", "std")

SMALL_GRAPH = 50  # nodes of a graph up to which `vnestruct.reference`, the definition, computes it
_ESTIMATED = ("approx", "quadratic", "unscaled")  # kinds that can be estimated
_MIN_LIMIT = 1_000_000  # bytes of memory below which nothing can run


@dataclass(frozen=True, slots=True)
class Settings:
    """What to compute, in checked form; how it is computed (threads, blocks) has no part in it."""

    radius: int
    kinds: tuple[str, ...]
    weighted: bool
    directions: tuple[str, ...]
    aggregates: tuple[str, ...]
    tolerance: float
    approximate: float | None = None
    """Largest mean error accepted, as a share of the standard deviation of a column; None computes exactly."""
    random_state: int = 0
    named: str | None = None
    """The kind without a radius that is made of the others."""
    extra: str | None = None
    """The sixth column of kind "roles": "repeats" on a graph with sides, "balance" with both directions."""

    def on(self, graph: "Graph") -> "Settings":
        """Return the settings for a graph; refuse what does not make sense for it."""
        if self.named != "roles" or graph.sides is None:
            return self
        if self.extra is not None:
            said = "is what the sides of a bipartite graph say already; leave it out, or use `bipartite=False`"
            raise ParameterError(f"`direction` {said}")
        return replace(self, extra="repeats")

    @property
    def base_columns(self) -> list[str]:
        """Names of the entropy columns, before aggregation."""
        ends = ["" if direction == "all" else f"_{direction}" for direction in self.directions]
        patterns = {"approx": ["h{}"], "sizes": [f"{output}{{}}" for output in SIZES]}
        return [
            pattern.format(r) + end
            for kind in self.kinds
            for pattern in patterns.get(kind, [f"h{{}}_{kind}"])
            for end in ends
            for r in range(1, self.radius + 1)
        ]

    @property
    def columns(self) -> list[str]:
        """Names of all columns, in order."""
        if self.named is not None:
            columns: list[str] = load("vnestruct.embedding.named_kinds:named_columns")(self)
            return columns
        base = self.base_columns
        return base + [f"{name}_{aggregate}" for aggregate in self.aggregates for name in base]

    def identity(self) -> dict[str, object]:
        """Return what two runs must share for their rows to be interchangeable."""
        exact: dict[str, object] = {"radius": self.radius, "kind": list(self.kinds), "weighted": self.weighted}
        if self.named is not None:
            exact = {"kind": self.named, "weighted": self.weighted}
        directions = ["out", "in"] if self.extra == "balance" else list(self.directions)
        exact |= {"direction": directions, "tol": self.tolerance}
        if self.approximate is not None:
            exact |= {"approximate": self.approximate, "random_state": self.random_state}
        return exact


def is_entropy(kind: object) -> bool:
    """Tell whether a kind, or every kind in a list, has a radius."""
    kinds = kind if isinstance(kind, Iterable) and not isinstance(kind, str) else [kind]
    return not any(one in list(NAMED_KINDS) for one in kinds)


def outputs_of(kind: str) -> tuple[str, ...]:
    """Return what a kind says of each ball: one number, or several."""
    return SIZES if kind == "sizes" else (kind,)


def checked_settings(
    radius: object = None, kind: object = "approx", weighted: object = False, direction: object = "all",
    aggregate: object = (), tol: object = 1e-9, approximate: object = None, random_state: object = 0,
) -> Settings:  # fmt: skip
    """Check the parameters and bring them into one form; a `ParameterError` names the first bad one."""
    if not isinstance(weighted, bool):
        raise ParameterError(f"`weighted` must be True or False, not {weighted!r}")
    one_of("direction", direction, DIRECTIONS)
    kinds = _choices("kind", kind, (*KINDS, *NAMED_KINDS), allow_empty=False)
    named = next((name for name in kinds if name in NAMED_KINDS), None)
    if named is not None and len(kinds) > 1:
        raise ParameterError(f"`kind={named!r}` cannot be combined with other kinds; compute it apart")
    if not isinstance(tol, int | float) or not 1e-14 <= tol <= 1e-2:
        raise ParameterError(f"`tol` must be a number from 1e-14 to 0.01, not {tol!r}")
    settings = Settings(
        radius=1 if named else 2 if radius is None else whole_number("radius", radius, 1),
        kinds=kinds if named is None else NAMED_KINDS[named],
        weighted=weighted,
        directions=("out", "in") if direction == "out+in" else (str(direction),),
        aggregates=_choices("aggregate", aggregate, AGGREGATES, allow_empty=True),
        tolerance=float(tol),
        approximate=None if approximate is None else parse_share(approximate),
        random_state=whole_number("random_state", random_state, 0),
        named=named,
    )
    if named is not None:
        _check_named(settings, named, radius)
    if named == "roles" and direction == "out+in":
        return replace(settings, directions=("all",), extra="balance")
    if named is None and settings.approximate is not None:
        if weighted or direction != "all":
            name = "weighted" if weighted else "direction"
            raise ParameterError(f"`approximate` estimates unweighted balls along all edges; leave out `{name}`")
        if other := next((kind for kind in kinds if kind not in _ESTIMATED), None):
            raise ParameterError(f"`approximate` covers {listed(_ESTIMATED)}, not `kind={other!r}`")
    return settings


def settings_from(radius: object, options: Mapping[str, object]) -> Settings:
    """Return the settings among the keyword options of `embed`; the others say how, not what."""
    names = ("kind", "weighted", "direction", "aggregate", "tol", "approximate", "random_state")
    return checked_settings(radius, **{name: options[name] for name in names if name in options})


def parse_size(size: int | str) -> int:
    """Return a memory size in bytes from a number of bytes or from text such as 2G, 1.5GB, 500M."""
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([kmgt]?)b?\s*", str(size).lower())
    if match is None or isinstance(size, bool):
        raise ParameterError(f"`max_memory` must be a size such as 2G or 500M, not {size!r}")
    n_bytes = int(float(match[1]) * {"": 1, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}[match[2]])
    if n_bytes < _MIN_LIMIT:
        raise ParameterError(f"`max_memory` is {size!r}, which is {n_bytes} bytes; write 8G for 8 gigabytes")
    return n_bytes


def parse_share(share: object) -> float:
    """Return a share between 0 and 1, from a number or from text such as 1% or 0.01."""
    text = str(share).strip()
    try:
        value = float(text.removesuffix("%")) / (100.0 if text.endswith("%") else 1.0)
    except ValueError:
        value = math.nan
    if not 0.0 < value < 1.0:
        raise ParameterError(f"`approximate` must be a share between 0 and 1, e.g. 0.01 or 1%, not {share!r}")
    return value


def _check_named(settings: Settings, named: str, radius: object) -> None:
    both = ("out",), ("in",)
    own = "has columns of its own; leave out"
    refused = {
        "describes 1-balls and what is around them; leave out `radius`": radius is not None,
        "is the same on every graph, and weights have units; leave out `weighted`, or use `kind='profile'`": (
            named == "roles" and settings.weighted
        ),
        "compares links out with links in; use `direction='out+in'` or `direction='all'`": (
            named == "roles" and settings.directions in both
        ),
        f"{own} `aggregate`": bool(settings.aggregates),
        f"{own} `approximate`": settings.approximate is not None,
        f"{own} `weighted`": named == "noisy" and settings.weighted,
        f"{own} `direction`": named == "noisy" and settings.directions != ("all",),
    }
    for reason, is_refused in refused.items():
        if is_refused:
            raise ParameterError(f"`kind={named!r}` {reason}")


def _choices(name: str, value: object, known: Iterable[str], *, allow_empty: bool) -> tuple[str, ...]:
    words = tuple(known)
    chosen = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    for item in chosen:
        if item not in words:
            raise ParameterError(f"`{name}` must be one of {listed(words)} or a list of them, not {item!r}")
    if len(set(chosen)) < len(chosen):
        raise ParameterError(f"`{name}` names a value twice: {list(chosen)!r}")
    if not chosen and not allow_empty:
        raise ParameterError(f"`{name}` is empty; choose from {listed(words)}")
    return tuple(str(item) for item in chosen)
