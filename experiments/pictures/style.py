"""The common style of all figures: size, colours that everybody can distinguish, and the output folder."""

import numpy as np
from experiments.storage import FIGURES
from matplotlib.figure import Figure

COLOURS = {
    "vnestruct-r1": "#56B4E9",
    "vnestruct-r2": "#0072B2",
    "noisy": "#D55E00",
    "control": "#5B5B5B",
    "graphwave": "#009E73",
    "graphwave-chebyshev": "#8FCBB5",
    "refex": "#C9A227",
    "rolx": "#E69F00",
    "struc2vec": "#CC79A7",
    "deepwalk": "#8B4513",
    "node2vec": "#B08D70",
    "drne": "#1B1B5E",
}
MARKERS = dict(zip(COLOURS, "osD^vPXh<>p*", strict=True))


def new_figure(width, height):
    return Figure(figsize=(width, height), dpi=150, layout="constrained")


def tidy(axes):
    """Keep only the two axes and a faint grid."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)


def save(figure, name):
    FIGURES.mkdir(exist_ok=True)
    figure.savefig(FIGURES / name, metadata={"Software": None})


def mean_and_error(values):
    """Return the mean and its standard error."""
    array = np.asarray(values, dtype=float)
    error = array.std(ddof=1) / np.sqrt(array.size) if array.size > 1 else 0.0
    return float(array.mean()), float(error)
