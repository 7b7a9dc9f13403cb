"""Work that takes a while: progress, a forecast, and how to go on after an interruption."""

from __future__ import annotations

import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from vnestruct.cli.console import Console, duration, threads
from vnestruct.errors import VNEstructError

if TYPE_CHECKING:
    from vnestruct.embedding.parameters import Settings
    from vnestruct.embedding.runner import Runner
    from vnestruct.graph import Graph


def command_line(without: str | None = None) -> str:
    """Return the command that runs now, ready to be pasted into a shell.

    Parameters
    ----------
    without : str, optional
        An option to leave out, with its value.
    """
    words = ["vnestruct"]
    given = iter(sys.argv[1:])
    for word in given:
        if without is not None and word == without:
            next(given, None)
        elif without is None or not word.startswith(f"{without}="):
            words.append(word)
    return shlex.join(words)


def resume_line(checkpoint: str | None) -> str:
    """Return what Ctrl-C ends with: what was kept and how to go on."""
    if checkpoint is None:
        return "interrupted; nothing was kept: with --checkpoint DIR the same command resumes"
    return f"interrupted; finished rows are kept in {checkpoint}, to resume run: {command_line()}"


@contextmanager
def working(
    console: Console,
    graph: Graph,
    settings: Settings,
    engine: str,
    address: str | None,
    jobs: int | None,
    checkpoint: str | None,
    max_memory: int | None = None,
) -> Iterator[Runner]:
    """Make a runner that shows progress and warns of long work; say what is kept when the disk fails."""
    from vnestruct.embedding.runner import make_runner

    try:
        with console.progress("embedding") as report, _warnings_as_notes(console):
            if engine == "ray":
                console.note("Starting Ray on this machine ..." if address is None else f"Joining Ray at {address} ...")
            made = make_runner(graph, settings, engine, address, jobs, checkpoint, report, max_memory)
            with made as runner:
                console.note_compiling()
                yield _forewarning(runner, console, len(settings.kinds) * len(settings.directions))
    except OSError as error:
        if checkpoint is None or isinstance(error, BrokenPipeError):
            raise
        raise VNEstructError(
            f"checkpoint {checkpoint}: {error.strerror or error}; free some space or mend the disk and run the same "
            "command again: finished rows are kept"
        ) from error


@contextmanager
def _warnings_as_notes(console: Console) -> Iterator[None]:
    """Show warnings as one line each, without the place in the source that Python adds."""
    with warnings.catch_warnings():
        warnings.showwarning = lambda message, *_: console.note(str(message))
        yield


def _workers(runner: Runner) -> str:
    if runner.on_devices:
        return threads(runner.here[1])
    return threads(runner.n_workers) if runner.local is None else f"{runner.n_workers} CPUs of a Ray cluster"


def _forewarning(runner: Runner, console: Console, n_signatures: int) -> Runner:
    from vnestruct.embedding.estimate import ForewarningEngine

    def warn(seconds: float, at_least: bool, kind: str) -> None:
        about = "more than" if at_least else "about"
        what = "" if n_signatures == 1 else f" for the next of {n_signatures} signatures (kind {kind})"
        hint = "" if runner.checkpoint is not None else "; --checkpoint DIR would let you interrupt it"
        console.note(f"This will take {about} {duration(seconds)}{what} on {_workers(runner)}{hint}.")

    return replace(runner, engine=ForewarningEngine(runner.engine, runner.n_workers, warn))
