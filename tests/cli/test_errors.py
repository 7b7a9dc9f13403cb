"""Every mistake ends with its exit code and one line that names the file, the line and the remedy."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.conftest import Invoke, finish
from tests.io.malformed.cases import CASES, FOLDER, Case
from vnestruct.cli.app import load_command
from vnestruct.cli.errors import exit_code_of, in_options, message_of, options_of
from vnestruct.errors import EngineError, GraphFormatError, TooLargeError, VNEstructError
from vnestruct.io import read_graph

OPTIONS = options_of(load_command("embed"))


@for_each("case", [case for case in CASES if not case.options])
def test_malformed_files(case: Case, invoke: Invoke, tmp_path: Path) -> None:
    """The command shows the error of the library, with parameters written as options, and leaves no file."""
    path = FOLDER / case.name
    ended = invoke("embed", path, "-o", tmp_path / "rows.csv", "--checkpoint", tmp_path / "run")
    with pytest.raises(VNEstructError) as refusal:
        read_graph(path)
    assert ended.error == f"vnestruct: {' '.join(in_options(refusal.value, OPTIONS).split())}"
    assert (ended.code, ended.out, list(tmp_path.iterdir())) == (2, "", [])


def test_labels_are_checked_before_the_work(tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vnestruct.embed", None)
    path = tmp_path / "names.csv"
    path.write_text("from,to\nann lee,bob\n")
    ended = invoke("embed", path, "-q", "-o", tmp_path / "rows.emb")
    assert (ended.code, "'ann lee'" in ended.error) == (2, True)


def test_missing_extras_are_named_before_the_work(
    invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("vnestruct.files.atomic.find_spec", lambda name: None)
    ended = invoke("demo", "-o", tmp_path / "new" / "families.png")
    assert (ended.code, 'pip install "vnestruct[plot]"' in ended.error, list(tmp_path.iterdir())) == (2, True, [])


def behind(error: Exception, cause: OSError, place: str = "__cause__") -> Exception:
    setattr(error, place, cause)
    return error


@for_each(
    ("error", "code", "text"),
    [
        (EngineError("could not finish nodes 'a' to 'b'"), 1, "could not finish nodes 'a' to 'b'"),
        (TooLargeError("choose `kind='approx'`"), 2, "choose --kind approx"),
        (GraphFormatError("say `format`", "g.txt", 3), 2, "g.txt, line 3: say --format"),
        (OSError(errno.ENOSPC, "No space left on device", "rows.csv"), 1, "rows.csv: No space left on device; free"),
        (PermissionError(errno.EACCES, "Permission denied", "rows.csv"), 1,
         "rows.csv: Permission denied; change its permissions or choose another place"),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 1, "the output was closed"),
        (OSError("Arrow cannot write"), 1, "Arrow cannot write; check the disk"),
        (MemoryError("Unable to allocate 9 TiB"), 1, "not enough memory (Unable to allocate 9 TiB)"),
        (KeyError("never\nforeseen"), 1, "internal error, please report it: KeyError: 'never"),
        (behind(VNEstructError("g.csv: writing failed"), OSError(errno.ENOSPC, "full")), 1, "g.csv: writing failed"),
        # A disk that fails while reading is no damaged file, however the library raised its error.
        (behind(GraphFormatError("not readable", "r.npz"), OSError(errno.EIO, ""), "__context__"), 1,
         "r.npz: not readable (Input/output error); check the disk and try again"),
        (behind(GraphFormatError("not readable", "r.npz"), OSError(errno.ENOENT, ""), "__context__"), 2, "r.npz: not"),
    ],
)  # fmt: skip
def test_errors_have_their_code_and_words(error: Exception, code: int, text: str, edges: Path, invoke: Invoke) -> None:
    assert invoke("embed", edges, "-q").code == 0
    assert exit_code_of(error) == code
    assert message_of(error).startswith(text)


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
    assert "no such file.csv: no such file" in invoke("embed", "no\nsuch\nfile.csv").error


def test_tracebacks_are_for_developers(edges: Path) -> None:
    shown = finish("embed", edges, "-r", "0", env={**os.environ, "VNESTRUCT_DEBUG": "1"})
    assert (shown.code, "Traceback" in shown.err) == (2, True)
