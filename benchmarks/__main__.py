"""Measure, print, and write to ``results/``: ``python -m benchmarks [NAME]``, all but cuda and turns by default.

``python -m benchmarks readme`` measures nothing: it writes what was measured into README, docs and ``results/*.md``.
"""

import argparse
import json
from functools import partial
from pathlib import Path

from benchmarks import computing, cuda, live, reading, scale, tables, turns
from benchmarks.harness import RESULTS, ROOT, render, save

BENCHMARKS = {
    "core": computing.speed, "variants": computing.variants, "reading": reading.reading, "scale": scale.scale,
    "audits": computing.audits, "live": live.live, "threads": computing.threads,
}  # fmt: skip


def main(arguments=None):
    """Run benchmarks. A missed target is reported and is not an error, because machines differ."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("benchmark", nargs="?", default="all", choices=("all", *BENCHMARKS, "cuda", "turns", "readme"))
    parser.add_argument("--quick", action="store_true", help="small graphs, to check that everything works")
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for the JSON and the Markdown")
    parser.add_argument("--other", default=str(ROOT), help="turns: the other version, a commit or a checkout")
    parser.add_argument("--rounds", type=int, default=3, help="turns: how often")
    options = parser.parse_args(arguments)
    if options.benchmark == "readme":
        for path in RESULTS.glob("*.json"):
            path.with_suffix(".md").write_text(render(json.loads(path.read_text())))
        print("\n".join(f"Wrote {path}" for path in tables.write_documents()) or "All tables are up to date.")
        return
    measures = BENCHMARKS | {
        "cuda": cuda.cuda, "turns": partial(turns.turns, other=options.other, rounds=options.rounds)
    }  # fmt: skip
    for name in BENCHMARKS if options.benchmark == "all" else (options.benchmark,):
        results = measures[name](options.quick)
        path = save(options.output, name + ("-quick" if options.quick else ""), results)
        print(path.with_suffix(".md").read_text(), f"Written to {path}\n", flush=True)


if __name__ == "__main__":
    main()
