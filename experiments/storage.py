"""Results on disk: one CSV per method and experiment, or one JSON per experiment, replaced as a whole."""

import csv
import json
import os
from pathlib import Path

FOLDER = Path(__file__).parent
RESULTS = FOLDER / "results"
FIGURES = FOLDER / "figures"
DIGITS = 6


def data_folder():
    """Return the folder of real graphs: VNESTRUCT_DATA, or ../shared/data."""
    return Path(os.environ.get("VNESTRUCT_DATA") or FOLDER.parent.parent / "shared" / "data")


def read_rows(path):
    """Return the rows of a CSV, numbers as numbers; no rows if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{name: _value(text) for name, text in row.items()} for row in csv.DictReader(file)]


def write_rows(path, rows):
    """Write a CSV, floats to `DIGITS` decimals."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    with partial.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({name: round(v, DIGITS) + 0.0 if isinstance(v, float) else v for name, v in row.items()})
    partial.replace(path)


def complete_rows(path, keys, measure, order):
    """Add what is missing to a CSV and return how many rows that were; every row is saved when it is computed.

    Parameters
    ----------
    path : Path
        The file.
    keys : sequence of Row
        The rows to have: values of the columns that identify a row.
    measure : callable
        Computes the other columns of a row from its key.
    order : callable
        Sort key of the rows in the file.
    """
    rows = read_rows(path)
    missing = [key for key in keys if not any(row.items() >= key.items() for row in rows)]
    for key in missing:
        rows = sorted([*rows, {**key, **measure(key)}], key=order)
        write_rows(path, rows)
    if missing:
        print(f"{path.relative_to(RESULTS) if path.is_relative_to(RESULTS) else path}: {len(missing)} rows", flush=True)
    return len(missing)


def read_json(path):
    return json.loads(path.read_text()) if path.exists() else None


def write_json(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    partial.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    partial.replace(path)


def _value(text):
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
