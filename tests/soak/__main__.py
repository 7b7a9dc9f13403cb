"""Check random graphs for an hour: ``python -m tests.soak [--seconds 3600] [--seed 1] [--engines ray,cuda]``.

Each graph is checked against the oracle and in some of the other ways of `checks.CHECKS`. A failure is printed with its
case; ``--case N`` runs that one alone, with all checks, and shows where it fails.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tests.soak.checks import CHECKS, agrees_with_the_oracle, another_engine_agrees, rows
from tests.soak.draw import draw_case

CHECKS_PER_GRAPH = 2
REPORT_SECONDS = 60.0
FIRST_OF_SEED = 10**9
"""Cases of seed s are numbered from s times this."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is over; return 1 if any check failed."""
    options = _parser().parse_args(arguments)
    if options.case is not None:
        _run_case(options.case, [check.__name__ for check in CHECKS], raises=True)
        return 0
    seed = int(time.time()) if options.seed is None else options.seed
    CHECKS.extend(another_engine_agrees(engine) for engine in filter(None, options.engines.split(",")))
    names = [check.__name__ for check in CHECKS]
    print(f"seed {seed}, {options.seconds:.0f} seconds", flush=True)
    begin = reported = time.monotonic()
    counts: Counter[str] = Counter()
    failures, n_graphs = 0, 0
    while (now := time.monotonic()) - begin < options.seconds and n_graphs < options.graphs:
        number = seed * FIRST_OF_SEED + n_graphs
        chosen = np.random.default_rng(number).permutation(names)[:CHECKS_PER_GRAPH].tolist()
        failures += _run_case(number, chosen)
        counts.update(chosen)
        n_graphs += 1
        if now - reported > REPORT_SECONDS:
            reported = now
            print(f"{now - begin:.0f} s: {n_graphs:,} graphs, {failures} failures", flush=True)
    print(f"{n_graphs:,} graphs from seed {seed}, each against the oracle; {failures} failures")
    print("\n".join(f"{count:9,} {name.replace('_', ' ')}" for name, count in sorted(counts.items())))
    return int(failures > 0)


def _run_case(number: int, names: list[str], raises: bool = False) -> int:
    case = draw_case(number)
    draw = np.random.default_rng([number, 1])
    failures = 0
    found = rows(case)
    for check in (agrees_with_the_oracle, *(check for check in CHECKS if check.__name__ in names)):
        try:
            check(case, draw, found)
        except Exception as error:
            print(f"FAILED {check.__name__.replace('_', ' ')}, {case}\n  {type(error).__name__}: {error}", flush=True)
            failures += 1
            if raises:
                raise
    return failures


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3600.0)
    parser.add_argument("--graphs", type=int, default=10**9, help="stop after this many graphs")
    parser.add_argument("--seed", type=int, help="the time by default; printed first")
    parser.add_argument("--case", type=int, help="run one case, with all checks")
    parser.add_argument("--engines", default="", help="other engines to compare with, e.g. ray,cuda")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
