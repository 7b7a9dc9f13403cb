"""Seconds and memory against the size of the graph."""

from experiments.cost import measured_rows
from experiments.methods import BY_NAME
from experiments.pictures.style import COLOURS, MARKERS, new_figure, save, tidy


def draw_cost():
    """Draw both costs on Barabasi-Albert graphs; a cross marks the last size before a method failed."""
    rows = [row for row in measured_rows() if row["family"] == "Barabasi-Albert"]
    figure = new_figure(12.0, 5.0)
    panels = figure.subplots(1, 2)
    for axes, column, label in zip(panels, ("seconds", "peak_mib"), ("CPU seconds", "peak memory, MiB"), strict=True):
        for name in COLOURS:
            own = [row for row in rows if row["method"] == name]
            done = sorted((row for row in own if row["outcome"] == "done"), key=lambda row: int(row["nodes"]))
            if not done:
                continue
            x, y = (
                [row["nodes"] for row in done],
                [max(row[column], 1e-5 if column == "seconds" else 0.01) for row in done],
            )
            ours = name in ("vnestruct-r1", "vnestruct-r2", "noisy")
            axes.plot(
                x, y, color=COLOURS[name], marker=MARKERS[name], markersize=5, linewidth=2.4 if ours else 1.2,
                linestyle="-" if ours else "--", label=BY_NAME[name].title,
            )  # fmt: skip
            if len(done) < len(own):
                axes.plot(x[-1], y[-1], marker="x", color="black", markersize=10, markeredgewidth=1.6)
        axes.set(xscale="log", yscale="log", xlabel="nodes", ylabel=label)
        tidy(axes)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    figure.suptitle("Barabasi-Albert graphs, m = 5, one thread (cross: the next size failed)", fontsize=13)
    save(figure, "cost.png")
