"""The reference of the command line, written from the commands themselves: ``python -m vnestruct.cli.reference``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from typer.main import get_command

from vnestruct.cli.app import PROGRAM, make_app, program
from vnestruct.cli.commands import COMMANDS
from vnestruct.cli.help_text import description, examples

_OPENING = """# The command line

<!-- Written by `python -m vnestruct.cli.reference > docs/cli.md`; edit the commands, not this page. -->
"""

_CLOSING = """## Everywhere

- Results go to standard output or to the file you name; notes, progress and errors go to standard error. On a terminal
  progress is a bar, elsewhere a plain line every few seconds.
- Every error is one line that names the file, the line where there is one, and the remedy. `VNESTRUCT_DEBUG=1` adds the
  traceback.
- A file you name appears whole or not at all.

| exit code | meaning |
| --- | --- |
| 0 | success |
| 1 | failure while running: a full disk, a closed pipe, no memory |
| 2 | bad input: a mistake in a file or in an option |
| 130 | Ctrl-C |

## Long runs

With `--checkpoint DIR` finished rows are kept as they come. After Ctrl-C, a kill or a crash the same command goes on
from there; a checkpoint of another graph or of other parameters is refused. `--part K/N` computes one share, so that a
job array or several machines with a common folder can divide the work; the command without `--part` joins the shares
and computes what is missing. Either way the result is that of one uninterrupted run, to the last bit.

```sh
for k in $(seq 16); do
  sbatch --wrap "vnestruct embed web.vng -r 3 --checkpoint web.run --part $k/16"
done
vnestruct embed web.vng -r 3 --checkpoint web.run -o web.parquet
```

## Completion in the shell

`vnestruct --install-completion` sets it up for the shell it is run in (bash, zsh, fish, PowerShell);
`vnestruct --show-completion` prints the script instead.
"""


def reference() -> str:
    """Return the page, in Markdown."""
    sections = [line for name in COMMANDS for line in _section(name)]
    return "\n".join([_OPENING, *_about(program), *sections, _CLOSING])


def _section(name: str) -> Iterator[str]:
    yield f"## {PROGRAM} {name}\n"
    yield from _about(getattr(import_module(f"vnestruct.cli.commands.{name}"), name))
    yield "| | | default |"
    yield "| --- | --- | --- |"
    group: Any = get_command(make_app())
    for parameter in group.commands[name].params:
        names = ", ".join(f"`{word}`" for word in (*parameter.opts, *parameter.secondary_opts))
        if parameter.param_type_name == "argument":
            names = f"`{parameter.metavar}`"
        elif parameter.metavar:
            names += f" {parameter.metavar}"
        yield " | ".join(
            ["", *(text.replace("|", "\\|") for text in (names, parameter.help, _default(parameter))), ""]
        ).strip()
    yield ""


def _about(command: Callable[..., Any]) -> Iterator[str]:
    yield f"{description(command)}\n"
    yield "```sh"
    yield from examples(command)
    yield "```\n"


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    if isinstance(parameter.default, bool):
        return "yes" if parameter.default else ""
    return f"`{parameter.default}`" if parameter.default else ""


if __name__ == "__main__":
    sys.stdout.write(reference())
