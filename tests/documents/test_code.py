"""Every code block in the documents runs and prints the output that is shown."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.main import get_command

from tests.documents.pages import DOCUMENTS, ROOT, blocks, bring_data, pages_with, place_of
from tests.documents.samples import write_samples
from vnestruct.cli import main
from vnestruct.cli.app import make_app

FIRST_WORDS = {"python": ">>> ", "console": "$ ", "sh": "", "text": ""}
"""How blocks of each language begin. Text is not run: lines of files, and messages."""

OTHERS = ("ray start", "for ", "done")
"""Commands of other programs, which are not checked."""

LONG = (r"classify (?!.*--folds 0)", r"--engine (ray|cuda)", r"/shared/")
"""Commands that train for minutes, or need a cluster, a GPU or a shared disk: only their arguments are checked."""


def test_blocks_name_their_language() -> None:
    for page in DOCUMENTS:
        for block in blocks(page):
            assert block.info in FIRST_WORDS, place_of(page, block)
            assert block.content.startswith(FIRST_WORDS[block.info]), place_of(page, block)


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_sessions_run(page: Path, folder: Path, request: pytest.FixtureRequest) -> None:
    """Each page is one session: later blocks can use the names of earlier ones."""
    sessions = blocks(page, "python")
    for name in set(re.findall(r"^>>> (?:import|from) (\w+)", "".join(block.content for block in sessions), re.M)):
        pytest.importorskip(name)
    bring_data(page, sessions, folder, request)
    known: dict[str, object] = {}
    for block in sessions:
        test = doctest.DocTestParser().get_doctest(block.content, known, page.name, str(page), (block.map or [0])[0])
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        assert runner.run(test, clear_globs=False).failed == 0
        known = test.globs


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_print_what_is_shown(page: Path, folder: Path, request: pytest.FixtureRequest) -> None:
    shown = blocks(page, "console")
    bring_data(page, shown, folder, request)
    for block in shown:
        for part in re.split(r"^\$ ", block.content, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            ended = subprocess.run(
                ["bash", "-c", f'vnestruct() {{ "{sys.executable}" -m vnestruct.cli "$@"; }}\n{command} 2>&1'],
                cwd=folder, text=True, capture_output=True, check=False, env=os.environ | {"NO_COLOR": "1"},
            )  # fmt: skip
            assert ended.returncode == 0, f"{place_of(page, block)}: {command}\n{ended.stdout}"
            # The size of a page may change.
            found, wanted = (re.sub(r"\(\d+\.\d MB", "(? MB", text).split() for text in (ended.stdout, expected))
            assert found == wanted, f"{place_of(page, block)}: {command} prints\n{ended.stdout}"


@pytest.mark.parametrize("page", pages_with("sh"))
def test_shell_commands_run_or_at_least_exist(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for block in blocks(page, "sh") for line in block.content.splitlines()]
    if any(line.strip().startswith("vnestruct") for line in lines):
        write_samples(folder)
        monkeypatch.setenv("VNESTRUCT_DATA", str(folder))
    for line in lines:
        words = shlex.split(line, comments=True)
        if not words or line.startswith(OTHERS):
            continue
        if words[0] == "sbatch":
            words = shlex.split(words[-1].replace("$k", "3"))
            check_arguments(words)
        elif words[0] == "vnestruct":
            check_arguments(words)
            if not any(re.search(pattern, line) for pattern in LONG):
                assert main(words[1:]) == 0, f"{page.name}: {line}"
        else:
            assert exists(words), f"{page.name}: {line}"


def check_arguments(words: list[str]) -> None:
    """Parse the arguments of a command, with all checks, without running it."""
    group = get_command(make_app())
    context = group.make_context("vnestruct", words[1:])
    name, command, rest = group.resolve_command(context, [*context._protected_args, *context.args])
    command.make_context(name, rest, parent=context)


def exists(words: list[str]) -> bool:
    """Tell whether there is what a command names: a make target, an extra, a module, a file."""
    match words:
        case ["make", target, *_]:
            return re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), flags=re.MULTILINE) is not None
        case ["pip", "install", *_, what]:
            project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
            return set(re.findall(r"[\w-]+", what.partition("[")[2])) <= set(project["optional-dependencies"])
        case ["python", "-m", module, *_]:
            return importlib.util.find_spec(module) is not None
        case ["python", file, *_]:
            return (ROOT / file).is_file()
        case _:
            return False
