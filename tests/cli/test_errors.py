"""Every mistake ends with its exit code and one line that names the file, the line and the remedy."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.conftest import Invoke, Outcome, finish
from tests.io.malformed.builders import BUILT, Built
from tests.io.malformed.cases import CASES, FOLDER, Case
from vnestruct.cli.app import load_command
from vnestruct.cli.errors import exit_code_of, in_options, message_of, options_of
from vnestruct.errors import (
    EngineError,
    GraphFormatError,
    TooLargeError,
    VNEstructError,
)
from vnestruct.files import atomic
from vnestruct.io import read_graph

OPTIONS = options_of(load_command("embed"))


def as_words(options: dict[str, object]) -> list[str]:
    words = []
    for name, value in options.items():
        words += [f"--{'' if value else 'un'}directed"] if name == "directed" else [f"--{name}", str(value)]
    return words


def test_malformed_files(invoke: Invoke, tmp_path: Path) -> None:
    for case in CASES:
        path = FOLDER / case.name
        check_refusal(invoke("embed", path, *as_words(case.options), "-o", tmp_path / "rows.csv"), path, case)
        assert not list(tmp_path.iterdir()), case.name


@for_each("case", BUILT)
def test_built_file(case: Built, invoke: Invoke, tmp_path: Path) -> None:
    if case.name.endswith((".parquet", ".feather")):
        pytest.importorskip("pyarrow")
    path = tmp_path / case.name
    case.make(path)
    before = sorted(tmp_path.iterdir())
    check_refusal(invoke("embed", path, "-o", tmp_path / "rows.csv", "--checkpoint", tmp_path / "run"), path, case)
    assert sorted(tmp_path.iterdir()) == before


def check_refusal(ended: Outcome, path: Path, case: Case | Built) -> None:
    """The command shows the error of the library, with parameters written as options."""
    assert ended.code == 2, case.name
    assert ended.out == "", case.name
    place = str(path) if case.line is None else f"{path}, line {case.line}"
    assert ended.error.startswith(f"vnestruct: {place}: ")
    with pytest.raises(VNEstructError) as refusal:
        read_graph(path, **getattr(case, "options", {}))
    assert ended.error == f"vnestruct: {' '.join(in_options(refusal.value, OPTIONS).split())}"


def test_another_graph_is_refused(edges: Path, invoke: Invoke, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ["embed", edges, "--checkpoint", run, "--kind", "exact", "-q"]
    assert [invoke(*words).code, invoke(*words).code] == [0, 0]
    ended = invoke(*words, "--weighted")
    assert (ended.code, "weighted is false there and true here" in ended.error) == (2, True)


def test_labels_are_checked_before_the_work(tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vnestruct.embed", None)
    path = tmp_path / "names.csv"
    path.write_text("from,to\nann lee,bob\n")
    ended = invoke("embed", path, "-q", "-o", tmp_path / "rows.emb")
    assert (ended.code, "'ann lee'" in ended.error) == (2, True)


def test_missing_extras_are_named_before_the_work(
    edges: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("vnestruct.files.atomic.find_spec", lambda name: None)
    ended = invoke("demo", "-o", tmp_path / "new" / "barbell.png")
    assert ended.code == 2
    assert 'pip install "vnestruct[plot]"' in ended.error
    assert [path.name for path in tmp_path.iterdir()] == [edges.name]


def test_a_place_without_permission(edges: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    # Permissions do not bind the superuser, who may run the tests.
    monkeypatch.setattr(atomic.os, "access", lambda path, mode: False)
    ended = invoke("embed", edges, "-q", "-o", edges.parent / "rows.csv")
    assert ended.code == 1
    assert "rows.csv: Permission denied; change its permissions or choose another place" in ended.error


def caused(error: Exception, cause: OSError) -> Exception:
    error.__cause__ = cause
    return error


@for_each(
    ("error", "code", "text"),
    [
        (EngineError("could not finish nodes 'a' to 'b'"), 1, "could not finish nodes 'a' to 'b'"),
        (TooLargeError("choose `kind='approx'`"), 2, "choose --kind approx"),
        (GraphFormatError("say `format`", "g.txt", 3), 2, "g.txt, line 3: say --format"),
        (OSError(errno.ENOSPC, "No space left on device", "rows.csv"), 1, "rows.csv: No space left on device; free"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1, "the output was closed"),
        (OSError("Arrow cannot write"), 1, "Arrow cannot write; check the disk"),
        (MemoryError("Unable to allocate 9 TiB"), 1, "not enough memory (Unable to allocate 9 TiB)"),
        (KeyError("never\nforeseen"), 1, "internal error, please report it: KeyError: 'never"),
        (caused(VNEstructError("g.csv: writing failed"), OSError(errno.ENOSPC, "full")), 1, "g.csv: writing failed"),
    ],
)
def test_errors_have_their_code_and_words(error: Exception, code: int, text: str, edges: Path, invoke: Invoke) -> None:
    assert invoke("embed", edges, "-q").code == 0
    assert exit_code_of(error) == code
    assert message_of(error).startswith(text)


def test_a_disk_that_fails_while_reading_is_a_failure_and_not_a_damaged_file() -> None:
    def read(number: int) -> None:
        try:
            raise OSError(number, os.strerror(number))
        except OSError:
            # As the zip module does, which takes what it cannot read for something else.
            raise GraphFormatError("not a readable embedding", "rows.npz") from None

    for number, code, text in (
        (errno.EIO, 1, "rows.npz: not a readable embedding (Input/output error); check the disk and try again"),
        (errno.ENOENT, 2, "rows.npz: not a readable embedding"),
    ):
        with pytest.raises(GraphFormatError) as caught:
            read(number)
        # The error of the system is behind the one that is shown, however it was raised.
        assert (exit_code_of(caught.value), message_of(caught.value)) == (code, text)


def test_parameters_in_messages_are_shown_as_options() -> None:
    for code, shown in (
        ("n_jobs", "--jobs"),
        ("source='from'", "--source from"),
        ("source='two words'", "--source 'two words'"),
        ("weight=0", "--weight 0"),
        ("weighted=True", "--weighted"),
        ("directed=False", "--undirected"),
        # What is not an option of the command stays as it is written in Python.
        ("tol=0.001", "`tol=0.001`"),
        ("n_roles", "`n_roles`"),
        ("weight=0)", "`weight=0)`"),
    ):
        message = f"'weight=3' is not a number; say `{code}`"
        assert in_options(message, OPTIONS) == f"'weight=3' is not a number; say {shown}"
        assert in_options(ValueError(message), OPTIONS) == in_options(message, OPTIONS)


def test_line_breaks_in_names_do_not_break_the_line(invoke: Invoke) -> None:
    ended = invoke("embed", "no\nsuch\nfile.csv")
    assert ended.code == 2
    assert "no such file.csv: no such file" in ended.error


def test_tracebacks_are_for_developers(edges: Path) -> None:
    words = ["embed", edges, "-r", "0"]
    assert "Traceback" not in finish(*words).err
    shown = finish(*words, env={**os.environ, "VNESTRUCT_DEBUG": "1"})
    assert "Traceback" in shown.err
    assert shown.code == 2
