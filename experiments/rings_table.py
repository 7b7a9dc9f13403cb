"""Rings of shapes that we generate, clean and perturbed, every method, 20 graphs per setting.

They are not the graphs of the paper's Table 1, which are in ``experiments/published``.

Every graph of every method is one row of ``results/rings/METHOD.csv``, so that methods can be compared graph by graph.
A rerun computes only the rows that are missing. The slow methods come last, on fewer graphs unless requested
(`SLOW`, or ``python -m experiments rings --graphs 20``).
"""

from experiments.methods import METHODS
from experiments.protocol import judge
from experiments.rings import ALL, CLEAN, RINGS, Setting, make_graph
from experiments.storage import RESULTS, complete_rows

SEEDS = range(100, 120)
"""Seeds of ring, noise, method, folds and ties. Kind "noisy" was chosen on seeds 0 to 19; see also `fresh_rings.py`."""

SLOW = {"node2vec": (20, 1), "deepwalk": (20, 1), "struc2vec": (20, 1), "drne": (5, 1)}
"""Graphs of the slow methods in the settings `SHOWN`, and in the others."""

UNPERTURBED = [Setting(ring, CLEAN, 0) for ring in RINGS]
SETTINGS = [*UNPERTURBED, *ALL]
SHOWN = [
    Setting("houses", CLEAN, 0),
    Setting("houses", "added", 5),
    Setting("houses", "rewired", 5),
    Setting("varied", CLEAN, 0),
    Setting("varied", "added", 10),
    Setting("varied", "rewired", 10),
]
"""The settings whose tables show every measure."""

FOLDER = RESULTS / "rings"


def run(methods=METHODS, *, graphs=0):
    """Compute what is missing, the fast methods first; the slow ones on at least this many graphs."""
    chosen = sorted(methods, key=lambda one: one.slow)
    for settings in (SHOWN, SETTINGS):
        for method in chosen:
            for setting in settings:
                wanted = SLOW[method.name][setting not in SHOWN] if method.slow else len(SEEDS)
                complete(method, setting, SEEDS[: max(wanted, graphs)])


def complete(method, setting, seeds, folder=FOLDER):
    """Add the missing rows of one method in one setting to its file."""
    order = {str(one): i for i, one in enumerate(SETTINGS)}
    complete_rows(
        folder / f"{method.name}.csv",
        [{"setting": str(setting), "seed": seed} for seed in seeds],
        lambda key: measure(method, setting, key["seed"]),
        lambda row: (order[row["setting"]], row["seed"]),
    )


def measure(method, setting, seed):
    """Return every measure of one method on one graph."""
    graph, roles = make_graph(setting, seed)
    signatures = method.embed(graph, int(roles.max()) + 1, seed)
    return {"dimension": signatures.shape[1], **judge(signatures, roles, seed)}
