"""``python -m vnestruct.cli`` is the same as ``vnestruct``."""

import sys

from vnestruct.cli import main

if __name__ == "__main__":
    sys.exit(main())
