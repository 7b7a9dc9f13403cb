"""`vnestruct predict`: classes of new graphs by a saved classifier."""

from __future__ import annotations

import csv
import io
import sys
from typing import Annotated, Any

import typer

from vnestruct.cli import options
from vnestruct.cli.classifiers import Collections, DataFolder, load_collection
from vnestruct.cli.console import Console, print_json
from vnestruct.cli.outputs import STANDARD_OUTPUT, check_place
from vnestruct.errors import ParameterError

ModelFile = Annotated[str, typer.Argument(metavar="MODEL", help="A classifier that vnestruct classify --save wrote.")]
Output = Annotated[str, typer.Option("--output", "-o", metavar="OUT", help="Write CSV to a file; - for here.")]


def predict(
    model: ModelFile,
    data: Collections,
    output: Output = STANDARD_OUTPUT,
    data_dir: DataFolder = None,
    jobs: options.Jobs = None,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
) -> None:
    """Tell the classes of new graphs by a saved classifier.

    One line a graph: its number, counted from 1 as in the collection, its class, and the share of that class. If the
    collection says the classes itself, a note says how many were told right.

    Examples
    --------
    vnestruct predict proteins.safetensors ./new_proteins
    vnestruct predict proteins.safetensors new_proteins.zip -o classes.csv
    """
    from vnestruct.setmodel import load_classifier

    console = Console(quiet)
    if as_json and output != STANDARD_OUTPUT:
        raise ParameterError("--json prints to standard output; leave out -o, or --json")
    check_place(output)
    classifier: Any = load_classifier(model)
    classifier.n_jobs = jobs
    collection = load_collection(data, data_dir, console)
    shares = classifier.predict_proba(collection)
    best = shares.argmax(axis=1)
    classes = classifier.classes_[best].tolist()
    certain = [float(shares[row, place]) for row, place in enumerate(best)]
    right = None
    if collection.labels is not None and len(collection):
        right = int((classifier.classes_[best] == collection.labels).sum())
    if as_json:
        rows = [{"class": name, "share": share} for name, share in zip(classes, certain, strict=True)]
        print_json({"model": model, "data": data, "graphs": rows, "right": right})
    else:
        _write(output, classes, certain)
    if right is not None:
        console.note(
            f"{right:,} of {len(collection):,} classes are those the collection gives ({right / len(best):.1%})."
        )
    if output != STANDARD_OUTPUT:
        console.note(f"Wrote the classes of {len(collection):,} graphs to {output}.")


def _write(output: str, classes: list[Any], shares: list[float]) -> None:
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["graph", "class", "share"])
    table.writerows(
        [place, name, f"{share:.6f}"] for place, (name, share) in enumerate(zip(classes, shares, strict=True), 1)
    )
    if output == STANDARD_OUTPUT:
        sys.stdout.write(text.getvalue())
        return
    from vnestruct.files.atomic import atomic_path

    with atomic_path(output) as temporary:
        temporary.write_text(text.getvalue(), encoding="utf-8")
