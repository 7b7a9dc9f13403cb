"""The command line: thin commands over the library, each one file in `vnestruct.cli.commands`.

Nothing here imports NumPy or anything heavier at module level, so that ``vnestruct --help`` is instant.
"""

import os
import sys
from collections.abc import Sequence

from vnestruct.cli.errors import INTERRUPTED


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, the words after the program's name; return its code: 0, 1 failure, 2 bad input, 130 Ctrl-C."""
    try:
        from vnestruct.cli.app import run

        return run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        # Ctrl-C before a command started. A normal exit of Python would wait for every thread and library.
        os.write(2, b"vnestruct: interrupted\n")
        os._exit(INTERRUPTED)
