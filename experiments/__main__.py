"""Run experiments, draw figures, render the report: ``python -m experiments NAME``, all by default.

Results that exist in ``results/`` are not computed again; delete a file to recompute it.
"""

import argparse

from experiments.published import enron as published_enron
from experiments.published import rings as published_rings

from experiments import (
    continuity,
    cost,
    entropy_quality,
    fresh_rings,
    illustrations,
    live_graphs,
    noise_curve,
    real_roles,
    rings_table,
)

EXPERIMENTS = {
    "published-rings": published_rings.run,
    "published-enron": published_enron.run,
    "fresh": fresh_rings.run,
    "illustrations": illustrations.run,
    "noise": noise_curve.run,
    "real": real_roles.run,
    "approximation": entropy_quality.run,
    "continuity": continuity.run,
    "live": live_graphs.run,
}
"""In this order."""


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m experiments", description=(__doc__ or "").partition("\n")[0])
    names = ["all", "rings", *EXPERIMENTS, "roles-benchmark", "cost", "report"]
    parser.add_argument("name", nargs="?", default="all", choices=names)
    parser.add_argument("--limit", type=int, default=cost.LIMIT, help="cost: CPU seconds that one run may take")
    parser.add_argument(
        "--graphs", type=int, default=0, help="rings: graphs per setting for the slow methods, at most 20"
    )
    options = parser.parse_args(arguments)
    if options.name in ("all", "rings"):
        rings_table.run(graphs=options.graphs)
    for name, run in EXPERIMENTS.items():
        if options.name in ("all", name):
            run()
    if options.name in ("all", "roles-benchmark"):
        from experiments.roles_benchmark.run import run as run_benchmark

        run_benchmark()
    if options.name in ("all", "cost"):
        cost.run(options.limit)
    if options.name in ("all", "report"):
        from experiments.pictures import draw_all
        from experiments.report import write_report

        draw_all()
        print(f"Written to {write_report()}")


if __name__ == "__main__":
    main()
