"""Learning curves as a picture."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

import numpy as np

from vnestruct.errors import MissingExtraError, ParameterError
from vnestruct.files.atomic import atomic_path
from vnestruct.setmodel.evaluation import Evaluation

SUFFIXES = (".png", ".svg", ".pdf")


def check_picture(path: str | PathLike[str]) -> None:
    """Refuse a file that no picture can be written to, before any work."""
    if Path(path).suffix.lower() not in SUFFIXES:
        raise ParameterError(f"{fspath(path)}: a picture ends in {', '.join(SUFFIXES)}; choose one of these")
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingExtraError('pictures need matplotlib: pip install "vnestruct[plot]"') from error


def draw_curves(path: str | PathLike[str], result: Evaluation, title: str = "") -> None:
    """Draw mean training loss and mean test accuracy after each epoch.

    Parameters
    ----------
    path : path-like
        A ``.png``, ``.svg`` or ``.pdf`` file.
    result : Evaluation
        Of a network.
    title : str
        Above the picture.
    """
    check_picture(path)
    if not result.curves:
        raise ParameterError(f"a {result.model} classifier has no epochs, and so no learning curves")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, 2)
    for panel, (name, values) in zip(panels, result.curves.items(), strict=True):
        panel.plot(np.arange(1, values.size + 1), values, color="#0072B2" if "loss" in name else "#D55E00")
        panel.set_xlabel("epoch")
        panel.set_title(f"{name}, mean over folds", fontsize=10)
        panel.grid(alpha=0.3)
    if title:
        figure.suptitle(title, fontsize=11)
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format=Path(path).suffix[1:].lower(), dpi=120)
