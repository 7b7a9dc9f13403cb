"""Every mistake on a command line ends with exit code 2, one line that says what to do, and no file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases import for_each
from tests.cli.conftest import Invoke

MISTAKES = {
    "embed": "see vnestruct embed --help",
    "embd": "no such command 'embd'",
    "embed IN --radus 3": "no such option: --radus",
    "embed IN -r many": "'--radius' / '-r'",
    "embed IN -r 0": "--radius must be a whole number of at least 1, not 0",
    "embed IN --kind exakt": "kind must be one of 'approx', 'exact'",
    "embed IN --direction up": "direction must be one of 'all', 'out'",
    "embed IN --aggregate sum": "aggregate must be one of 'mean', 'std'",
    "embed absent.csv --engine steam": "engine must be one of 'threads'",
    "embed absent.csv -j 0": "--jobs must be a positive integer",
    "embed absent.csv --max-memory 8": "--max-memory is '8', which is 8 bytes; write 8G",
    "roles absent.csv --max-memory much": "--max-memory must be a size such as 2G or 500M, not 'much'",
    "similar absent.csv --node a --max-memory 900k": "--max-memory is '900k', which is 900000 bytes",
    "embed IN --address here": "takes no address",
    "embed IN -o rows.xyz": "cannot tell the format of 'rows.xyz'",
    "embed IN -o no/such/folder/rows.csv": "there is no folder",
    "embed IN -o FOLDER --output-format csv": "is a folder; name a file in it",
    "embed IN --output-format xls": "unknown format 'xls'",
    "embed IN --json": "name a file",
    "embed IN --nodes 1,zoe": "the graph has no node 'zoe'",
    "embed IN --nodes 1,1": "names node '1' twice",
    "embed IN --nodes ,": "no node is named",
    "embed IN --nodes latin.txt": "in UTF-8",
    "embed IN --part 3/2 --checkpoint run": "part 3/2 does not exist",
    "embed IN --part one --checkpoint run": "one",
    "embed IN --part 1/2": "--part needs --checkpoint",
    "embed IN --checkpoint IN": "is not a directory; choose another name",
    "embed IN --weighted --weight 0": "--weighted, but the graph has no weights",
    "embed IN --format xls": "unknown format 'xls'",
    "embed IN --source age": "no column 'age'",
    "embed absent.csv": "absent.csv: no such file",
    "embed FOLDER": "this is a folder; name a file in it",
    "entropy IN --kind punctured": "'unscaled', not 'punctured'",
    "info IN -r -1": "radius must be",
    "convert IN graph.xyz": "cannot tell the format of graph.xyz",
    "convert IN -": "use a known suffix or --output-format",
    "convert IN - --output-format xls": "unknown format 'xls'",
    "convert IN - --output-format groups": "'groups' can be read, not written",
    "convert IN - --output-format tsv --json": "name a file",
    "convert IN no/such/folder/graph.tsv": "there is no folder",
    "demo -o barbell.doc": "choose one of these",
    "roles IN --roles few": "'--roles'",
    "roles IN --roles 0": "--roles must be a whole number of at least 1",
    "roles IN --roles 40": "ask for at most 4 roles",
    "roles IN --kind noisy -r 2": "--kind noisy describes 1-balls and what is around them; leave out --radius",
    "roles IN --kind noisy,exact": "cannot be combined with other kinds",
    "roles IN --weighted": "leave out --weighted, or use --kind profile",
    "roles IN --direction in": "use --direction out+in or --direction all",
    "roles IN --aggregate mean": "leave out --aggregate",
    "roles IN --bipartite --direction out+in": "leave it out, or use --no-bipartite",
    "roles IN -o roles.xlsx": "a .csv or .tsv file",
    "roles IN --plot roles.bmp": "pictures are .png, .svg, .pdf files",
    "roles IN -o - --json": "name a file",
    "roles IN --labels absent.txt": "no such file",
    "roles IN --labels labels.txt": "none of the 27 nodes has a known label",
    "explore IN -o page.html --labels labels.txt": "none of the 27 nodes has a known label",
    "roles IN --labels numbers.csv": "choose another of 3 columns ('id', 'name', 'job')",
    "roles IN --labels twice.txt": "name the right columns",
    "roles IN --graph IN": "is read as a graph; leave it out",
    "roles SIGNATURES --graph labels.txt": "has 27 rows, but the graph has 2 nodes",
    "roles SIGNATURES --plot x.png": "--plot needs the graph as well; add --graph FILE",
    "roles SIGNATURES --kind exact": "holds signatures, which --radius, --kind",
    "explain SIGNATURES --node 1": "add --graph FILE",
    "explore SIGNATURES -o page.html": "add --graph FILE",
    "info SIGNATURES": "vnestruct roles takes them",
    "embed SIGNATURES": "vnestruct roles takes them",
    "similar IN": "'--node'",
    "similar IN --node 99": "the graph has no node '99'; its labels are such as '0', '1', '2'",
    "similar IN --node 1 -k 0": "-k must be a whole number of at least 1, not 0",
    "similar IN --node 1 -r 3": "leave out --radius",
    "explain IN --node 1 --and x": "the graph has no node 'x'",
    "explain IN --node 1 -o why.bmp": "pictures are .png, .svg, .pdf files",
    "explore IN": "'--output'",
    "explore IN -o page.pdf": "pages are .html files",
    "explore IN -o nowhere/page.html": "there is no folder",
    "explore IN -o page.html --name city": "add --nodes-table FILE",
    "explore IN -o page.html --nodes-table labels.txt": "the table has no rows",
    "explore IN -o page.html --every 2d": "add --time COLUMN",
    "explore IN -o page.html --time 1 --kind approx --aggregate mean": "leave out --aggregate, or --time",
    "explore IN -o page.html --time 1 --source 1 --target 2 --bipartite": "leave one out",
    "explore IN -o page.html --time 1 --window soon": "--window must be a time span such as 7d",
    "explore IN -o page.html --time when": "no column 'when'",
    "watch IN --time 1 -o -": "as Parquet; name a file with -o",
    "watch IN --time 1 -o x --window soon": "--window must be a time span such as 7d",
    "watch IN --time 1 -o x --short 0": "--short must be a whole number of at least 1",
    "watch IN --time where -o x": "no column 'where'",
    "watch IN --time 1 -o x --plot x.txt": "pictures are .png, .svg, .pdf files",
    "watch none.csv --time when -o x": "there are no events; check the file and --time",
    "update IN SIGNATURES": "--added",
    "update IN SIGNATURES --removed labels.txt": "cannot remove",
    "update labels.txt SIGNATURES --added twice.txt": "has 27 rows, but the graph has 2 nodes",
    "classify IN": "use: vnestruct roles",
    "classify FOLDER": "TU Dortmund layout",
    "classify absent --model oracle": "--model must be one of 'signature', 'deepsets', not 'oracle'",
    "classify absent --protocol hopeful": "--protocol must be one of 'honest', 'optimistic', not 'hopeful'",
    "classify absent --folds 0": "add --save FILE",
    "classify absent --plot curves.png": "use --model deepsets",
    "classify absent --average": "add --model deepsets",
    "classify absent --splits x --folds 5": "--splits decides the folds; leave out --folds and --seeds",
    "classify absent -o folds.txt": "to a .csv file",
    "classify absent -o folds.csv --folds 0 --save m": "to a .csv file",
    "classify absent --save nowhere/model": "create it first",
    "predict absent IN": "no such file",
    "predict labels.txt IN": "not a readable classifier file",
    "predict absent IN --json -o x": "leave out -o",
}
"""Command lines, and what their error names."""


def test_mistakes(barbell_file: Path, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    assert invoke("embed", barbell_file, "-o", "signatures.csv", "-q").code == 0
    nodes = range(27)
    for name, lines in {
        "labels.txt": ["nobody 1"],
        "latin.txt": ["\xe9"],
        "none.csv": ["when,from,to"],
        "twice.txt": [f"{node % 3} {node}" for node in nodes],
        "numbers.csv": ["id,name,job", *(f"{node},n{node},{node % 3}" for node in nodes)],
    }.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n", "latin-1")
    before = sorted(tmp_path.iterdir())
    places = {"IN": barbell_file, "FOLDER": tmp_path / "folder", "SIGNATURES": tmp_path / "signatures.csv"}
    for line, complaint in MISTAKES.items():
        words = line.split()
        ended = invoke(*(places.get(word, word) for word in words), *(["-q"] if len(words) > 1 else []))
        assert complaint in ended.error, line
        assert (ended.code, ended.out, sorted(tmp_path.iterdir())) == (2, "", before), line


@for_each(
    ("header", "words", "advice"),
    [
        ("origin,dest,n", "--source orign", "--source origin --target dest"),
        ("first stop,last stop,n", "", "--source 'first stop' --target 'last stop'"),
        ("origin,dest,flights", "--weight flight", "--weight flights"),
        ("Unnamed: 0,who,whom", "", "--source who --target whom"),
    ],
)
def test_columns_that_fit_are_proposed(header: str, words: str, advice: str, invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text(f"{header}\n1,2,3\n2,3,4\n")
    assert invoke("info", tmp_path / "edges.csv", *words.split(), "-q").error.endswith(f"; try: {advice}")


def test_lists_are_not_guessed_and_the_error_names_their_format(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "films.dat"
    lists = [[7 * (row % 4) + 100 * member for member in range(1 + row % 5)] for row in range(30)]
    path.write_text("".join(f"{' '.join(map(str, members))}\n" for members in lists))
    assert "--format groups if" in invoke("info", path, "-q").error
    assert invoke("info", path, "-q", "--format", "groups").err == ""


def test_collections_say_what_they_lack(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "TINY").mkdir()
    (tmp_path / "TINY" / "TINY_A.txt").write_text("1, 2\n")
    assert f"contains TINY: name one, such as {tmp_path / 'TINY'}" in invoke("classify", tmp_path).error
