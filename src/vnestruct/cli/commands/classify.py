"""`vnestruct classify`: how well graph classes can be predicted, and a classifier to save."""

import time
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from vnestruct import setmodel
from vnestruct.cli.options import CollectionOptions, Jobs, option
from vnestruct.cli.output import Console, duration, print_json, print_table, print_text
from vnestruct.errors import ParameterError, one_of

MODELS = ("signature", "deepsets")
PROTOCOLS = ("honest", "optimistic")
_SHOWN = ("protocol", "mean", "std", "accuracies", "majority", "classes", "confusion", "chosen", "curves")

Average = Annotated[bool, option("--average", None, "Average networks of every radius up to -r and of three widths.")]


def classify(
    *,
    model: Annotated[str, option("NAME", "Which classifier; only deepsets needs PyTorch", words=MODELS)] = "signature",
    protocol: Annotated[
        str, option("NAME", "Choose epoch or head on the training part, or on the test folds", words=PROTOCOLS)
    ] = "honest",
    folds: Annotated[int, option("K", "Number of folds; 0 skips the cross-validation.")] = 10,
    seeds: Annotated[int, option("N", "How many times folds are drawn (honest protocol).")] = 3,
    splits: Annotated[
        str | None, option("FILE", "Folds to use: one fold number per graph and line, or the JSON of published splits.")
    ] = None,
    output: Annotated[
        str | None, option("--output -o", "FILE", "Write the accuracy on each fold as .csv, e.g. for paired tests.")
    ] = None,
    radius: Annotated[int, option("--radius -r", "R", "Largest number of hops.")] = 2,
    epochs: Annotated[int, option("N", "Number of training epochs of the network.")] = 300,
    width: Annotated[int, option("N", "Number of channels of the network.")] = 32,
    average: Average = False,
    device: Annotated[str, option("NAME", "Where to train the network: auto, cpu or cuda.")] = "auto",
    save: Annotated[str | None, option("FILE", "Train on all graphs and save the classifier for predict.")] = None,
    plot: Annotated[str | None, option("FILE", "Draw the learning curves of the network: .png, .svg or .pdf.")] = None,
    collection: CollectionOptions,
    n_jobs: Jobs = None,
    console: Console,
) -> None:
    """Measure how well graph classes can be predicted.

    Graphs are classified by the signatures of their nodes, without message passing. DATA is a collection in the TU
    Dortmund layout, as a folder or zip archive, or the name of a known one, such as MUTAG, which is downloaded once.
    The table shows the mean and standard deviation of the accuracy over all test folds, what always predicting the
    most frequent class would give, and how often each class was taken for each.

    Examples
    --------
    vnestruct classify MUTAG
    vnestruct classify ./molecules --model deepsets --plot curves.png
    vnestruct classify PROTEINS --splits PROTEINS_splits.json.gz -o folds.csv
    vnestruct classify MUTAG --model deepsets -r 4 --average
    vnestruct classify PROTEINS.zip --folds 0 --save proteins.model
    """
    one_of("model", model, MODELS)
    one_of("protocol", protocol, PROTOCOLS)
    mistakes = {
        "--folds 0 measures nothing; add --save FILE to save a classifier": not folds and save is None,
        "--splits decides the folds; leave out --folds and --seeds": splits is not None and (folds, seeds) != (10, 3),
        "-o writes the results of folds to a .csv file; choose that suffix, and at least two --folds": (
            output is not None and (not folds or Path(output).suffix.lower() != ".csv")
        ),
        "--average is for networks; add --model deepsets": average and model == "signature",
        "--plot draws the learning curves of a network; use --model deepsets and --folds": (
            plot is not None and (model != "deepsets" or not folds)
        ),
    }
    for mistake, is_made in mistakes.items():
        if is_made:
            raise ParameterError(mistake)
    console.check_outputs(save, output, picture=plot)

    classifier: Any = setmodel.SignatureClassifier(radius, n_jobs=n_jobs)
    if model == "deepsets":
        network: Any = {"epochs": epochs, "width": width, "average": average, "device": device}
        classifier = setmodel.DeepSetsClassifier(radius, n_jobs=n_jobs, **network)
    classifier.make_features()  # refuses invalid parameters before the collection is read
    graphs, facts = collection.load(console)
    facts |= {"model": model, "saved": save}
    if folds:
        given = None if splits is None else setmodel.read_splits(splits, len(graphs))
        drawn: dict[str, Any] = {"protocol": protocol, "folds": folds, "seeds": seeds, "splits": given}
        begin = time.perf_counter()
        with console.progress("cross-validation", "") as progress:
            result = setmodel.cross_validate(classifier, graphs, progress=progress.advance, **drawn)
        facts |= {name: getattr(result, name) for name in _SHOWN} | {"seconds": round(time.perf_counter() - begin, 3)}
        title = f"{graphs.name or collection.data}, {model}, {protocol} protocol"
        if not console.json:
            print_evaluation(result, f"{title}, {duration(facts['seconds'])}")
        if protocol == "optimistic":
            console.note("The optimistic protocol chooses on the test folds; expect lower accuracy on new graphs.")
        if output is not None:
            setmodel.write_folds(output, result)
            console.note(f"Wrote the accuracy on each fold to {output}.")
        if plot is not None:
            from vnestruct.setmodel.evaluation import draw_curves

            draw_curves(plot, result, title=title)
            console.note(f"Drew {plot}.")
    if save is not None:
        classifier.fit(graphs).save(save)
        console.note(f"Wrote a classifier trained on all {len(graphs):,} graphs to {save}.")
    if console.json:
        print_json(facts)


def print_evaluation(result: "setmodel.Evaluation", title: str) -> None:
    """Print on standard output: accuracies by seed, those of the majority class, confusions, and what was chosen."""
    from vnestruct.setmodel.heads import CANDIDATES

    rows = {f"seed {seed}": row for seed, row in enumerate(result.accuracies)}
    if len(rows) > 1:
        rows["all"] = result.accuracies
    # What always predicting the most frequent class of the training part gives.
    rows["majority"] = result.majority
    print_text(title, "")
    print_table([
        {"folds": what, "mean": f"{100 * row.mean():.2f}", "std": f"{100 * row.std():.2f}"}
        for what, row in rows.items()
    ])  # fmt: skip
    print_text("", "true class (rows), predicted class (columns)")
    names = [str(name) for name in result.classes.tolist()]
    confusion = zip(names, result.confusion.tolist(), strict=True)
    print_table([{"": name} | dict(zip(names, counts, strict=True)) for name, counts in confusion])
    words = {name: candidate.description for name, candidate in CANDIDATES.items()}
    chosen = Counter(name for seed in result.chosen for fold in seed for name in fold.split(", "))
    by = "by accuracy inside its training part" if result.protocol == "honest" else "by accuracy on the test folds"
    print_text("", f"Chosen for each fold {by}, most often:")
    n_folds = result.accuracies.size
    print_text(*(f"  {words.get(name, name)} ({times} of {n_folds} folds)" for name, times in chosen.most_common(3)))
