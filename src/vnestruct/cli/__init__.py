"""The command line: thin commands over the library, each one file in `vnestruct.cli.commands`.

Nothing here imports NumPy or anything heavier at module level, so that ``vnestruct --help`` is instant.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from vnestruct.cli.interrupts import INTERRUPTED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, the words after the program's name; return its code: 0, 1 failure, 2 bad input, 130 Ctrl-C."""
    try:
        from vnestruct.cli.app import run

        code = run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        # Ctrl-C before a command started.
        sys.stderr.write("vnestruct: interrupted\n")
        code = INTERRUPTED
    if arguments is None and code == INTERRUPTED:
        # A normal exit of Python waits for every thread and unloads every library, while the user waits.
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
    return code
