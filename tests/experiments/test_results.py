"""Committed results are whole, reports are rendered from them, and a live run gives the committed figures."""

import json

import networkx as nx
import numpy as np
import pytest
from benchmarks.tables import CLASSES, ROLES, SURVEY
from experiments.classification import report as classes_report
from experiments.expressivity.run import FOLDER, SIGNATURES, Pairs, graph_set, read_pairs
from experiments.expressivity.smallest import SIGNATURES as SMALLEST
from experiments.live_graphs import GRAPHS, SHAPES, injected
from experiments.methods import BY_NAME, METHODS
from experiments.paired import summary
from experiments.published import rings as published_rings
from experiments.published.graphs import SETS, folder
from experiments.published.methods import METHODS as PUBLISHED
from experiments.real_graphs import labelled_graph
from experiments.report.published import PAPER, gaps, row_verdict
from experiments.rings import ALL, CLEAN
from experiments.rings_table import SEEDS, SETTINGS, SHOWN, measure
from experiments.roles_benchmark import clusters, run
from experiments.roles_benchmark import report as survey_report
from experiments.roles_benchmark.survey import survey_scores
from experiments.storage import RESULTS, data_folder, read_json, read_rows
from tests.cases import for_each

from experiments import cost, enron, fresh_rings, live_graphs, matching, noise_curve, real_roles, report
from vnestruct import embed
from vnestruct.graph.synthetic import barabasi_albert

needs_data = pytest.mark.skipif(not folder().exists(), reason="the data folder is not here")


@for_each(
    ("path", "render"), [(ROLES, report.render), (SURVEY, survey_report.render), (CLASSES, classes_report.render)]
)
def test_reports_are_rendered_from_the_results(path, render):
    assert render() == path.read_text()
    pictures = [part.partition(")")[0] for part in path.read_text().split("](")[1:]]
    assert all((path.parent / name).stat().st_size > 10_000 for name in pictures if name.endswith(".png"))


def test_every_method_has_its_rows():
    names = {method.name for method in METHODS}
    for method in METHODS:
        known = [row["setting"] for row in read_rows(RESULTS / "rings" / f"{method.name}.csv")]
        for setting in SHOWN if method.slow or method.name == "rolx-own" else SETTINGS:
            assert known.count(str(setting)) == 20 or (method.slow and str(setting) in known), (method.name, setting)
    assert {row["method"] for row in read_rows(enron.PATH)} == names
    assert {row["method"] for row in read_rows(noise_curve.PATH)} == set(noise_curve.METHODS)
    assert {row["method"] for row in read_rows(cost.PATH)} == names - set(cost.LEFT_OUT)
    for name in real_roles.GRAPHS:
        skipped = {method for method, graph in real_roles.SKIPPED if graph == name}
        assert {method for graph, method in real_roles.results() if graph == name} == names - skipped
    for name in fresh_rings.METHODS:
        found = {(row["setting"], row["seed"]) for row in read_rows(fresh_rings.FOLDER / f"{name}.csv")}
        assert found == {(str(setting), seed) for setting in ALL for seed in fresh_rings.SEEDS}
    for graph in run.GRAPHS:
        for row in (*run.ROWS, run.CHOSEN):
            assert (run.result(graph, row.name) is None) == (graph in row.skipped), (graph, row.name)
    assert set(read_json(clusters.PATH)) == {*map(str, clusters.RINGS), *clusters.GRAPHS}
    assert len(read_rows(live_graphs.ANOMALIES)) == len(GRAPHS) * len(SHAPES) * 3


def test_reported_seeds_were_not_chosen_on():
    assert 19 < min(SEEDS) <= max(SEEDS) < min(fresh_rings.SEEDS)


def test_exact_cases_and_the_reference_run():
    for ring, radius in (("houses", 1), ("houses", 2), ("houses", 3), ("varied", 2)):
        for name in ("accuracy", "macro_f1", "ward_homogeneity", "ward_completeness"):
            assert summary(f"vnestruct-r{radius}", f"{ring}, {CLEAN}", name) == (1.0, 0.0, 20)
    reference = PAPER["reference_run"]
    for row in reference["rows"]:
        found = [summary(f"vnestruct-r{row['radius']}", row["setting"], name)[0] for name in reference["columns"]]
        assert found == pytest.approx(row["values"], abs=reference["tolerance"])


def test_printed_rows_are_met_and_kind_noisy_is_ahead_of_them():
    for name in SETS:
        for method, title in (("deepwalk", "DeepWalk"), ("graphwave-program", "GraphWave"), ("rolx-program", "RolX")):
            assert row_verdict(gaps(method, name, title)).startswith("reproduced"), (method, name)
    for name in ("basic_perturbed", "varied_perturbed"):
        ours, block = published_rings.means("noisy", name), PAPER["table1"][SETS[name]].values()
        assert ours["accuracy"] > max(row[3] for row in block)
        assert ours["macro_f1"] > max(row[4] for row in block)


@for_each("name", ["vnestruct-r2", "noisy", "control", "rolx", "graphwave-chebyshev"])
def test_a_live_run_gives_the_committed_rows(name):
    for setting in (ALL[0], ALL[-1]):
        [row] = [
            one for one in read_rows(RESULTS / "rings" / f"{name}.csv")
            if (one["setting"], one["seed"]) == (str(setting), 103)
        ]  # fmt: skip
        for key, value in measure(BY_NAME[name], setting, 103).items():
            assert value == pytest.approx(row[key], abs=2e-6), (setting, key)


