"""Kind "noisy" compared with the other methods, setting by setting, on fresh seeds; and how it was found."""

from experiments.fresh_rings import FOLDER, OTHERS, SEEDS
from experiments.paired import differences
from experiments.report.tables import difference, score, table
from experiments.rings import ALL
from experiments.rings_table import FOLDER as TABLES
from experiments.storage import RESULTS, read_json

STAGES = ("refine", "balance", "couple")
CHOSEN = "anneal"
MEASURES = {"accuracy": "accuracy", "macro_f1": "macro-F1"}
SHOWN = {
    "vnestruct-r1": "plain R = 1",
    "vnestruct-r2": "plain R = 2",
    "vnestruct-r3": "plain R = 3",
    "graphwave": "GraphWave",
    "rolx": "RolX",
    "control": "degree control",
}


def lead(other, setting, measure, folder=FOLDER):
    """Return mean and standard error of how far kind "noisy" is ahead."""
    mean, error, _ = differences("noisy", other, str(setting), measure, folder)
    return mean, error


def shortfalls(folder=FOLDER):
    """Return every perturbed setting, measure and method in which kind "noisy" is not ahead."""
    found = []
    for setting in ALL:
        for measure, title in MEASURES.items():
            for other in OTHERS:
                mean, error = lead(other, setting, measure, folder)
                if not mean > 0:
                    found.append(f"{setting}: {title} against {SHOWN.get(other, other)} {difference(mean, error)}")
    return found


def _closest():
    """Return how many leads are below two standard errors, and the smallest leads."""
    leads = [
        (*lead(other, setting, measure), f"{setting}, {title} against {SHOWN.get(other, other)}")
        for setting in ALL
        for measure, title in MEASURES.items()
        for other in OTHERS
    ]
    close = [one for one in leads if one[0] < 2 * one[1]]
    smallest = sorted(leads, key=lambda one: one[0] / one[1])[:4]
    return (
        f"{len(close)} of the leads are below two standard errors; the closest: "
        + "; ".join(f"{where} {difference(mean, error)}" for mean, error, where in smallest)
        + "."
    )


def render():
    """Return the section."""
    parts = [
        f"""## Kind `noisy` on fresh seeds

![differences](figures/noisy-differences.png)

Seeds {SEEDS.start} to {SEEDS.stop - 1} were computed once, after the kind had been chosen on seeds 0 to 19. The
tables above use other seeds, on which an earlier choice had been evaluated before the search for this one.
"""
    ]
    missing = shortfalls()
    n_all = len(ALL) * len(MEASURES) * len(OTHERS)
    if missing:
        parts.append(
            f"Kind `noisy` is ahead of plain VNEstruct, GraphWave and RolX in {n_all - len(missing)} of {n_all}"
            " comparisons (24 perturbed settings, 2 measures, 6 methods). It is not ahead in these cases:\n\n"
            + "\n".join(f"- {line}" for line in missing)
            + "\n"
        )
    else:
        parts.append(
            f"Kind `noisy` is ahead of plain VNEstruct, GraphWave and RolX in all {n_all} comparisons (24 perturbed"
            f" settings, 2 measures, 6 methods). {_closest()}\n"
        )
    parts.append(_seeds_of_the_tables(n_all))
    behind = [
        f"{setting} ({title} {difference(*lead('control', setting, measure))})"
        for setting in ALL
        for measure, title in MEASURES.items()
        if lead("control", setting, measure)[0] < 0
    ]
    n_pairs = len(ALL) * len(MEASURES)
    parts.append(
        f"Compared with the degree control, four simple numbers, it is ahead or equal in {n_pairs - len(behind)} of"
        f" {n_pairs} comparisons" + (f", and behind in: {'; '.join(behind)}.\n" if behind else ".\n")
    )
    for measure, title in MEASURES.items():
        rows = [
            [str(setting), score("noisy", str(setting), measure, folder=FOLDER)]
            + [difference(*lead(other, setting, measure)) for other in SHOWN]
            for setting in ALL
        ]
        parts.append(f"### {title}: kind `noisy` and its lead (paired mean ± standard error)\n")
        parts.append(table(["setting", "noisy", *SHOWN.values()], rows))
    parts.append(_search())
    return "\n".join(parts)


def _seeds_of_the_tables(n_all):
    missing = shortfalls(TABLES)
    text = f"On the seeds of the tables above, it is ahead in {n_all - len(missing)} of {n_all}"
    return text + (f"; the exceptions: {'; '.join(missing)}.\n" if missing else ".\n")


def _search():
    found = read_json(RESULTS / "noisy_search.json")
    stages = [("tried", name, value) for name, value in found["search"]["tried"].items()]
    stages += [("greedy search", name, value) for name, value in found["search"]["finalists"].items()]
    rows = [[stage, name, f"{value:.4f}"] for stage, name, value in sorted(stages, key=lambda one: -one[2])]
    n_tried = sum(one["candidates_tried"] for one in found["search"]["searches"].values())
    n_tried += sum(found[stage]["candidates_tried"] for stage in STAGES)
    last = found[CHOSEN]
    n_last = sum(run["candidates_tried"] for run in last["runs"])
    before, after = (_least(found[stage]["leads"], part) for stage, part in (("couple", "after"), (CHOSEN, None)))
    columns = ", ".join(f"{weight:g} × {name}" for name, weight in last["weights"].items())
    return (
        f"""### What was tried

The whole search used seeds 0 to 19. It first tried {n_tried:,} candidates in three greedy searches, a refinement, and
two stages that penalise every setting in which another method is ahead or close. The
value is the mean of accuracy, macro-F1 and V-measure over the settings of the search. The programs of
the search are in the history of the repository (commit b3aabe0, `experiments/preset_*.py`).

"""
        + table(["stage", "columns", "value"], rows, texts=2)
        + f"""
The result of these stages was behind RolX, GraphWave or the plain signature on some rings of stars, by up to
{-before:.4f} on the seeds of the search, and again on seeds 100 to 119. The cause was leaves that a wrong edge had
moved, linked to another node, or cut off. Another {n_last:,} candidates had columns for such leaves (`part`,
`arrivals`). They were tried by greedy search on stars only and by simulated annealing on all settings, and
led to the present kind, whose smallest lead is {after:+.4f} on the seeds of the search.
The price is a lower mean V-measure of Ward clusters: {last["v_measure"]:.4f}, compared with
{last["v_measure_before"]:.4f} for the result before.

Chosen: {columns}.
"""
    )


def _least(leads, part):
    return float(min(min(one[part] if part else one) for one in leads.values()))
