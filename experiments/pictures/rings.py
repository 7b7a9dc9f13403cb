"""The noise curve, as in Figure 3 but on our rings; and kind "noisy" against the others, setting by setting."""

from experiments.fresh_rings import FOLDER
from experiments.methods import BY_NAME
from experiments.noise_curve import METHODS, PATH, RINGS
from experiments.paired import differences
from experiments.pictures.style import COLOURS, MARKERS, mean_and_error, new_figure, save, tidy
from experiments.rings import ALL
from experiments.storage import read_rows

PANELS = {
    "accuracy": "accuracy, 4 nearest neighbours",
    "macro_f1": "macro-F1, 4 nearest neighbours",
    "ward_homogeneity": "homogeneity, ward",
    "ward_completeness": "completeness, ward",
}
TITLES = {"varied": "Varied ring, 340 edges", "houses": "Ring of houses, 120 edges"}


def draw_noise_curve():
    """Draw mean and standard error over 20 graphs against the number of rewired edges."""
    rows = read_rows(PATH)
    figure = new_figure(13.0, 6.4)
    grid = figure.subplots(len(RINGS), len(PANELS), sharex=True)
    for line, ring in zip(grid, RINGS, strict=True):
        for axes, (measure, title) in zip(line, PANELS.items(), strict=True):
            for name in METHODS:
                amounts = {}
                for row in rows:
                    if row["method"] == name and row["ring"] == ring:
                        amounts.setdefault(row["rewired"], []).append(row[measure])
                if not amounts:
                    continue
                x = sorted(amounts)
                means, errors = zip(*(mean_and_error(amounts[one]) for one in x), strict=True)
                low = [m - e for m, e in zip(means, errors, strict=True)]
                high = [m + e for m, e in zip(means, errors, strict=True)]
                axes.fill_between(x, low, high, color=COLOURS[name], alpha=0.18, linewidth=0)
                axes.plot(
                    x, means, color=COLOURS[name], marker=MARKERS[name], markersize=4, linewidth=1.6,
                    label=BY_NAME[name].title,
                )  # fmt: skip
            if ring == RINGS[0]:
                axes.set_title(title, fontsize=10)
            else:
                axes.set_xlabel("rewired edges")
            axes.set_ylim(top=1.02)
            axes.set_xticks(range(0, 21, 5))
            tidy(axes)
        line[0].set_ylabel(TITLES[ring])
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle("Noise: mean and standard error over 20 graphs", fontsize=13)
    save(figure, "figure3-noise.png")


def draw_differences():
    """Draw by how much kind "noisy" is ahead of each other method, with two standard errors."""
    others = ("vnestruct-r1", "vnestruct-r2", "graphwave", "rolx", "control")
    figure = new_figure(12.0, 7.6)
    panels = figure.subplots(1, 2, sharey=True)
    for axes, measure in zip(panels, ("accuracy", "macro_f1"), strict=True):
        for shift, other in enumerate(others):
            for place, setting in enumerate(ALL):
                mean, error, _ = differences("noisy", other, str(setting), measure, FOLDER)
                axes.errorbar(
                    mean, place + 0.14 * (shift - 2), xerr=2 * error, color=COLOURS[other], marker=MARKERS[other],
                    markersize=4, linewidth=1.0, label=BY_NAME[other].title if place == 0 else None,
                )  # fmt: skip
        axes.axvline(0.0, color="black", linewidth=1.0)
        axes.set_xlabel(f"kind noisy ahead in {measure.replace('_f1', '-F1')} by")
        tidy(axes)
        for place in range(0, len(ALL), 2):
            axes.axhspan(place - 0.5, place + 0.5, color="#F3F3F3", zorder=0, linewidth=0)
    panels[0].set_yticks(range(len(ALL)), list(map(str, ALL)))
    panels[0].set_ylim(len(ALL) - 0.5, -0.5)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle(
        "Kind noisy against the others, graph by graph: mean difference and two standard errors", fontsize=13
    )
    save(figure, "noisy-differences.png")
