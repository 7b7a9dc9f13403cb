"""The program: all commands behind one name, and one line for every mistake in the words given to it."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.main import get_command

from vnestruct.cli.commands import COMMANDS
from vnestruct.cli.errors import BAD_INPUT, FAILURE, OK, complain, discard_standard_output, guarded
from vnestruct.cli.help_text import help_text

PROGRAM = "vnestruct"

# The base of all complaints about words; which module it is in depends on the version of Typer.
_UsageError = cast(type[Exception], typer.BadParameter.__mro__[1])


def make_app() -> typer.Typer:
    """Put the commands together."""
    # Typer's own formatting of help takes longer than everything else in `--help`.
    app = typer.Typer(
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True, help=help_text(program))(program)
    for name in COMMANDS:
        command = getattr(import_module(f"vnestruct.cli.commands.{name}"), name)
        app.command(name, help=help_text(command))(guarded(command))
    return app


def run(arguments: list[str]) -> int:
    """Run one command line; return its exit code."""
    try:
        code = get_command(make_app()).main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except _UsageError as error:
        complain(_usage_message(error))
        code = BAD_INPUT
    except SystemExit as end:
        # What completion and a closed pipe end with.
        code = end.code if isinstance(end.code, int) else FAILURE
    discard_standard_output()
    return code if isinstance(code, int) else OK


def _usage_message(error: Any) -> str:
    context = getattr(error, "ctx", None)
    text = " ".join(error.format_message().split()).rstrip(".")
    return f"{text[:1].lower()}{text[1:]}; see {context.command_path if context else PROGRAM} --help"


def _show_version(wanted: bool) -> None:
    if wanted:
        from vnestruct import __version__

        typer.echo(f"{PROGRAM} {__version__}")
        raise typer.Exit


def program(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Structural roles of nodes: the Von Neumann entropies of their ego networks.

    Results go to standard output or to a file, notes and errors to standard error. Exit codes: 0 success, 1 failure
    while running, 2 bad input, 130 Ctrl-C.

    Examples
    --------
    vnestruct info graph.csv
    vnestruct embed graph.csv --radius 3 -o signatures.parquet
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit
