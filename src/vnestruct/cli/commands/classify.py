"""`vnestruct classify`: how well graph classes can be predicted, and a classifier to save."""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

from vnestruct.checks import one_of
from vnestruct.cli.console import Console, duration, print_json
from vnestruct.cli.options import CollectionOptions, Jobs, Radius, option
from vnestruct.errors import ParameterError
from vnestruct.files.output_checks import check_picture, check_place

if TYPE_CHECKING:
    from vnestruct.setmodel import Evaluation

MODELS = ("signature", "deepsets")
PROTOCOLS = ("honest", "optimistic")

Model = Annotated[str, option("--model", "NAME", "Which classifier; only deepsets needs PyTorch", words=MODELS)]
Protocol = Annotated[
    str,
    option("--protocol", "NAME", "Choose epoch or head on the training part, or on the test folds", words=PROTOCOLS),
]
Folds = Annotated[int, option("--folds", "K", "Number of folds; 0 skips the cross-validation.")]
Seeds = Annotated[int, option("--seeds", "N", "How many times folds are drawn (honest protocol).")]
Epochs = Annotated[int, option("--epochs", "N", "Number of training epochs of the network.")]
Width = Annotated[int, option("--width", "N", "Number of channels of the network.")]
Average = Annotated[bool, option("--average", None, "Average networks of every radius up to -r and of three widths.")]
Device = Annotated[str, option("--device", "NAME", "Where to train the network: auto, cpu or cuda.")]
Save = Annotated[str | None, option("--save", "FILE", "Train on all graphs and save the classifier for predict.")]
Plot = Annotated[str | None, option("--plot", "FILE", "Draw the learning curves of the network: .png, .svg or .pdf.")]


def classify(
    *,
    model: Model = "signature",
    protocol: Protocol = "honest",
    folds: Folds = 10,
    seeds: Seeds = 3,
    radius: Radius = 2,
    epochs: Epochs = 300,
    width: Width = 32,
    average: Average = False,
    device: Device = "auto",
    save: Save = None,
    plot: Plot = None,
    collection: CollectionOptions,
    n_jobs: Jobs = None,
    console: Console,
) -> None:
    """Measure how well graph classes can be predicted.

    Graphs are classified by the signatures of their nodes, without message passing. DATA is a collection in the TU
    Dortmund layout, as a folder or zip archive, or the name of a known one, such as MUTAG, which is downloaded once.
    The table shows the mean and standard deviation of the accuracy over all test folds.

    Examples
    --------
    vnestruct classify MUTAG
    vnestruct classify ./molecules --model deepsets --plot curves.png
    vnestruct classify MUTAG --model deepsets -r 4 --average
    vnestruct classify PROTEINS.zip --folds 0 --save proteins.model
    """
    one_of("model", model, MODELS)
    one_of("protocol", protocol, PROTOCOLS)
    if folds == 0 and save is None:
        raise ParameterError("--folds 0 measures nothing; add --save FILE to save a classifier")
    for path in (save, plot):
        if path is not None:
            check_place(path)
    if plot is not None:
        if model != "deepsets" or not folds:
            raise ParameterError("--plot draws the learning curves of a network; use --model deepsets and --folds")
        check_picture(plot)

    from vnestruct.setmodel import cross_validate
    from vnestruct.setmodel.base import ProgressLines
    from vnestruct.setmodel.evaluation import draw_curves

    classifier = _classifier(model, radius, epochs, width, average, device, n_jobs)
    graphs = collection.load(console)
    name = graphs.name or collection.data
    result = None
    begin = time.perf_counter()
    if folds:
        report = None if console.quiet else ProgressLines(classifier.progress_unit)
        result = cross_validate(classifier, graphs, protocol=protocol, folds=folds, seeds=seeds, progress=report)
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


def _classifier(
    model: str, radius: int, epochs: int, width: int, average: bool, device: str, n_jobs: int | None
) -> Any:
    if model == "signature":
        if average:
            raise ParameterError("--average is for networks; add --model deepsets")
        from vnestruct.setmodel import SignatureClassifier

        return SignatureClassifier(radius, n_jobs=n_jobs)
    from vnestruct.setmodel import DeepSetsClassifier

    classifier = DeepSetsClassifier(radius, epochs=epochs, width=width, average=average, device=device, n_jobs=n_jobs)
    classifier.check_parameters()
    return classifier


def _result(result: Evaluation, seconds: float) -> dict[str, Any]:
    return {
        "protocol": result.protocol,
        "mean": result.mean,
        "std": result.std,
        "accuracies": result.accuracies.tolist(),
        "chosen": result.chosen,
        "curves": {name: values.tolist() for name, values in result.curves.items()},
        "seconds": round(seconds, 3),
    }


def print_evaluation(result: Evaluation, name: str, seconds: float) -> None:
    """Print accuracies on standard output: one line per seed of the folds, and one for all together."""
    lines = [f"{name}, {result.model}, {result.protocol} protocol, {duration(seconds)}", "", "folds    mean     std"]
    for seed, row in enumerate(result.accuracies):
        lines.append(f"{f'seed {seed}':<7}{100 * row.mean():6.2f}  {100 * row.std():6.2f}")
    if len(result.accuracies) > 1:
        lines.append(f"{'all':<7}{100 * result.mean:6.2f}  {100 * result.std:6.2f}")
    most_chosen = Counter(chain.from_iterable(result.chosen)).most_common(3)
    lines += ["", "chosen: " + ", ".join(f"{what} ({times}x)" for what, times in most_chosen)]
    sys.stdout.write("\n".join(lines) + "\n")
