"""Files with a known label of each node."""

from vnestruct.errors import ParameterError
from vnestruct.io.fields import data_lines, first_separator, is_plain_integer, number_of, split_lines
from vnestruct.io.source import LineBlock, Source, shown
from vnestruct.types import FilePath

_MANY = 10  # fewer nodes may well have different labels
_NODE_NAMES = {"node", "nodes", "id", "node_id", "nodeid", "name", "vertex"}


def read_labels(path: FilePath, *, node: str | int = 1, label: str | int = 2) -> dict[int | str, int | str]:
    r"""Read known labels of nodes, such as roles are compared with.

    Fields are separated by tabs, commas, semicolons or spaces; lines that begin with ``#`` or ``%`` are comments;
    the file may be compressed. The first line is a header if a column is given by name, if it begins with a word
    such as ``node`` or ``id``, or if all other lines have integers where it has text. Columns of integers are read as
    such.

    Parameters
    ----------
    path : path-like
        The file; ``-`` for standard input.
    node, label : str or int
        The columns of nodes and labels, by name or by number from 1.

    Returns
    -------
    dict
        From node to label, in the order of the file.

    Raises
    ------
    GraphFormatError
        If the file cannot be read, or a line has no label or repeats a node; the message names the line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from vnestruct.roles import read_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "labels.txt")
    ...     _ = file.write_text("node label\n7 hub\n3 leaf\n")
    ...     read_labels(file)
    {7: 'hub', 3: 'leaf'}
    """
    for name, column in (("node", node), ("label", label)):
        is_number = isinstance(column, int) and not isinstance(column, bool) and column >= 1
        if not isinstance(column, str) and not is_number:
            raise ParameterError(f"{name} is {column!r}; it must be a column name, or a number from 1")
    with Source(path) as source:
        lines = list(data_lines(LineBlock(source.content(), 1)))
        if not lines:
            raise source.error("the file has no labels; write one node and its label per line")
        rows = split_lines(lines, first_separator(lines[0][1]), source.error)
        names = [field.decode("utf-8", "replace") for field in rows[0]]
        listed = ", ".join(map(repr, names))
        for column in (node, label):
            if isinstance(column, str) and column not in names:
                raise source.error(f"there is no column {column!r}; the first line has {listed}", 1)
        places = [names.index(column) if isinstance(column, str) else column - 1 for column in (node, label)]
        pairs: list[tuple[int, bytes, bytes]] = []
        for (number, _), fields in zip(lines, rows, strict=True):
            if len(fields) <= max(places) or not all(fields[place] for place in places):
                raise source.error("expected a node and its label; complete the line or delete it", number)
            pairs.append((number, fields[places[0]], fields[places[1]]))
        if isinstance(node, str) or isinstance(label, str) or _is_header(pairs):
            del pairs[0]
        if len(pairs) >= _MANY and len({pair[2] for pair in pairs}) == len({pair[1] for pair in pairs}) == len(pairs):
            remedy = f"choose another of {len(names)} columns ({listed})"
            raise source.error(f"all {len(pairs)} labels differ, so column {label} holds no classes; {remedy}")
        mapping: dict[int | str, int | str] = {}
        ones = _column(source, [(number, one) for number, one, _ in pairs])
        labels = _column(source, [(number, other) for number, _, other in pairs])
        for (number, text, _), one, known in zip(pairs, ones, labels, strict=True):
            if one in mapping:
                wrong = f"node {shown(text)} already has a label; delete one of the lines, or name the right columns"
                raise source.error(wrong, number)
            mapping[one] = known
        return mapping


def _is_header(pairs: list[tuple[int, bytes, bytes]]) -> bool:
    (_, *first), *rest = pairs
    if first[0].decode("utf-8", "replace").lower() in _NODE_NAMES:
        return True
    columns = list(zip(*rest, strict=True))[1:]
    return any(
        number_of(field) is None and all(map(is_plain_integer, column))
        for field, column in zip(first, columns, strict=False)
    )


def _column(source: Source, fields: list[tuple[int, bytes]]) -> list[int | str]:
    if all(is_plain_integer(field) for _, field in fields):
        return [int(field) for _, field in fields]
    return [source.decoded(field, number) for number, field in fields]
