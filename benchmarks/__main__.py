"""Measure, print, and write to ``results/``: ``python -m benchmarks [NAME]``, one of `NAMES`.

All by default.
``python -m benchmarks readme`` measures nothing: it writes what was measured into README and docs.
``python -m benchmarks cuda`` needs a GPU.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import audits, core, cuda, live, reading, scale, variants
from benchmarks.harness import RESULTS, write_results
from benchmarks.inputs import BY_NAME
from benchmarks.readme import write_documents
from benchmarks.render import render_core, render_reading, render_scale, render_variants

NAMES = ("core", "variants", "reading", "scale", "audits", "live")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark. A missed target is reported and is not an error, because machines differ."""
    options = _parser().parse_args(arguments)
    if options.benchmark == "readme":
        print("\n".join(f"Wrote {path}" for path in write_documents()) or "All tables are up to date.")
        return 0
    names = NAMES if options.benchmark == "all" else (options.benchmark,)
    for name in names:
        results, rendered = _measure(name, options)
        paths = write_results(options.output, name + ("-quick" if options.quick else ""), results, rendered)
        print(rendered)
        print("Written to " + " and ".join(map(str, paths)) + "\n", flush=True)
    return 0


def _measure(name: str, options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    if name == "core":
        settings = core.QUICK if options.quick else core.Settings()
        changes = {
            "graphs": options.graphs and tuple(options.graphs),
            "radii": options.radii and tuple(options.radii),
            "naive_s": options.naive_seconds,
        }
        settings = replace(settings, **{name: value for name, value in changes.items() if value is not None})
        results = core.run_core(settings)
        return results, render_core(results)
    if name == "cuda":
        results = cuda.run_cuda(cuda.QUICK if options.quick else cuda.Settings())
        return results, cuda.render_cuda(results)
    if name == "live":
        results = live.run_live(live.QUICK if options.quick else live.Settings())
        return results, live.render_live(results)
    if name == "variants":
        results = variants.run_variants(variants.QUICK if options.quick else variants.Settings())
        return results, render_variants(results)
    if name == "audits":
        results = audits.run_audits(audits.QUICK if options.quick else audits.Settings())
        return results, audits.render_audits(results)
    if name == "scale":
        results = scale.run_scale(scale.QUICK if options.quick else scale.Settings())
        return results, render_scale(results)
    results = reading.run_reading(reading.QUICK if options.quick else reading.Settings())
    return results, render_reading(results)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("benchmark", nargs="?", default="all", choices=("all", *NAMES, "cuda", "readme"))
    parser.add_argument(
        "--quick", action="store_true", help="small graphs and short time limits, to check that everything works"
    )
    parser.add_argument("--output", type=Path, default=RESULTS, help="folder for the JSON and the Markdown")
    parser.add_argument("--graphs", nargs="+", choices=sorted(BY_NAME), help="core: these graphs only")
    parser.add_argument("--radii", nargs="+", type=int, help="core: these radii only")
    parser.add_argument("--naive-seconds", type=float, help="core: time for the naive version, per graph")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
