"""One file a command; a new command is its file and its name in the list."""

COMMANDS = (
    "embed", "roles", "similar", "explore", "classify", "predict", "update", "entropy", "info", "convert", "demo"
)  # fmt: skip
"""Modules of this package, in the order of the help; each has a function of its own name."""
