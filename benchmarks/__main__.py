"""Measure, print, and write to ``results/``: ``python -m benchmarks [NAME]``, all but cuda and turns by default.

``python -m benchmarks readme`` measures nothing: it writes what was measured into README, docs and ``results/*.md``.
"""

import argparse
import json
from functools import partial
from pathlib import Path

from benchmarks import computing, cuda, live, reading, scale, tables, turns
from benchmarks.harness import RESULTS, ROOT, commit, machine, render, save, say

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
    # Before the run, which makes the machine busy and may write into the checkout.
    say(f"commit {commit()}, {machine()['processor']}")
    suffix = "-quick" if options.quick else ""
    in_turns = partial(turns.turns, other=options.other, rounds=options.rounds)
    keep = partial(save, options.output, "turns" + suffix)
    measures = BENCHMARKS | {"cuda": cuda.cuda, "turns": partial(in_turns, keep=keep)}
    for name in BENCHMARKS if options.benchmark == "all" else (options.benchmark,):
        path = save(options.output, name + suffix, measures[name](options.quick))
        print(path.with_suffix(".md").read_text(), f"Written to {path}\n", flush=True)


if __name__ == "__main__":
    main()
