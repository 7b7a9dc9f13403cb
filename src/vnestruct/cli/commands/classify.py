"""`vnestruct classify`: how well classes of graphs can be told, and a classifier to keep."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.classifiers import Collections, DataFolder, load_collection, print_evaluation
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.outputs import check_place
from vnestruct.errors import ParameterError

if TYPE_CHECKING:
    from vnestruct.datasets import Collection
    from vnestruct.setmodel import Evaluation

MODELS = ("signature", "deepsets")
PROTOCOLS = ("honest", "optimistic")

Model = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="NAME",
        help="signature (seconds, no PyTorch) or deepsets (a network on sets; needs PyTorch).",
        autocompletion=lambda incomplete: [word for word in MODELS if word.startswith(incomplete)],
    ),
]
Protocol = Annotated[
    str,
    typer.Option(
        "--protocol",
        metavar="NAME",
        help="honest: all choices inside the training part; optimistic: epoch or head chosen by the test folds.",
        autocompletion=lambda incomplete: [word for word in PROTOCOLS if word.startswith(incomplete)],
    ),
]
Folds = Annotated[int, typer.Option("--folds", metavar="K", help="Folds of the cross-validation; 0 to leave it out.")]
Seeds = Annotated[int, typer.Option("--seeds", metavar="N", help="How often folds are drawn (honest protocol).")]
Epochs = Annotated[int, typer.Option("--epochs", metavar="N", help="Epochs of the network.")]
Width = Annotated[int, typer.Option("--width", metavar="N", help="Channels of the network.")]
Average = Annotated[
    bool,
    typer.Option(
        "--average",
        help="Train a network for every radius up to -r, of three widths, and take the mean of their answers.",
    ),
]
Device = Annotated[str, typer.Option("--device", metavar="NAME", help="Where the network trains: auto, cpu or cuda.")]
Save = Annotated[
    str | None,
    typer.Option("--save", metavar="FILE", help="Train on all graphs and keep the classifier for vnestruct predict."),
]
Plot = Annotated[
    str | None,
    typer.Option("--plot", metavar="FILE", help="Draw the learning curves of the network: .png, .svg, .pdf."),
]


def classify(
    data: Collections,
    model: Model = "signature",
    protocol: Protocol = "honest",
    folds: Folds = 10,
    seeds: Seeds = 3,
    radius: options.Radius = 2,
    epochs: Epochs = 300,
    width: Width = 32,
    average: Average = False,
    device: Device = "auto",
    save: Save = None,
    plot: Plot = None,
    data_dir: DataFolder = None,
    jobs: options.Jobs = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Measure how well the classes of graphs can be told from their nodes, without message passing.

    DATA is a collection in the TU Dortmund layout, as a folder or zip archive, or the name of a known one, such as
    MUTAG, which is downloaded once. The table shows mean and standard deviation of the accuracy over all test folds.

    Examples
    --------
    vnestruct classify MUTAG
    vnestruct classify ./molecules --model deepsets --plot curves.png
    vnestruct classify MUTAG --model deepsets -r 4 --average
    vnestruct classify PROTEINS.zip --folds 0 --save proteins.safetensors
    """
    console = Console(quiet)
    if model not in MODELS:
        raise ParameterError(f"--model is {model!r}; it must be one of {', '.join(MODELS)}")
    if protocol not in PROTOCOLS:
        raise ParameterError(f"--protocol is {protocol!r}; it must be one of {', '.join(PROTOCOLS)}")
    if folds == 0 and save is None:
        raise ParameterError("--folds 0 measures nothing; add --save FILE to keep a classifier")
    for path in (save, plot):
        if path is not None:
            check_place(path)
    if plot is not None:
        _check_plot(plot, model, folds)
    classifier = _classifier(model, radius, epochs, width, average, device, jobs)
    collection = load_collection(data, data_dir, console)
    console.note_compiling()
    begin = time.perf_counter()
    result = _measured(classifier, collection, protocol, folds, seeds, console) if folds else None
    seconds = time.perf_counter() - begin
    if result is not None and plot is not None:
        from vnestruct.setmodel.evaluation import draw_curves

        draw_curves(plot, result, title=f"{collection.name or data}: {model}, {protocol} protocol")
    if save is not None:
        classifier.fit(collection).save(save)
    if as_json:
        print_json(_result(data, collection, model, protocol, result, seconds, save))
    elif result is not None:
        print_evaluation(result, collection.name or data, seconds)
    if result is not None and protocol == "optimistic":
        console.note("The optimistic protocol chooses by the test folds; expect less on new graphs.")
    if save is not None:
        console.note(f"Wrote a classifier trained on all {len(collection):,} graphs to {save}.")
    if plot is not None:
        console.note(f"Drew {plot}.")


def _classifier(model: str, radius: int, epochs: int, width: int, average: bool, device: str, jobs: int | None) -> Any:
    if model == "signature":
        if average:
            raise ParameterError("--average is for networks; add --model deepsets")
        from vnestruct.setmodel import SignatureClassifier

        return SignatureClassifier(radius, n_jobs=jobs)
    from vnestruct.setmodel import DeepSetsClassifier

    classifier = DeepSetsClassifier(radius, epochs=epochs, width=width, average=average, device=device, n_jobs=jobs)
    classifier.check_parameters()
    return classifier


def _check_plot(plot: str, model: str, folds: int) -> None:
    if model != "deepsets" or not folds:
        raise ParameterError("--plot draws the learning curves of a measured network; use --model deepsets and --folds")
    from vnestruct.files.output_checks import check_picture

    check_picture(plot)


def _measured(
    classifier: Any, collection: Collection, protocol: str, folds: int, seeds: int, console: Console
) -> Evaluation:
    from vnestruct.setmodel import cross_validate
    from vnestruct.setmodel.base import ProgressLines

    report = None if console.quiet else ProgressLines(classifier.progress_unit)
    return cross_validate(classifier, collection, protocol=protocol, folds=folds, seeds=seeds, progress=report)


def _result(
    data: str,
    collection: Collection,
    model: str,
    protocol: str,
    result: Evaluation | None,
    seconds: float,
    save: str | None,
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "data": data,
        "graphs": len(collection),
        "nodes": collection.graph.n_nodes,
        "edges": collection.graph.n_edges,
        "model": model,
        "saved": save,
    }
    if result is not None:
        found |= {
            "protocol": protocol,
            "mean": result.mean,
            "std": result.std,
            "accuracies": result.accuracies.tolist(),
            "chosen": result.chosen,
            "curves": {name: values.tolist() for name, values in result.curves.items()},
            "seconds": round(seconds, 3),
        }
    return found
