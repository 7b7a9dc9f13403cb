"""The program: all commands behind one name, each imported only when it runs.

A command is a function whose parameters are options of its own, or groups of options: dataclasses whose fields are
options or groups (`vnestruct.cli.options`). `flattened` turns it into a function that Typer understands.
"""

import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import is_dataclass
from functools import partial
from importlib import import_module
from typing import Annotated, Any, cast, get_type_hints

import typer
from typer.core import TyperGroup
from typer.main import get_command

import vnestruct
from vnestruct import store
from vnestruct.cli.commands import COMMANDS
from vnestruct.cli.errors import (
    BAD_INPUT,
    FAILURE,
    OK,
    command_line,
    complain,
    current_options,
    discard_standard_output,
    exit_code_of,
    message_of,
    options_of,
    run_interruptible,
)
from vnestruct.cli.output import Console

PROGRAM = "vnestruct"

# The base class of all complaints about words; which module it is in depends on the version of Typer.
_UsageError: Any = typer.BadParameter.__mro__[1]


class _LazyGroup(TyperGroup):
    """Knows the names and summaries of all commands, and loads a command when it is called or completed."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] in COMMANDS:
            self.commands[args[0]] = command = load_command(args[0])
            current_options.clear()
            current_options.update(options_of(command))
        return super().resolve_command(ctx, args)


def make_app() -> typer.Typer:
    """Return the program with a placeholder for each command."""
    app = _plain_typer(cls=_LazyGroup)
    app.callback(invoke_without_command=True, help=help_text(program))(program)
    for name, summary in COMMANDS.items():
        app.command(name, help=summary)(lambda: None)
    return app


def load_command(name: str) -> Any:
    """Import a command and return it as Typer runs it."""
    command = command_function(name)
    app = _plain_typer(add_completion=False)
    app.command(name, help=help_text(command))(flattened(command))
    return get_command(app)


def command_function(name: str) -> Callable[..., None]:
    """Import the function of a command."""
    return cast(Callable[..., None], getattr(import_module(f"vnestruct.cli.commands.{name}"), name))


def _plain_typer(**options: Any) -> typer.Typer:
    # Typer's own formatting of help takes longer than everything else in `--help`.
    settings = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, context_settings=settings, **options)


def flattened(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that takes the options of its groups one by one: arguments first, options as declared.

    Whatever goes wrong in it ends as one line and an exit code.
    """
    argument = type(typer.Argument())
    parameters = sorted(_options_of(command), key=lambda one: not isinstance(one.annotation.__metadata__[0], argument))

    def work(values: Mapping[str, Any]) -> None:
        with Console(quiet=values.get("quiet", False)).listening():
            command(**_packed(command, values))
            sys.stdout.flush()

    def run(**values: Any) -> None:
        try:
            run_interruptible(partial(work, values), partial(_interrupted, values))
        except Exception as error:
            if os.environ.get("VNESTRUCT_DEBUG") == "1":
                traceback.print_exc()
            code, kept = exit_code_of(error), values.get("checkpoint")
            again = f"; finished rows are kept in {kept}, which the same command resumes from" if kept else ""
            complain(message_of(error) + again * (code == FAILURE))
            discard_standard_output()
            raise typer.Exit(code) from None

    run.__name__, run.__doc__ = command.__name__, command.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return run


def _options_of(taker: Callable[..., Any]) -> Iterator[inspect.Parameter]:
    """Yield the parameters of a command or group, and in place of a group its own."""
    hints = get_type_hints(taker, include_extras=True)
    for name, parameter in inspect.signature(taker).parameters.items():
        if is_dataclass(hints[name]):
            yield from _options_of(cast(Any, hints[name]))
        else:
            yield parameter.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)


def _packed(taker: Callable[..., Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a command or group, with options packed into groups."""
    hints = get_type_hints(taker)
    return {
        name: hints[name](**_packed(hints[name], values)) if is_dataclass(hints[name]) else values[name]
        for name in inspect.signature(taker).parameters
    }


def _interrupted(values: Mapping[str, Any]) -> str:
    """Return what Ctrl-C ends with: what was kept, and how to continue."""
    if "checkpoint" not in values:
        return "interrupted"
    folder = values["checkpoint"]
    if folder is None:
        return "interrupted; nothing was kept: with --checkpoint DIR the same command resumes"
    n_rows = store.Checkpoint.count_rows(folder)
    return f"interrupted; {n_rows:,} finished rows are kept in {folder}, to resume run: {command_line()}"


def documentation(command: Callable[..., Any]) -> tuple[str, list[str]]:
    """Return what the docstring of a command says, and its example lines."""
    text, _, lines = (inspect.getdoc(command) or "").partition("Examples\n--------\n")
    return text.strip(), lines.strip().splitlines()


def help_text(command: Callable[..., Any]) -> str:
    """Return the help of a command, with Click's mark in front of lines that must not be joined."""
    text, lines = documentation(command)
    return "\n".join([text, "", "Examples:", "", "\b", *(f"  {line}" for line in lines)]) if lines else text


def run(arguments: list[str]) -> int:
    """Run one command line; return its exit code."""
    try:
        code = get_command(make_app()).main(arguments, prog_name=PROGRAM, standalone_mode=False)
    except _UsageError as error:
        context = getattr(error, "ctx", None)
        text = " ".join(error.format_message().split()).rstrip(".")
        complain(f"{text[:1].lower()}{text[1:]}; see {context.command_path if context else PROGRAM} --help")
        code = BAD_INPUT
    except SystemExit as end:
        # How completion and a closed pipe end.
        code = end.code if isinstance(end.code, int) else FAILURE
    discard_standard_output()
    return code if isinstance(code, int) else OK


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{PROGRAM} {vnestruct.__version__}")
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
