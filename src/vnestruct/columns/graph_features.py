"""`features` and `GraphFeatures`: columns of structure for a table, static or at a point in time."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from sklearn import get_config
from sklearn.utils.validation import check_is_fitted

from vnestruct.columns.fitted import Fitted
from vnestruct.columns.in_time import MOMENTS, WAYS, described_values, value_columns
from vnestruct.columns.measures import PAIR_SENTENCES, SENTENCES, checked_measures, structure
from vnestruct.columns.network import READING, Network, find_nodes, read_network
from vnestruct.columns.own_columns import averaged, own_columns, refuse_target, why_no_average
from vnestruct.columns.tables import Table
from vnestruct.embedding.estimator import AnyInput
from vnestruct.embedding.parameters import DIRECTIONS
from vnestruct.errors import ParameterError, one_of, whole_number
from vnestruct.graph import Graph
from vnestruct.live.events import parse_duration
from vnestruct.types import Array, OffsetArray, ValueArray

_NODE = "node"


@dataclass(eq=False, repr=False)
class GraphFeatures(AnyInput):
    """Columns that describe the nodes of a network, for the rows of a table.

    It holds the whole network, and the whole table if there is one, so every fold of a cross-validation sees all
    neighbours. The target must not be among the columns that are averaged over neighbours: name it in `exclude`, or
    pass a `table` without it. `transform` leaves out the columns of keys and of time.

    Parameters
    ----------
    edges : graph, frame or path
        The network: anything `as_graph` takes; with `time` a data frame, or a CSV, Parquet or Feather file.
    table : frame or path, optional
        What is known of each node, for columns of `own`. Default: the rows given to `fit`.
    key : str or pair of str
        The column with the label of the node that a row is about; two columns for rows about pairs.
    measures : "auto" or list of str, default "auto"
        What is said of each node: degree, triangles, clustering, core, pagerank, and five entropies of the 1-ball
        (size, collision, least, quadratic, h1); or kinds of `embed`. With `time`, core and pagerank are replaced by
        out_count, in_count and since_last.
    own : "auto" or list of str, default "auto"
        Columns of the table whose mean and deviation over neighbours are added. "auto" takes numbers, booleans and
        categories of at most 20 values; none with `time`, with two keys or where a key repeats.
    values : "auto" or list of str, default "auto"
        Numeric columns of the edges, such as an amount: number, mean and deviation over the edges of each node, and
        with `time` the latest.
    exclude : str or list of str, default ()
        Columns that "auto" does not take: above all the target.
    steps : int, default 2
        How many times means and deviations over neighbours are taken.
    radius, direction, weighted
        As for `embed`, for kinds among the `measures`.
    time : str, optional
        Column of the rows with a time. Each row then sees only the edges before its own time, none at the same time.
    edge_time : str, optional
        Column of the edges with their time; by default named like `time`.
    window : str, timedelta or number, optional
        How far back a row sees, such as "30d"; by default to the first edge.
    n_jobs : int, optional
        Number of threads; all CPUs by default.
    progress : bool or callable, default False
        As for `embed`.
    source, target, weight, directed, bipartite, format
        How the edges are read, as for `as_graph`.

    Examples
    --------
    >>> import pandas as pd
    >>> from vnestruct import GraphFeatures
    >>> customers = pd.DataFrame({"id": ["ann", "bob", "eve"], "age": [31, 45, 28]})
    >>> model = GraphFeatures([("ann", "bob"), ("bob", "eve")], key="id", measures=["degree"], steps=1)
    >>> model.fit_transform(customers)
       age  degree  mean_degree  std_degree  mean_age  std_age
    0   31     1.0          2.0         0.0      45.0      0.0
    1   45     2.0          1.0         0.0      29.5      1.5
    2   28     1.0          2.0         0.0      45.0      0.0
    """

    edges: Any
    table: Any = None
    _: KW_ONLY
    key: str | Sequence[str]
    measures: str | Iterable[str] = "auto"
    own: str | Iterable[str] = "auto"
    values: str | Iterable[str] = "auto"
    exclude: str | Iterable[str] = ()
    steps: int = 2
    radius: int = 1
    direction: str = "all"
    weighted: bool = False
    time: str | None = None
    edge_time: str | None = None
    window: Any = None
    n_jobs: int | None = None
    progress: Any = False
    source: str | int | None = None
    target: str | int | None = None
    weight: str | int | bool | None = None
    directed: bool | None = None
    bipartite: bool | None = None
    format: str | None = None

    def fit(self, X: Any, y: Any = None) -> GraphFeatures:
        """Read the network and compute its columns; refuse a column of `own` that equals `y`."""
        rows = X if isinstance(X, Table) else Table(X, "table of rows")
        keys, excluded = self._checked(rows)
        names = checked_measures(self.measures, in_time=self.time is not None)
        network = self._network(excluded)
        table = rows if self.table is None else self._once(Table, self.table)
        table.check(keys[0], "key")
        known = {*rows.names, *table.names, *network.columns, *keys}
        if unknown := [name for name in excluded if name not in known]:
            raise ParameterError(f"`exclude`: no table has a column {unknown[0]!r}; correct its name")
        places = find_nodes(network.nodes, *table.labels(keys[0]))
        own = own_columns(table, self.own, excluded, why_no_average(keys, self.time, places))
        if y is not None and own:
            row_of = np.zeros(network.nodes.size + 1, np.int64)
            row_of[places] = np.arange(places.size)
            refuse_target(table, own, row_of[find_nodes(network.nodes, *rows.labels(keys[0]))], y)
        matrix = None
        if network.graph is None:
            sentences = {name: SENTENCES[name] for name in names}
            sentences |= described_values(network.value_names, WAYS, MOMENTS)
        else:
            averages = {name: column for parts in own.values() for name, column in parts.items()}
            sentences, matrix = self._of_nodes(network, network.graph, names, averages, places)
        window = None if self.window is None else parse_duration("window", self.window)
        self.fitted_ = Fitted(network, keys, self.time, window, names, list(sentences), matrix, self.n_jobs)
        if len(keys) == 2:
            ends = {f"{key}_{name}": f"of {key}: {words}" for key in keys for name, words in sentences.items()}
            sentences = ends | {name: PAIR_SENTENCES[name] for name in self.fitted_.pair_names}
        self.columns_, self.averaged_ = sentences, list(own)
        self.kept_ = [name for name in rows.names if name not in (*keys, self.time)]
        return self

    def node_table(self) -> Any:
        """Return a table with the labels of all nodes, in the column that is the key."""
        import pyarrow

        return pyarrow.table({self.key: self._network({self.key}).nodes.tolist()})

    def transform(self, X: Any) -> Any:
        """Return the rows without keys and time, and the columns behind, in the library of the rows."""
        check_is_fitted(self)
        rows = Table(X, "table of rows")
        frame = rows.with_columns(self.fitted_.of_rows(rows), without=(*self.fitted_.keys, self.time))
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform", get_config()["transform_output"])
        return Table(frame).frame.to_pandas() if chosen == "pandas" else frame

    def describe(self) -> dict[str, str]:
        """Return what each column says, one sentence each."""
        check_is_fitted(self)
        return dict(self.columns_)

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        """Return the names of the columns of `transform`."""
        check_is_fitted(self)
        return np.array([*map(str, self.kept_), *self.columns_], object)

    def __sklearn_clone__(self) -> GraphFeatures:
        # The network is shared, not copied: it is read once, and never changed.
        state = {name: value for name, value in vars(self).items() if not name.endswith("_")}
        shared = [self.edges, self.table, self.__dict__.setdefault("done", {})]
        clone = object.__new__(type(self))
        clone.__dict__.update(copy.deepcopy(state | {"done": shared[2]}, {id(one): one for one in shared}))
        return clone

    def _once(self, compute: Callable[..., Any], subject: Any, *parameters: Any) -> Any:
        """Return what this estimator or a clone of it has computed of an object already, else compute it."""
        done = self.__dict__.setdefault("done", {})
        key = (compute.__name__, id(subject), repr(parameters))
        if key not in done:
            done[key] = compute(subject, *parameters), subject  # which is kept, so that no other object has its id
        return done[key][0]

    def _network(self, excluded: set[Any]) -> Network:
        reading = {name: getattr(self, name) for name in (*READING, "weighted", "time", "edge_time", "values")}
        network: Network = self._once(read_network, self.edges, reading, sorted(map(str, excluded)))
        return network

    def _checked(self, rows: Table) -> tuple[list[str], set[Any]]:
        """Check what can be checked without the network; return the keys and the columns that "auto" leaves out."""
        keys = [self.key] if isinstance(self.key, str) or not isinstance(self.key, Iterable) else list(self.key)
        if not 1 <= len(set(keys)) == len(keys) <= 2:
            wrong = f"`key` must be one column, or two different ones for rows about pairs, not {self.key!r}"
            raise ParameterError(wrong)
        for key in keys:
            rows.check(key, "key")
        if self.time is not None:
            rows.check(self.time, "time")
        for name in ("edge_time", "window"):
            if self.time is None and getattr(self, name) is not None:
                raise ParameterError(f"`{name}` needs `time`, the column with the time of each row")
        whole_number("steps", self.steps, 0)
        whole_number("radius", self.radius, 1)
        one_of("direction", self.direction, DIRECTIONS)
        exclude = [self.exclude] if isinstance(self.exclude, str) else list(self.exclude)
        return keys, {*keys, *exclude} | ({self.time} if self.time is not None else set())

    def _of_nodes(
        self, network: Network, graph: Graph, names: list[str], averages: dict[str, ValueArray], places: OffsetArray
    ) -> tuple[dict[str, str], ValueArray]:
        """Return what the columns say, and their values for all nodes."""
        options = (names, self.steps, self.radius, self.direction, self.weighted, self.n_jobs, self.progress)
        groups = [self._once(structure, graph, *options)]
        if network.events is not None:
            ways = WAYS if network.directed else ("",)
            columns = value_columns(network.events, network.value_names, len(ways))
            described = described_values(network.value_names, ways, MOMENTS[:3])
            groups.append((described, np.column_stack(list(columns.values()))))
        if averages:
            groups.append(averaged(graph, averages, places, self.steps))
        sentences: dict[str, str] = {}
        for described, _ in groups:
            if taken := sentences.keys() & described:
                raise ParameterError(f"two columns would be named {min(taken)!r}; rename one of the table or the edges")
            sentences |= described
        return sentences, groups[0][1] if len(groups) == 1 else np.hstack([values for _, values in groups])


def features(
    edges: Any, table: Any = None, *, key: str | Sequence[str] | None = None, measures: str | Iterable[str] = "auto",
    own: str | Iterable[str] = "auto", values: str | Iterable[str] = "auto", exclude: str | Iterable[str] = (),
    steps: int = 2, radius: int = 1, direction: str = "all", weighted: bool = False, time: str | None = None,
    edge_time: str | None = None, window: Any = None, n_jobs: int | None = None, progress: Any = False, **reading: Any,
) -> Any:  # fmt: skip
    """Add columns that describe the nodes of a network to a table.

    Never average the target over neighbours: name it in `exclude`.

    Parameters
    ----------
    edges : graph, frame or path
        The network, as for `GraphFeatures`.
    table : frame or path, optional
        The table; default: one row per node, with the labels in column ``node``.
    key : str or pair of str
        The column of the table with the label of the node; two columns for rows about pairs.
    measures, own, values, exclude, steps, radius, direction, weighted, time, edge_time, window, n_jobs, progress
        As for `GraphFeatures`.
    **reading
        How the edges are read, as for `as_graph`: `source`, `target`, `weight`, `directed`, `bipartite`, `format`.

    Returns
    -------
    data frame
        The table with its rows untouched and the new columns behind, in its own library if that is pandas or polars,
        else an Arrow table. `GraphFeatures.describe` says what each column means.

    Examples
    --------
    >>> import pandas as pd, vnestruct
    >>> customers = pd.DataFrame({"id": ["ann", "bob", "eve"], "age": [31, 45, 28]})
    >>> links = [("ann", "bob"), ("bob", "eve")]
    >>> vnestruct.features(links, customers, key="id", measures=["degree"], own=["age"], steps=1)
        id  age  degree  mean_degree  std_degree  mean_age  std_age
    0  ann   31     1.0          2.0         0.0      45.0      0.0
    1  bob   45     2.0          1.0         0.0      29.5      1.5
    2  eve   28     1.0          2.0         0.0      45.0      0.0
    """
    if unknown := set(reading) - set(READING):
        raise ParameterError(f"features takes no {min(unknown)!r}; edges are read with {', '.join(READING)}")
    if (table is None) != (key is None) or (table is None and (time is not None or (own != "auto" and own))):
        raise ParameterError("`key`, `time` and `own` name columns of a `table`; pass the table and its `key`")
    model = GraphFeatures(
        edges, key=_NODE if key is None else key, measures=measures, own=own, values=values, exclude=exclude,
        steps=steps, radius=radius, direction=direction, weighted=weighted, time=time, edge_time=edge_time,
        window=window, n_jobs=n_jobs, progress=progress, **reading,
    )  # fmt: skip
    rows = Table(model.node_table() if table is None else table)
    model.fit(rows)
    if model.averaged_ and own == "auto":
        listed = ", ".join(map(str, model.averaged_))
        warnings.warn(f"averaged over neighbours: {listed}; if one is the target, name it in `exclude`", stacklevel=2)
    return rows.with_columns(model.fitted_.of_rows(rows))
