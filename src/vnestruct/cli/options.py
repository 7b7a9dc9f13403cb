"""The options that commands share: one spelling, one help text, one meaning."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from vnestruct.errors import ParameterError

# Repeated from the library so that the shell can complete them without importing it; a test compares.
KINDS = ("approx", "exact", "quadratic", "normalized", "punctured")
DIRECTIONS = ("all", "out", "in", "out+in")
AGGREGATES = ("mean", "std")
ENGINES = ("threads", "ray", "cuda", "auto")


def _completing(words: tuple[str, ...]) -> dict[str, Any]:
    def complete(incomplete: str) -> list[str]:
        done, comma, begun = incomplete.rpartition(",")
        return [done + comma + word for word in words if word.startswith(begun)]

    return {"autocompletion": complete}


# What can be told from the words alone is told before a graph is read.
def _known_engine(name: str) -> str:
    if name not in ENGINES:
        raise typer.BadParameter(f"engine must be one of {', '.join(map(repr, ENGINES))}, not {name!r}")
    return name


def _some_jobs(number: int | None) -> int | None:
    if number == 0:
        raise typer.BadParameter("--jobs must be a positive integer, or -1 for all CPUs, -2 for all but one, not 0")
    return number


Input = Annotated[
    str,
    typer.Argument(
        metavar="IN", help="The graph: a file of any format, .gz .bz2 .xz .zst or plain; - for standard input."
    ),
]
Format = Annotated[
    str | None,
    typer.Option("--format", metavar="NAME", help="Format of IN, whatever its suffix; +text keeps number labels text."),
]
Source = Annotated[
    str | None,
    typer.Option("--source", metavar="COLUMN", help="Column of IN with one end of each edge, by name or number."),
]
Target = Annotated[
    str | None,
    typer.Option("--target", metavar="COLUMN", help="Column of IN with the other end, by name or number."),
]
Weight = Annotated[
    str | None,
    typer.Option("--weight", metavar="COLUMN", help="Column or attribute of IN with weights; 0 ignores weights."),
]
Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected", help="Whether edges of IN have a direction. Default: what the file says, else not."
    ),
]

Radius = Annotated[int, typer.Option("--radius", "-r", metavar="R", help="Largest number of hops.")]
Kind = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help=f"Which entropy: {', '.join(KINDS)}. Repeat it or separate by commas for several. Default: approx.",
        **_completing(KINDS),
    ),
]
Weighted = Annotated[bool, typer.Option("--weighted", help="Let edge weights count; balls are by hops all the same.")]
Direction = Annotated[
    str,
    typer.Option(
        "--direction",
        metavar="WHICH",
        help=f"Arcs that balls follow in a directed graph: {', '.join(DIRECTIONS)}.",
        **_completing(DIRECTIONS),
    ),
]
Aggregate = Annotated[
    list[str] | None,
    typer.Option(
        "--aggregate",
        metavar="NAME",
        help=f"Append statistics over each node's neighbours: {', '.join(AGGREGATES)}; may be repeated.",
        **_completing(AGGREGATES),
    ),
]

Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="NAME",
        help=f"What runs the work: {', '.join(ENGINES)}.",
        callback=_known_engine,
        **_completing(ENGINES),
    ),
]
Address = Annotated[
    str | None,
    typer.Option(
        "--address",
        metavar="WHERE",
        help="Ray cluster: auto, host:port or ray://host:port. Without it, --engine ray starts one on this machine.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", metavar="N", help="Threads; all CPUs by default, -2 for all but one.", callback=_some_jobs
    ),
]
MaxMemory = Annotated[
    str | None,
    typer.Option(
        "--max-memory",
        metavar="SIZE",
        help="Memory to stay within, such as 2G: what grows with the edges goes to files. IN must be a .vng.",
    ),
]
Checkpoint = Annotated[
    str | None,
    typer.Option(
        "--checkpoint", metavar="DIR", help="Keep finished rows in DIR; the same command again goes on from there."
    ),
]

Json = Annotated[bool, typer.Option("--json", help="Print the result for programs: one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No notes, no progress; errors only.")]
OutputFormat = Annotated[
    str | None, typer.Option("--output-format", metavar="NAME", help="Format of OUT, whatever its suffix.")
]


def words(values: list[str] | None) -> list[str]:
    """Split repeated and comma-separated values into single words.

    Examples
    --------
    >>> words(["approx,exact", "quadratic"])
    ['approx', 'exact', 'quadratic']
    """
    return [word for value in values or [] for word in value.split(",") if word]


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
        raise ParameterError(f"--max-memory takes a size such as 2G or 500M, not {text!r}")
    return size
