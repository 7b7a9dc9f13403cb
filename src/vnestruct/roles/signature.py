"""The signature that roles are found from: entropies of `embed`, or a named preset."""

from dataclasses import asdict, dataclass
from typing import Any

from vnestruct.checks import one_of
from vnestruct.embedding import embed, profile, profile_columns
from vnestruct.embedding.parameters import Settings, checked_settings
from vnestruct.errors import Message, Parameter, ParameterError
from vnestruct.graph import Graph
from vnestruct.roles.presets import PRESETS, preset_columns, preset_signature
from vnestruct.types import ValueArray

PRECOMPUTED = "precomputed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PresetSettings(Settings):
    """The parameters of a preset, which stands for radius, kind and aggregates."""

    preset: str

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order."""
        if self.preset == "profile":
            return profile_columns(direction="+".join(self.directions))
        return preset_columns(self.preset)

    def identity(self) -> dict[str, object]:
        """Return what two signatures must share to be compared."""
        return {"preset": self.preset, "weighted": self.weighted, "direction": list(self.directions)}


def signature_settings(radius: int = 2, *, preset: str | None = None, **parameters: Any) -> Settings:
    """Check the parameters of a signature, those of `checked_settings`; refuse what a preset decides itself."""
    settings = checked_settings(radius, **parameters)
    if preset is None:
        return settings
    one_of("preset", preset, PRESETS)
    kept = {"weighted", "direction"} if preset == "profile" else set()
    if settings != checked_settings(2, **{name: value for name, value in parameters.items() if name in kept}):
        raise _refusal(preset)
    return PresetSettings(**asdict(settings), preset=preset)


def role_signature(
    graph: Graph, radius: int = 2, *, preset: str | None = None, **parameters: Any
) -> tuple[ValueArray, list[str]]:
    """Return one row per node, and the names of the columns.

    The parameters are those of `vnestruct.embed`. A preset is a named signature instead: it stands for radius, kind and
    aggregates. "profile" takes all other parameters, "noisy" only `n_jobs`.

    Examples
    --------
    >>> from vnestruct.graph.synthetic import star
    >>> values, columns = role_signature(star(3), 1, kind="quadratic")
    >>> values.shape, columns
    ((4, 1), ['h1_quadratic'])
    """
    names = ("kind", "weighted", "direction", "aggregate")
    chosen = {name: value for name, value in parameters.items() if name in names}
    run = {name: value for name, value in parameters.items() if name not in ("kind", "aggregate")}
    settings = signature_settings(radius, preset=preset, **chosen)
    if graph.n_nodes == 0:
        raise ParameterError("the graph has no nodes, so there is nothing to compare; check how it was built")
    if preset is None:
        values = embed(graph, radius, **parameters)
    elif preset == "profile":
        values = profile(graph, **run)
    elif {name for name, value in run.items() if value not in (None, "threads")} - {*names, "n_jobs", "progress"}:
        raise _refusal(preset)
    else:
        values = preset_signature(graph, preset, n_jobs=run.get("n_jobs"))
    return values, settings.columns


def _refusal(preset: str) -> ParameterError:
    names, more = "radius kind aggregate", ""
    if preset != "profile":
        names, more = "radius kind weighted direction aggregate engine address checkpoint", " and needs no long run"
    listed: list[str | Parameter] = [part for name in names.split() for part in (", ", Parameter(name))]
    reason = f" decides the signature itself{more}; leave out "
    return ParameterError(Message(Parameter("preset", preset), reason, *listed[1:-2], " and ", listed[-1]))
