"""`vnestruct watch`: signatures, roles and changes of a stream of time-stamped edges."""

from collections import Counter
from datetime import UTC, datetime
from math import isnan
from typing import Annotated, Any

from vnestruct import RoleClusterer, live
from vnestruct.cli.options import Every, Jobs, Kind, Source, Span, Target, Weighted, argument, option
from vnestruct.cli.output import Console, print_json, print_table
from vnestruct.errors import ParameterError, whole_number
from vnestruct.files.atomic import STANDARD_OUTPUT

_SHOWN = 10  # notes of one sort that are shown; the others are counted


def watch(
    *,
    events: Annotated[
        str, argument("EVENTS", "Time-stamped edges, one per line, plain or compressed; - for standard input.")
    ],
    time: Annotated[str, option("COLUMN", "Column with times, by name or number: seconds, or ISO dates.")],
    output: Annotated[str, option("--output -o", "OUT", "Parquet file: one row per node and period.")],
    window: Span = "7d",
    every: Every = "1d",
    source: Source = None,
    target: Target = None,
    weight: Annotated[str | None, option("COLUMN", "Column with weights; implies --weighted.")] = None,
    radius: Annotated[int | None, option("--radius -r", "R", "Largest number of hops; 1 by default.")] = None,
    kind: Kind = None,
    weighted: Weighted = False,
    roles_file: Annotated[str | None, option("FILE", "Fitted roles, saved by vnestruct roles --save.")] = None,
    short: Annotated[int, option("N", "Periods in the short context of a change score.")] = 7,
    long: Annotated[int, option("N", "Periods in the long context of a change score.")] = 14,
    plot: Annotated[str | None, option("FILE", "Draw scores and roles over time: .png, .svg or .pdf.")] = None,
    n_jobs: Jobs = None,
    console: Console,
) -> None:
    """Follow a stream of edges: signatures, roles, change scores.

    A period ends when the first event of a later one arrives. Late events count from the present period on; those that
    have left the window, and malformed lines, are skipped with a note.

    Examples
    --------
    vnestruct watch payments.csv --time when --window 7d --every 1d -o days.parquet
    vnestruct watch flows.txt --time 3 --window 1h --every 5min -o flows.parquet --plot flows.png
    vnestruct watch payments.csv --time when --roles-file year.roles -o days.parquet
    """
    from vnestruct.live.periods import write_periods
    from vnestruct.live.stream import Stream

    for name, number in (("short", short), ("long", long)):
        whole_number(name, number, 1)
    if output == STANDARD_OUTPUT:
        raise ParameterError("rows are written at the end, as Parquet; name a file with -o")
    console.check_outputs(output, picture=plot)
    notes: Counter[str] = Counter()

    def report(line: int, problem: str) -> None:
        if not problem.startswith(("late: ", "dropped: ")):
            problem = f"skipped: {problem}"
        sort = problem.partition(":")[0]
        notes[sort] += 1
        if notes[sort] <= _SHOWN:
            console.note(f"{events}, line {line}: {problem}")

    stream = Stream(
        radius, window=window, every=every, kind=kind or ["approx"], weighted=weighted or weight is not None,
        roles=None if roles_file is None else RoleClusterer.load(roles_file), report=report, n_jobs=n_jobs,
    )  # fmt: skip
    batches = live.read_events(events, time=time, source=source, target=target, weight=weight, report=report)
    periods, roles_of_periods = [], []
    for period in write_periods(output, stream.columns, stream.periods(batches)):
        periods.append(period.facts())
        if period.roles is not None and plot is not None:
            roles_of_periods.append(period.roles)
        moved = "-" if isnan(period.distance) else f"{period.distance:.4f}"
        console.note(f"{_moment(period.start)}: {len(period.nodes):,} nodes, {period.n_edges:,} edges, moved {moved}")
    for sort, n_lines in notes.items():
        console.note(f"{n_lines:,} lines {sort}.")
    values = [[period["entropy_approx"], period["entropy_quadratic"]] for period in periods]
    scores = live.change_scores(values, short=short, long=long)
    if plot is not None:
        starts, distances = zip(*((_moment(one["start"]), one["distance"]) for one in periods), strict=True)
        live.draw_periods(plot, starts, scores, distances, roles_of_periods)
    for facts, score in zip(periods, scores.tolist(), strict=True):
        facts["score"] = score
    if console.json:
        print_json({"output": output, "periods": periods})
        return
    print_table([
        {
            "period": str(_moment(facts["start"])), "nodes": facts["nodes"], "edges": facts["edges"],
            "entropy": f"{facts['entropy_approx']:.4f}", "score": f"{facts['score']:.3f}",
        }
        for facts in sorted(periods, key=lambda facts: -facts["score"])[:_SHOWN]
    ])  # fmt: skip


def _moment(seconds: float) -> Any:
    """Return a date for what looks like one, else the number."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None) if 1e8 < seconds < 2.5e11 else seconds
