"""The figures, each drawn from result files alone: ``draw_all()`` writes PNG files into ``figures/``."""

from experiments.pictures.cost import draw_cost
from experiments.pictures.illustrations import draw_barbell_figure, draw_method
from experiments.pictures.rings import draw_differences, draw_noise_curve
from experiments.pictures.theory import draw_continuity, draw_entropy_quality

FIGURES = (
    draw_method,
    draw_barbell_figure,
    draw_noise_curve,
    draw_differences,
    draw_entropy_quality,
    draw_continuity,
    draw_cost,
)

__all__ = ["FIGURES", "draw_all"]


def draw_all():
    """Draw every figure."""
    for draw in FIGURES:
        draw()
