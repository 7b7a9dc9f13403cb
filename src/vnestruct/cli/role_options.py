"""What commands about roles share: how roles are found, and the signatures they are found from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.cli.console import Console
from vnestruct.cli.options import RunOptions, SignatureOptions, option
from vnestruct.errors import Message, Parameter, ParameterError

if TYPE_CHECKING:
    from vnestruct.graph import Graph
    from vnestruct.roles import RoleClusterer
    from vnestruct.types import ValueArray

Preset = Annotated[
    str | None,
    option(
        "--preset",
        "NAME",
        "A named signature instead of --radius, --kind and --aggregate: noisy, for graphs with wrong edges.",
        words=("noisy",),
    ),
]
Scaling = Annotated[
    str,
    option(
        "--scaling",
        "NAME",
        "none, or standard to divide each column by its standard deviation, so that all count equally.",
        words=("none", "standard"),
    ),
]


@dataclass(frozen=True)
class RoleOptions:
    """How roles are found, and labels to compare them with."""

    n_roles: Annotated[
        str, option("--roles", "K|auto", "Number of roles; auto takes the best silhouette up to 10.")
    ] = "auto"
    method: Annotated[
        str,
        option(
            "--method",
            "NAME",
            "How to cluster signatures: ward, single, average or kmeans.",
            words=("ward", "single", "average", "kmeans"),
        ),
    ] = "ward"
    preset: Preset = None
    scaling: Scaling = "none"
    labels: Annotated[
        str | None,
        option("--labels", "FILE", "Known labels to compare the roles with: one node and its label per line."),
    ] = None
    label_column: Annotated[
        str | None, option("--label-column", "COLUMN", "Column of --labels, by name or number. Default: the second.")
    ] = None

    def model(self, radius: int, signature: SignatureOptions) -> RoleClusterer:
        """Return the clusterer that these options mean, with its parameters checked."""
        from vnestruct.roles import RoleClusterer

        model = RoleClusterer(
            number_of_roles(self.n_roles), self.method, radius=radius, preset=self.preset, scaling=self.scaling,
            **signature.keywords(),
        )  # fmt: skip
        model.check_parameters()
        return model

    def known_labels(self) -> Mapping[Any, Any] | None:
        """Read the known labels, if there are any."""
        from vnestruct.roles import read_labels

        return None if self.labels is None else read_labels(self.labels, label=label_column_of(self.label_column))


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
        raise ParameterError(
            Message(Parameter("n_roles"), f" is {word!r}; it must be a number of roles, or auto")
        ) from None


def label_column_of(word: str | None) -> int | str:
    """Read the value of ``--label-column``: the second column by default.

    Examples
    --------
    >>> label_column_of(None), label_column_of("3"), label_column_of("team")
    (2, 3, 'team')
    """
    return 2 if word is None else int(word) if word.isdigit() else word


def compute_signature(
    graph: Graph, radius: int, signature: SignatureOptions, run: RunOptions, preset: str | None, console: Console
) -> tuple[ValueArray, list[str]]:
    """Return the signature of every node and the names of the columns; show progress."""
    from vnestruct.roles.signature import role_signature

    if graph.n_nodes == 0:
        raise ParameterError("the graph has no nodes, so there is nothing to compare; check the file")
    with run.keywords(console) as keywords:
        return role_signature(graph, radius, preset=preset, **signature.keywords(), **keywords)


def json_label(label: Any) -> str | int:
    """Return a node label as JSON can hold it: a number or a text."""
    return label if isinstance(label, str | int) else str(label)
