"""How close H_hat is to H, and the continuity bound against real changes."""

import numpy as np
from experiments.continuity import PATH as CONTINUITY
from experiments.entropy_quality import GRAPHS, RADII
from experiments.entropy_quality import PATH as QUALITY
from experiments.pictures.style import new_figure, save, tidy
from experiments.storage import read_rows

from vnestruct.drawing.palette import colour_of, marker_of


def draw_entropy_quality():
    """Draw H_hat / H against the size of the ball, one panel per radius."""
    rows = [row for row in read_rows(QUALITY) if row["nodes"] > 0 and row["exact"] > 0]
    figure = new_figure(12.0, 4.0)
    panels = figure.subplots(1, len(RADII), sharex=True, sharey=True)
    for axes, radius in zip(panels, RADII, strict=True):
        for place, name in enumerate(GRAPHS):
            own = [row for row in rows if row["graph"] == name and row["radius"] == radius]
            axes.scatter(
                [row["nodes"] for row in own], [row["approx"] / row["exact"] for row in own], s=14,
                color=colour_of(place), marker=marker_of(place), alpha=0.65, linewidths=0, label=name,
            )  # fmt: skip
        axes.set(xscale="log", xlabel="nodes of the ball", title=f"radius {radius}", ylim=(0, 1.02))
        tidy(axes)
    panels[0].set_ylabel("H_hat / H")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, markerscale=1.8)
    figure.suptitle("The approximate entropy is well below the exact one", fontsize=13)
    save(figure, "theory-approximation.png")


def draw_continuity():
    """Draw the change of H and of H_hat against the bound; above the line the bound is broken."""
    rows = read_rows(CONTINUITY)
    names = list(dict.fromkeys(row["graph"] for row in rows))
    figure = new_figure(11.0, 4.6)
    panels = figure.subplots(1, 2, sharex=True, sharey=True)
    for axes, (column, title) in zip(
        panels, (("exact_change", "exact entropy H"), ("approx_change", "approximate entropy H_hat")), strict=True
    ):
        for place, name in enumerate(names):
            own = [row for row in rows if row["graph"] == name]
            axes.scatter(
                [row["bound"] for row in own], [max(row[column], 1e-6) for row in own], s=13,
                color=colour_of(place), marker=marker_of(place), alpha=0.65, linewidths=0, label=name,
            )  # fmt: skip
        line = np.array([0.005, 1.5])
        axes.plot(line, line, color="black", linewidth=1.0)
        axes.annotate("bound", (0.012, 0.02), rotation=30, fontsize=9)
        broken = sum(row[column] > row["bound"] for row in rows)
        axes.set(xscale="log", yscale="log", xlabel="Fannes-Audenaert bound")
        axes.set_title(f"{title}: broken {broken} times in {len(rows)}", fontsize=11)
        tidy(axes)
    panels[0].set_ylabel("change of the entropy")
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False, markerscale=1.8)
    save(figure, "theory-continuity.png")
