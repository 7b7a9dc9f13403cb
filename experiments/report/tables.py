"""Markdown tables and numbers as the report writes them."""

from experiments.paired import summary
from experiments.rings_table import FOLDER

NONE = "–"


def table(header, rows, *, texts=1):
    """Return a Markdown table whose first `texts` columns are text and whose others are numbers."""
    rule = ["---"] * texts + ["---:"] * (len(header) - texts)
    return "\n".join("| " + " | ".join(row) + " |" for row in (list(header), rule, *map(list, rows))) + "\n"


def number(value, digits=3):
    """Return a score without its leading zero, or a dash."""
    if value is None or value != value:
        return NONE
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def score(method, setting, measure, *, deviation=True, folder=FOLDER):
    """Return mean and standard deviation of a method in a setting of the rings."""
    found = summary(method, setting, measure, folder)
    if found is None:
        return NONE
    mean, spread, _ = found
    return f"{number(mean)} ± {number(spread)}" if deviation else number(mean)


def n_graphs(method, setting):
    found = summary(method, setting, "accuracy")
    return NONE if found is None else str(found[2])


def difference(mean, error):
    """Return a difference with its sign and standard error."""
    if mean != mean:
        return NONE
    return f"{mean:+.4f} ± {error:.4f}"
