"""The report, rendered from the result files and the paper's published numbers; no number is typed by hand."""

from experiments.report import baselines, claims, cost, live, noisy, published, real, rings, theory
from experiments.storage import FOLDER

PATH = FOLDER / "REPORT.md"

INTRODUCTION = """# Role experiments

Rendered by `python -m experiments report` from `experiments/results/`. Every number below comes from those files,
except those marked *paper*, which are the published ones (`experiments/published.json`). `make experiments-roles`
computes missing results and renders the report again. To recompute a result, delete its file.
"""


def render():
    """Return the whole report."""
    paper = [claims.render(), published.render(), baselines.render()]
    ours = [rings.render(), noisy.render(), real.render(), theory.render(), live.render(), cost.render()]
    return "\n".join([INTRODUCTION, *paper, *ours])


def write_report():
    """Write the report and return its path."""
    PATH.write_text(render())
    return PATH
