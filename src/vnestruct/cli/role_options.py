"""The options of roles that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from vnestruct.cli.role_signatures import completing
from vnestruct.errors import ParameterError

Roles = Annotated[
    str, typer.Option("--roles", metavar="K|auto", help="Number of roles; auto takes the best silhouette up to 10.")
]
Method = Annotated[
    str,
    typer.Option(
        "--method",
        metavar="NAME",
        help="How to cluster signatures: ward, single, average or kmeans.",
        autocompletion=completing("ward", "single", "average", "kmeans"),
    ),
]
LabelColumn = Annotated[
    str | None,
    typer.Option("--label-column", metavar="COLUMN", help="Column of --labels, by name or number; the second."),
]


def number_of_roles(word: str) -> int | str:
    """Read the value of ``--roles``.

    Examples
    --------
    >>> number_of_roles("4"), number_of_roles("auto")
    (4, 'auto')
    """
    if word == "auto":
        return word
    try:
        return int(word)
    except ValueError:
        raise ParameterError(f"--roles is {word!r}; it must be a number of roles, or auto") from None


def label_column_of(word: str | None) -> int | str:
    """Read the value of ``--label-column``: the second column by default.

    Examples
    --------
    >>> label_column_of(None), label_column_of("3"), label_column_of("team")
    (2, 3, 'team')
    """
    return 2 if word is None else int(word) if word.isdigit() else word
