"""The three pictures of a page as Bokeh models without data: the page fills their sources by name."""

from __future__ import annotations

import json
import re
from typing import Any

from vnestruct.drawing.palette import bokeh_marker_of

_TOOLTIPS = [("node", "@label"), ("role", "@role"), ("degree", "@degree"), ("signature", "@signature")]
_LEVEL_NAMES = 4
"""Most column names that fit below an axis without being turned."""
_TOOLS = "pan,box_select,lasso_select,tap,wheel_zoom,reset"


def figure_items(n_roles: int, axes: list[str], columns: list[str], radii: list[str] | None) -> dict[str, Any]:
    """Return the pictures as Bokeh's JSON, by the id of the element that shows each."""
    from bokeh.embed import json_item

    figures = {"drawing": _drawing(n_roles), "projection": _projection(n_roles, axes)}
    figures["profile"] = _profile(n_roles, columns, radii)
    return {name: _renumbered(json_item(figure, name), name) for name, figure in figures.items()}


def _renumbered(item: Any, name: str) -> Any:
    """Count the models of each picture from 0: Bokeh counts them per process, which would make equal pages differ."""
    text = json.dumps(item)
    ids = dict.fromkeys(re.findall(r'"id": ("[^"]+")', text))
    numbers = {old: f'"{name}-{number}"' for number, old in enumerate(ids)}
    return json.loads(re.sub(r'"(?:[^"\\]|\\.)*"', lambda match: numbers.get(match[0], match[0]), text))


def _figure(tools: str, **more: Any) -> Any:
    from bokeh.models import InlineStyleSheet
    from bokeh.plotting import figure

    # The page's own colours reach the toolbar through its shadow root.
    style = InlineStyleSheet(css=":host { --bokeh-icon-color: var(--muted); --icon-color: var(--muted); }")
    plot = figure(
        sizing_mode="stretch_both", tools=tools, toolbar_location="right", output_backend="webgl", min_border=6,
        stylesheets=[style], **more,
    )  # fmt: skip
    plot.axis.axis_label_text_font_style = "normal"
    # No link to another host.
    plot.toolbar.logo = None
    return plot


def _source(*columns: str, name: str) -> Any:
    from bokeh.models import ColumnDataSource

    return ColumnDataSource({column: [] for column in columns}, name=name)


def _add_nodes(figure: Any, prefix: str, n_roles: int) -> None:
    """Add nodes with tooltips that can be selected, and rings around the selected ones."""
    from bokeh.models import CDSView, HoverTool, IndexFilter

    columns = ("x", "y", "size", "colour", "label", "role", "degree", "signature")
    source = _source(*columns, name=f"{prefix}-nodes")
    # One layer per role, each with its marker: Bokeh's WebGL mixes up markers from a column once some are selected.
    layers = [
        figure.scatter(
            "x", "y", size="size", marker=bokeh_marker_of(role), source=source, name=f"{prefix}-marks-{role}",
            view=CDSView(filter=IndexFilter(indices=[], name=f"{prefix}-members-{role}")),
            fill_color="colour", line_color="#ffffff", line_width=0.5, line_alpha=0.7, fill_alpha=0.9,
            selection_fill_alpha=1.0, selection_line_alpha=1.0, nonselection_fill_alpha=0.14,
            nonselection_line_alpha=0.08,
        )
        for role in range(n_roles)
    ]  # fmt: skip
    for kind, width in (("alike", 1.6), ("chosen", 2.6)):
        rings, name = _source("x", "y", "size", name=f"{prefix}-{kind}"), f"{prefix}-{kind}-marks"
        style = {"fill_alpha": 0.0, "line_color": "#d00000", "line_width": width}
        figure.scatter("x", "y", size="size", source=rings, name=name, **style)
    # Hovering needs no button, which leaves room for the others in a narrow toolbar.
    figure.add_tools(HoverTool(tooltips=_TOOLTIPS, renderers=layers, limit=4, visible=False))
    for axis_range in (figure.x_range, figure.y_range):
        axis_range.renderers = layers
        axis_range.range_padding = 0.1


def _drawing(n_roles: int) -> Any:
    figure = _figure(_TOOLS, match_aspect=True, active_scroll="wheel_zoom")
    # One line with gaps, not one segment per link: it is drawn in one call, many times faster.
    for name, width in (("links", 0.6), ("own-links", 1.2)):
        source = _source("x", "y", name=f"drawing-{name}")
        figure.line("x", "y", line_width=width, line_color="#808080", source=source, name=f"drawing-{name}-marks")
    _add_nodes(figure, "drawing", n_roles)
    figure.axis.visible = False
    figure.grid.visible = False
    return figure


def _projection(n_roles: int, axes: list[str]) -> Any:
    figure = _figure(_TOOLS, active_scroll="wheel_zoom", x_axis_label=axes[0], y_axis_label=axes[1])
    _add_nodes(figure, "projection", n_roles)
    return figure


def _profile(n_roles: int, columns: list[str], radii: list[str] | None) -> Any:
    figure = _figure("pan,wheel_zoom,reset", x_axis_label=None if radii is None else "radius", y_axis_label="entropy")
    for role in range(n_roles):
        source = _source("x", "low", "middle", "high", name=f"profile-role-{role}")
        figure.varea("x", "low", "high", fill_alpha=0.16, source=source, name=f"profile-band-{role}")
        figure.line("x", "middle", line_width=1.8, line_alpha=0.9, source=source, name=f"profile-line-{role}")
        marker, name = bokeh_marker_of(role), f"profile-mark-{role}"
        figure.scatter("x", "middle", size=7, marker=marker, line_width=0.5, source=source, name=name)
    chosen = _source("xs", "ys", name="profile-chosen")
    figure.multi_line("xs", "ys", line_width=1.5, source=chosen, name="profile-chosen-marks")
    figure.xgrid.visible = False
    figure.xaxis.ticker = list(range(len(columns)))
    figure.xaxis.major_label_overrides = dict(enumerate(columns if radii is None else radii))
    if radii is None and len(columns) > _LEVEL_NAMES:
        figure.xaxis.major_label_orientation = 0.6
    return figure