@needs_data
@for_each("name", ["vnestruct-r3", "equation5-r1", "profile", "graphwave-program"])
def test_a_live_run_gives_the_committed_rows_of_the_paper(name):
    [method] = [one for one in PUBLISHED if one.name == name]
    committed = read_rows(published_rings.FOLDER / f"{name}.csv")
    row = next(one for one in committed if (one["set"], one["graph"]) == ("varied_perturbed", 3))
    for key, value in published_rings.measure(method, "varied_perturbed", 3).items():
        assert value == pytest.approx(row[key], abs=2e-6), key


@needs_data
def test_a_live_run_gives_the_committed_scores_of_the_survey():
    graph, classes = labelled_graph("brazil-airports")
    [row] = [one for one in run.ROWS if one.name == run.GENERAL]
    found = survey_scores(row.embed(graph), classes, run.SEEDS)
    committed = run.result("brazil-airports", run.GENERAL)["as it comes"]
    assert found["micro"] == pytest.approx(committed["micro"], abs=1e-6)


@needs_data
def test_pairs_of_hard_graphs_are_counted_as_committed():
    pairs = read_pairs(["basic", "regular"])
    committed = read_json(FOLDER / "all_kinds.json")
    found = pairs.per_category(pairs.separated(embed(pairs.graphs, **SIGNATURES["exact, radius 2"])))
    row = committed["signatures"]["exact, radius 2"]
    assert (found["basic"], found["regular"]) == (row["basic"], row["regular"]) == (60, 50)
    assert (row["total"], committed["copies"]["told apart"]) == (279, 0)
    smallest = read_json(FOLDER / "smallest.json")["equal"]
    for name, options in SMALLEST.items():
        graphs = [nx.from_graph6_bytes(text.encode()) for text in smallest[name]["smallest"]]
        if graphs:
            assert Pairs(graph_set(graphs), ["pair"]).separated(embed(graph_set(graphs), **options)) == []


@for_each(("shape", "n_links"), [("clique", 7), ("star", 36), ("bridge", 0)])
def test_injected_nodes_have_the_links_of_their_shape(shape, n_links):
    base = barabasi_albert(400, 2, 0)
    graph, truth = injected(base, shape, 0)
    assert truth.sum() == 20
    assert np.median((graph.degrees - base.degrees)[truth]) >= n_links


def test_noisy_copies_lose_edges_and_their_nodes_are_found_again():
    graph = barabasi_albert(60, 3, 0)
    copy, _ = matching.noisy_copy(graph, 10, seed=1)
    assert copy.n_edges == graph.n_edges - round(graph.n_edges / 10)
    same, order = matching.noisy_copy(graph, 0, 1)
    assert matching.precision(matching.candidates("vnestruct", graph, same, order, 1), order, 10) > 0.9


@needs_data
def test_graph_networks_learn_on_published_folds(monkeypatch):
    torch = pytest.importorskip("torch")
    pytest.importorskip("torch_geometric")
    from experiments.classification import measure as classes
    from experiments.encodings import LAYERS, Plan, base_columns, data_list, trained
    from experiments.fair_splits import tested
    from experiments.splits import classes_of, folds_of, load

    torch.set_num_threads(1)
    collection = load("ENZYMES")
    folds, codes = folds_of("ENZYMES", collection), classes_of(collection)
    with pytest.raises(ValueError, match="do not fit"):
        folds_of("ENZYMES", collection.subset(np.random.default_rng(0).permutation(len(collection))))
    graphs, columns = data_list(collection), base_columns(collection)
    rows = zip(graphs, columns.split([graph.num_nodes for graph in graphs]), codes, strict=True)
    for graph, x, code in rows:
        graph.x, graph.y = x, torch.tensor([code])
    for network in LAYERS:
        accuracy, epoch = trained(network, graphs, folds[0], Plan(2, 50), 0, slice(0, 0), "cpu")
        assert 0 <= accuracy <= 1
        assert epoch < 2
    sizes = np.column_stack([np.diff(collection.offsets), np.log(np.diff(collection.offsets))]).astype(float)
    result = tested(sizes, 0, codes, folds[0], ("ridge", "boosting"))
    assert [head.split()[0] for head in result["heads"]] == ["ridge", "boosting"]
    assert result["test"] > 1 / 6
    mutag = classes.load("MUTAG", data_folder())
    fold, codes = classes.folds_of("MUTAG", 0), classes_of(mutag)
    jobs = {job.network: job for job in classes.jobs_of("MUTAG")}
    monkeypatch.setattr(classes, "pairs", lambda n_folds: [(k, (k + 1) % n_folds) for k in range(n_folds)])
    for job in jobs.values():
        runs = classes.runs_of(job._replace(schedule=job.schedule | {"epochs": 1}), mutag, fold, 0, "cpu")
        entry = classes.figures([runs], [fold], codes)
        assert 0.2 < entry["honest"]["mean"] <= entry["optimistic"]["mean"] + 0.1 < 1.1
    assert json.loads((classes.FOLDER / "folds.json").read_text()).keys() >= set(classes.MAIN)
