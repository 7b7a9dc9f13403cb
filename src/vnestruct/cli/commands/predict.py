"""`vnestruct predict`: the classes of new graphs, predicted with a saved classifier."""

from typing import Annotated, Any

from vnestruct.cli.options import CollectionOptions, Jobs, argument, option
from vnestruct.cli.output import Console, print_json
from vnestruct.errors import ParameterError
from vnestruct.files.atomic import STANDARD_OUTPUT, write_rows
from vnestruct.setmodel import load_classifier


def predict(
    *,
    model: Annotated[str, argument("MODEL", "A classifier saved by vnestruct classify --save.")],
    output: Annotated[str, option("--output -o", "OUT", "CSV file to write; - for standard output.")] = STANDARD_OUTPUT,
    collection: CollectionOptions,
    n_jobs: Jobs = None,
    console: Console,
) -> None:
    """Predict the classes of new graphs with a saved classifier.

    Prints one line per graph: its number, counted from 1 as in the collection, its class, and the share of that class.
    If the collection contains the true classes, a note says how many predictions are correct.

    Examples
    --------
    vnestruct predict proteins.model ./new_proteins
    vnestruct predict proteins.model new_proteins.zip -o classes.csv
    """
    if console.json and output != STANDARD_OUTPUT:
        raise ParameterError("--json prints to standard output; leave out -o, or --json")
    console.check_outputs(output)
    classifier: Any = load_classifier(model)
    classifier.n_jobs = n_jobs
    graphs, _ = collection.load(console)
    shares = classifier.predict_proba(graphs)
    classes = classifier.classes_[shares.argmax(axis=1)]
    rows = list(zip(classes.tolist(), shares.max(axis=1, initial=0.0).tolist(), strict=True))
    n_correct = int((classes == graphs.labels).sum()) if graphs.labels is not None and rows else None
    if console.json:
        named = [{"class": name, "share": share} for name, share in rows]
        print_json({"model": model, "data": collection.data, "graphs": named, "right": n_correct})
    else:
        table = ((number, name, f"{share:.6f}") for number, (name, share) in enumerate(rows, 1))
        write_rows(output, [("graph", "class", "share"), *table])
    if n_correct is not None:
        console.note(f"{n_correct:,} of {len(rows):,} classes are correct ({n_correct / len(rows):.1%}).")
    if output != STANDARD_OUTPUT:
        console.note(f"Wrote the classes of {len(rows):,} graphs to {output}.")
