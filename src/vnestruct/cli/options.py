"""The options that commands share: one spelling, one help text, one meaning."""

from __future__ import annotations

from typing import Annotated, Any

import typer

# Repeated from the library so that the shell can complete them without importing it; a test compares.
KINDS = ("approx", "exact", "quadratic", "normalized", "punctured")
DIRECTIONS = ("all", "out", "in", "out+in")
AGGREGATES = ("mean", "std")
ENGINES = ("threads",)


def _completing(words: tuple[str, ...]) -> dict[str, Any]:
    def complete(incomplete: str) -> list[str]:
        done, comma, begun = incomplete.rpartition(",")
        return [done + comma + word for word in words if word.startswith(begun)]

    return {"autocompletion": complete}


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
        **_completing(ENGINES),
    ),
]
Address = Annotated[str | None, typer.Option("--address", metavar="HOST", help="Where a distributed engine listens.")]
Jobs = Annotated[
    int | None, typer.Option("--jobs", "-j", metavar="N", help="Threads; all CPUs by default, -2 for all but one.")
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
