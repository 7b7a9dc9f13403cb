"""What is taken for signatures and what for a graph, wherever either may be given."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from vnestruct import NotAGraphError, ParameterError, RoleClusterer, as_graph, embed, embedding_frame, similar_nodes

CLUB = as_graph(nx.karate_club_graph())


@pytest.mark.parametrize("kind", ["approx", "noisy", "profile", "roles"])
def test_signatures_are_taken_for_what_they_are(kind: str) -> None:
    values, frame = embed(CLUB, kind=kind), embedding_frame(CLUB, kind=kind)
    expected = RoleClusterer(4, kind=kind).fit_predict(CLUB).tolist()
    # Only names of columns say that signatures are those of kind roles, which need no unit.
    unnamed = [] if kind == "roles" else [values, values.tolist(), np.asfortranarray(values)]
    for given in (frame, frame.set_index("node"), *unnamed):
        roles = RoleClusterer(4).fit(given)
        assert roles.nodes_.tolist() == CLUB.nodes.tolist()
        assert roles.labels_.tolist() == roles.predict(given).tolist() == expected
        assert similar_nodes(given, 7) == similar_nodes(CLUB, 7, kind=kind)


def test_zeros_are_the_signatures_of_single_edges_and_whole_numbers_are_edges() -> None:
    assert RoleClusterer(1).fit(embed([(0, 1), (2, 3)])).labels_.tolist() == [0] * 4
    assert RoleClusterer(1).fit(np.array([[0, 1, 0.5], [1, 2, 1.5]])).labels_.tolist() == [0] * 3


SQUARE = np.array([[0.0, 0.5, 0.1], [0.5, 0.0, 0.2], [0.1, 0.2, 0.0]])


@pytest.mark.parametrize(
    ("call", "given", "error", "words"),
    [
        (RoleClusterer(2).fit, SQUARE, ParameterError, "adjacency matrix"),
        (RoleClusterer(2).fit, pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 3.0]}), ParameterError, "column 'a'"),
        (embed, embed(CLUB), NotAGraphError, "fractions"),
        (as_graph, [nx.cycle_graph(5), nx.star_graph(4)], NotAGraphError, "list of 2 graphs"),
    ],
)
def test_what_may_be_something_else_is_refused(call: Any, given: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call(given)
