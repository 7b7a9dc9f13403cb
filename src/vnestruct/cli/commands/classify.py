"""`vnestruct classify`: how well graph classes can be predicted, and a classifier to save."""

import time
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.checks import one_of
from vnestruct.cli.console import Console, duration, print_json, print_table, print_text, shown_progress
from vnestruct.cli.options import CollectionOptions, Jobs, option
from vnestruct.errors import ParameterError
from vnestruct.files.output_checks import check_picture, check_place

if TYPE_CHECKING:
    from vnestruct.setmodel import Evaluation

MODELS = ("signature", "deepsets")
PROTOCOLS = ("honest", "optimistic")

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
    if folds == 0 and save is None:
        raise ParameterError("--folds 0 measures nothing; add --save FILE to save a classifier")
    if splits is not None and (folds, seeds) != (10, 3):
        raise ParameterError("--splits decides the folds; leave out --folds and --seeds")
    if output is not None and (not folds or Path(output).suffix.lower() != ".csv"):
        needed = "choose that suffix, and at least two --folds"
        raise ParameterError(f"-o writes the results of folds to a .csv file; {needed}")
    if average and model == "signature":
        raise ParameterError("--average is for networks; add --model deepsets")
    for path in filter(None, (save, plot, output)):
        check_place(path)
    if plot is not None:
        if model != "deepsets" or not folds:
            raise ParameterError("--plot draws the learning curves of a network; use --model deepsets and --folds")
        check_picture(plot)

    from vnestruct import setmodel
    from vnestruct.setmodel.evaluation import draw_curves

    classifier: Any
    if model == "signature":
        classifier = setmodel.SignatureClassifier(radius, n_jobs=n_jobs)
    else:
        network: dict[str, Any] = {"epochs": epochs, "width": width, "average": average, "device": device}
        classifier = setmodel.DeepSetsClassifier(radius, n_jobs=n_jobs, **network)
    classifier.check_parameters()
    graphs = collection.load(console)
    name = graphs.name or collection.data
    result = None
    begin = time.perf_counter()
    if folds:
        given = None if splits is None else setmodel.read_splits(splits, len(graphs))
        drawn: dict[str, Any] = {"protocol": protocol, "folds": folds, "seeds": seeds, "splits": given}
        with shown_progress(console, None, "cross-validation", "") as progress:
            result = setmodel.cross_validate(classifier, graphs, progress=progress.advance, **drawn)
        if output is not None:
            setmodel.write_folds(output, result)
    seconds = time.perf_counter() - begin
    if result is not None and plot is not None:
        draw_curves(plot, result, title=f"{name}: {model}, {protocol} protocol")
    if save is not None:
        classifier.fit(graphs).save(save)
    if console.json:
        facts = collection.facts(graphs) | {"model": model, "saved": save}
        print_json(facts if result is None else facts | _result(result, seconds))
    elif result is not None:
        print_evaluation(result, name, seconds)
    if result is not None and protocol == "optimistic":
        console.note("The optimistic protocol chooses on the test folds; expect lower accuracy on new graphs.")
    if save is not None:
        console.note(f"Wrote a classifier trained on all {len(graphs):,} graphs to {save}.")
    if plot is not None:
        console.note(f"Drew {plot}.")
    if output is not None:
        console.note(f"Wrote the accuracy on each fold to {output}.")


def _result(result: "Evaluation", seconds: float) -> dict[str, Any]:
    arrays = {name: getattr(result, name).tolist() for name in ("accuracies", "majority", "classes", "confusion")}
    curves = {name: values.tolist() for name, values in result.curves.items()}
    facts = {"protocol": result.protocol, "mean": result.mean, "std": result.std}
    return facts | arrays | {"chosen": result.chosen, "curves": curves, "seconds": round(seconds, 3)}


def print_evaluation(result: "Evaluation", name: str, seconds: float) -> None:
    """Print on standard output: accuracies by seed, those of the majority class, confusions, and what was chosen."""
    rows = {f"seed {seed}": row for seed, row in enumerate(result.accuracies)}
    if len(rows) > 1:
        rows["all"] = result.accuracies
    # What always predicting the most frequent class of the training part gives.
    rows["majority"] = result.majority
    percent = [(what, f"{100 * row.mean():.2f}", f"{100 * row.std():.2f}") for what, row in rows.items()]
    names = [str(name) for name in result.classes.tolist()]
    print_text(f"{name}, {result.model}, {result.protocol} protocol, {duration(seconds)}", "")
    print_table([dict(zip(("folds", "mean", "std"), row, strict=True)) for row in percent])
    print_text("", "true class (rows), predicted class (columns)")
    print_table(
        [
            {"": name, **dict(zip(names, row, strict=True))}
            for name, row in zip(names, result.confusion.tolist(), strict=True)
        ]
    )
    print_text("", *_chosen_in_words(result))


def _chosen_in_words(result: "Evaluation") -> list[str]:
    """Return what was chosen for most folds, and by what."""
    from vnestruct.setmodel.heads import CANDIDATES

    by = "by accuracy inside its training part" if result.protocol == "honest" else "by accuracy on the test folds"
    n_folds = result.accuracies.size
    words = {name: candidate.description for name, candidate in CANDIDATES.items()}
    if result.model == "signature":
        several = "classifiers of graph signatures, whose scores are averaged"
        what = several if result.protocol == "honest" else "one classifier"
        lines = [f"Chosen for each fold {by}: {what}. Most often:"]
        counts = Counter(name for row in result.chosen for fold in row for name in fold.split(", "))
        return lines + [f"  {words[name]} ({times} of {n_folds} folds)" for name, times in counts.most_common(3)]
    counts = Counter(chain.from_iterable(result.chosen))
    if (mean := next(iter(counts))).startswith("mean of"):
        return [f"Nothing was chosen: each fold has the {mean}."]
    common = ", ".join(f"{what} ({times} of {n_folds} folds)" for what, times in counts.most_common(3))
    return [f"Chosen for each fold {by}: the epoch after which training ends. Most often: {common}"]
