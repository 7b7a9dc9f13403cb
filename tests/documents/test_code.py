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

from tests.documents.conftest import bring_data
from tests.documents.pages import DOCUMENTS, ROOT, blocks, pages_with
from tests.documents.samples import write_samples
from vnestruct.cli import main
from vnestruct.cli.app import make_app

LANGUAGES = {"python", "sh", "console", "text"}
"""Text is not run: lines of files, and messages."""

OTHERS = ("ray start", "for ", "done")
"""Commands of other programs, which are not checked."""

LONG = (r"classify (?!.*--folds 0)", r"--engine (ray|cuda)", r"/shared/")
"""Commands that train for minutes, or need a cluster, a GPU or a shared disk: only their arguments are checked."""


def test_blocks_name_their_language() -> None:
    for page in DOCUMENTS:
        for block in blocks(page):
            place = f"{page.relative_to(ROOT)}, line {block.line}"
            assert block.language in LANGUAGES, f"{place}: {block.language or 'no language'}"
            if block.language == "python":
                assert block.text.startswith(">>> "), f"{place}: a session starts with >>>"
            if block.language == "console":
                assert block.text.startswith("$ "), f"{place}: a command starts with $"


@pytest.mark.parametrize("page", pages_with("python"))
def test_python_sessions_run(page: Path, folder: Path, request: pytest.FixtureRequest) -> None:
    sessions = [block for block in blocks(page) if block.language == "python"]
    text = "".join(block.text for block in sessions)
    wanted = {name.partition(".")[0] for name in re.findall(r"(?:import|from) ([\w.]+)", text)}
    for name in sorted(wanted & {"networkx", "igraph", "pandas", "torch", "torch_geometric", "polars"}):
        pytest.importorskip(name)
    if "vnestruct.explore" in text:
        pytest.importorskip("igraph")
    bring_data(page, sessions, folder, request)
    # Each page is one session: later blocks can use the names of earlier ones.
    known: dict[str, object] = {}
    for block in sessions:
        test = doctest.DocTestParser().get_doctest(block.text, known, page.name, str(page), block.line - 1)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        assert runner.run(test, clear_globs=False).failed == 0
        known = test.globs


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands_print_what_is_shown(page: Path, folder: Path, request: pytest.FixtureRequest) -> None:
    shown = [block for block in blocks(page) if block.language == "console"]
    pytest.importorskip("igraph")
    bring_data(page, shown, folder, request)
    for block in shown:
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            ended = subprocess.run(
                ["bash", "-c", f'vnestruct() {{ "{sys.executable}" -m vnestruct.cli "$@"; }}\n{command} 2>&1'],
                cwd=folder, text=True, capture_output=True, check=False, env=os.environ | {"NO_COLOR": "1"},
            )  # fmt: skip
            assert ended.returncode == 0, f"{page.name}: {command}\n{ended.stdout}"
            assert comparable(ended.stdout) == comparable(expected), f"{page.name}: {command} prints\n{ended.stdout}"


def comparable(output: str) -> list[str]:
    """The words of an output; the size of a page may change."""
    return re.sub(r"\(\d+\.\d MB", "(? MB", output).split()


def test_a_wrong_option_is_noticed() -> None:
    with pytest.raises(Exception, match="--radios"):
        check_arguments(["vnestruct", "embed", "graph.csv", "--radios", "3"])


@pytest.mark.parametrize("page", pages_with("sh"))
def test_shell_commands_run_or_at_least_exist(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for block in blocks(page) if block.language == "sh" for line in block.text.splitlines()]
    ours = [line for line in lines if line.strip().startswith("vnestruct")]
    if ours:
        for name in ("pyarrow", "matplotlib", "igraph"):
            pytest.importorskip(name)
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
            check_other(words, f"{page.name}: {line}")


def check_arguments(words: list[str]) -> None:
    """Parse the arguments of a command, with all checks, without running it."""
    group = get_command(make_app())
    context = group.make_context("vnestruct", words[1:])
    name, command, rest = group.resolve_command(context, [*context._protected_args, *context.args])
    command.make_context(name, rest, parent=context)


def check_other(words: list[str], where: str) -> None:
    """Check that what a command names exists: a make target, an extra, a module, a file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    if words[0] == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
        assert words[1] in targets, where
    elif words[:2] == ["pip", "install"]:
        extras = set(re.findall(r"[\w-]+", words[-1].partition("[")[2]))
        assert extras <= set(project["project"]["optional-dependencies"]), where
    elif words[:2] == ["python", "-m"]:
        assert importlib.util.find_spec(words[2]) is not None, where
    elif words[0] == "python":
        assert (ROOT / words[1]).is_file(), where
    else:
        pytest.fail(f"{where}: there is no check for this command")
