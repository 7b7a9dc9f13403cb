"""Figures 1 to 3, and rings of shapes that we generate."""

from experiments.illustrations import BARBELL_PATH, METHOD_PATH
from experiments.methods import METHODS
from experiments.paired import summary
from experiments.report.tables import n_graphs, score, table
from experiments.rings import RINGS
from experiments.rings_table import SEEDS, SETTINGS, SHOWN
from experiments.storage import read_json

COLUMNS = {
    "ward_homogeneity": "homogeneity",
    "ward_completeness": "completeness",
    "ward_silhouette": "silhouette",
    "accuracy": "accuracy",
    "macro_f1": "macro-F1",
}


def render():
    """Return the sections on synthetic graphs."""
    parts = [_illustrations(), _protocol()]
    parts += [_block(setting) for setting in SHOWN]
    parts += [_noise(), _all_settings(), _single_linkage()]
    return "\n".join(parts)


def _illustrations():
    method, barbell = read_json(METHOD_PATH), read_json(BARBELL_PATH)
    return f"""## Figures 1 and 2

![two nodes and their balls](figures/figure1-method.png)

u and v are {method["distance"]} hops apart. Their 1-balls are identical and have the same entropy,
{method["u"][0]:.4f}. Their 2-balls differ: {method["u"][1]:.4f} and {method["v"][1]:.4f}.

![the barbell](figures/figure2-barbell.png)

The graph has two cliques of 10 nodes, joined by a path of 7. Nodes with the same 3-hop surroundings have the same
signature, so the {barbell["nodes"]} nodes give {barbell["distinct_signatures"]} points. At R = 4, the three nodes in
the middle of the path would no longer be the same.
"""


def _protocol():
    return f"""## Other rings of shapes

These are not the paper's graphs: we generate them, perturb them in several ways, and evaluate them in another way.

**Graphs.** A cycle of 30 nodes with shapes attached, each by one edge. Basic: 10 houses (80 nodes, 120 edges,
6 roles), 10 fans or 10 stars, at equal distances. Varied: 10 fans of 6, 10 stars of 10 and 10 houses at random places
(260 nodes, 340 edges, 13 roles). Noise: *added* links random pairs of nodes that were not linked; *rewired* moves one
end of distinct random edges to a random non-neighbour. Seeds {SEEDS.start} to {SEEDS.stop - 1} are used for every
method; kind "noisy" was chosen on seeds 0 to 19.

**Scores.** 4 nearest neighbours in 10 stratified folds, with distance ties broken at random; accuracy, macro-F1 and
weighted F1 of each fold, averaged. Ward and single linkage with as many clusters as roles: homogeneity, completeness,
and silhouette of the clusters. Mean ± standard deviation over the graphs. Nodes with equal signatures are always in
the same cluster.

**Methods.** RolX is given the true number of roles, and features divided by their largest value. Its own criterion
chooses too few roles on such small graphs; a separate row shows the effect. GraphWave uses the two scales of its
paper. struc2vec, DeepWalk, node2vec and DRNE use the parameters of their papers (`experiments/baselines/README.md`).
"""


def _block(setting):
    name = str(setting)
    rows = []
    for method in METHODS:
        ours = [score(method.name, name, measure) for measure in COLUMNS]
        weighted = score(method.name, name, "weighted_f1", deviation=False)
        rows.append([method.title, *ours, weighted, n_graphs(method.name, name)])
    header = ["method", *COLUMNS.values(), "weighted F1", "graphs"]
    return f"### {name}\n\n" + table(header, rows)


def _noise():
    return """## Noise, as in Figure 3, on our rings

![noise](figures/figure3-noise.png)

0 to 20 rewired edges; mean and standard error over 20 graphs (`results/noise_curve.csv`).
"""


def _all_settings():
    parts = ["## All settings\n\nAccuracy / macro-F1, means (`results/rings/` has all graphs and measures).\n"]
    for ring in RINGS:
        own = [str(setting) for setting in SETTINGS if setting.ring == ring]
        rows = []
        for method in METHODS:
            cells = []
            for name in own:
                found = summary(method.name, name, "accuracy")
                text = "–"
                if found is not None:
                    text = "/".join(score(method.name, name, m, deviation=False) for m in ("accuracy", "macro_f1"))
                    text += "" if found[2] == len(SEEDS) else f" ({found[2]})"
                cells.append(text)
            rows.append([method.title, *cells])
        parts.append(
            table(["method", *(name.partition(", ")[2] for name in own)], rows).replace("| method", f"| {ring}", 1)
        )
    parts.append("The number of graphs is in brackets if it is less than 20. A dash means not computed.\n")
    return "\n".join(parts)


def _single_linkage():
    rows = []
    for method in METHODS:
        cells = []
        for setting in SHOWN:
            values = [
                score(method.name, str(setting), f"single_{m}", deviation=False)
                for m in ("homogeneity", "completeness", "silhouette")
            ]
            cells.append("/".join(values))
        rows.append([method.title, *cells])
    return "### Single linkage: homogeneity / completeness / silhouette\n\n" + table(["method", *map(str, SHOWN)], rows)
