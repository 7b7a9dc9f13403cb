"""Nothing in the package can run what a file says: no pickles, no eval, no shell."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import numpy as np
import pytest

FORBIDDEN_MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "yaml", "xml.etree"}
FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "system", "popen", "spawnl", "execv", "load_module"}
EXCEPTIONS = {
    # Blocks travel between the processes of a Ray cluster, which is trusted: it runs our code.
    "execute/ray.py": "imports pickle",
    # One of three names of libraries, given by the caller and checked before.
    "embedding/embed_graph.py": "calls __import__",
    # Only to count CPUs.
    "execute/cpus.py": "imports joblib",
}


def findings(source: str) -> list[str]:
    """Lines that could run what comes from outside."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            names = []
        found += [f"{node.lineno}: imports {name}" for name in names if _is_forbidden(name)]
        if isinstance(node, ast.Call):
            found += [f"{node.lineno}: {problem}" for problem in _problems_of_call(node)]
    return found


def _is_forbidden(name: str) -> bool:
    return any(name == module or name.startswith(f"{module}.") for module in FORBIDDEN_MODULES)


def _problems_of_call(node: ast.Call) -> list[str]:
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    of = getattr(owner, "id", "")
    options = {keyword.arg: keyword.value for keyword in node.keywords}
    problems = []
    # A compiled pattern is no code, and `network.eval()` of PyTorch, without a text, switches its mode.
    is_harmless = (name, of) == ("compile", "re") or (name == "eval" and owner is not None and not node.args)
    if name in FORBIDDEN_CALLS and not is_harmless:
        problems.append(f"calls {name}")
    if "shell" in options and getattr(options["shell"], "value", True) is not False:
        problems.append("runs a shell")
    allowed = options.get("allow_pickle")
    if allowed is not None and getattr(allowed, "value", True) is not False:
        problems.append("allows pickles")
    if of in ("np", "numpy") and name == "load" and allowed is None:
        problems.append("np.load without allow_pickle=False")
    if of == "torch" and name == "load":
        problems.append("torch.load, which reads pickles")
    return problems


def test_nothing_in_the_package_runs_what_a_file_says(root: Path) -> None:
    package = root / "src" / "vnestruct"
    places = {str(path.relative_to(package)): findings(path.read_text()) for path in sorted(package.rglob("*.py"))}
    unexpected = {
        name: [line for line in lines if not line.endswith(EXCEPTIONS.get(name, "!"))] for name, lines in places.items()
    }
    assert {name: lines for name, lines in unexpected.items() if lines} == {}
    assert all(places[name] for name in EXCEPTIONS)


@pytest.mark.parametrize(
    "line",
    [
        "import pickle",
        "from yaml import load",
        "eval(text)",
        "builtins.exec(text)",
        "subprocess.run(words, shell=True)",
        "subprocess.run(words, shell=chosen)",
        "np.load(path)",
        "np.load(path, allow_pickle=True)",
        "os.system(text)",
        "torch.load(path)",
    ],
)
def test_the_scan_finds(line: str) -> None:
    assert findings(line)


def test_the_scan_accepts() -> None:
    assert not findings("re.compile(text)\nnp.load(path, allow_pickle=False)\nsubprocess.run(words, shell=False)")


def test_reading_calls_neither_eval_nor_pickle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even libraries do, for the files that we read: an array of objects is refused before it is loaded."""
    import pickle

    from vnestruct import GraphFormatError, read_graph
    from vnestruct.files.container import load_model
    from vnestruct.store import read_embedding

    ran = []

    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return ran.append, ("pickle",)

    objects = np.array([Evil(), 1], dtype=object)
    np.save(tmp_path / "rows.npy", objects, allow_pickle=True)
    np.savez(tmp_path / "all.npz", nodes=objects, values=objects, format=objects, columns=objects, metadata=objects)
    np.savez(tmp_path / "plain.npz", **{"roles.json": np.arange(3), "x": objects})
    ran.clear()
    monkeypatch.setattr(builtins, "eval", lambda *words: pytest.fail("eval"))
    monkeypatch.setattr(pickle, "load", lambda *words, **options: pytest.fail("pickle.load"))
    monkeypatch.setattr(pickle, "loads", lambda *words, **options: pytest.fail("pickle.loads"))
    for read, name in [
        (read_embedding, "rows.npy"),
        (read_embedding, "all.npz"),
        (read_graph, "all.npz"),
        (lambda path: load_model(path, "roles", 1), "plain.npz"),
    ]:
        with pytest.raises(GraphFormatError):
            read(tmp_path / name)
    assert ran == []
