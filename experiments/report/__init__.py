"""The report, rendered from the result files and the paper's published numbers; nothing in it is typed by hand."""

from __future__ import annotations

from pathlib import Path

from experiments.report import claims, cost, preset, real, rings, theory
from experiments.storage import FOLDER

PATH = FOLDER / "REPORT.md"

INTRODUCTION = """# Role experiments

Rendered by `python -m experiments report` from `experiments/results/`; every figure below comes from those
files, except those marked *paper*, which are the published ones (`experiments/published.json`).
`make experiments-roles` computes what is missing there, and renders again. Remove a result file to have it
computed anew.
"""


def render() -> str:
    """Return the whole report."""
    sections = [INTRODUCTION, claims.render(), rings.render(), preset.render(), real.render()]
    return "\n".join([*sections, theory.render(), cost.render()])


def write_report() -> Path:
    """Write the report; return where."""
    PATH.write_text(render())
    return PATH
