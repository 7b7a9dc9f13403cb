"""One place decides which signature roles are found from, and what a preset cannot be combined with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.graphs import directed_copy
from vnestruct import ParameterError, as_graph, embed, profile
from vnestruct.embedding import profile_columns
from vnestruct.errors import Message, Parameter
from vnestruct.graph.synthetic import barbell
from vnestruct.roles import preset_signature
from vnestruct.roles.signature import preset_columns, role_signature

GRAPH = barbell(5, 3)


def test_signatures_are_those_of_embed_or_of_the_preset() -> None:
    values, columns = role_signature(GRAPH, 2, kind=["approx", "quadratic"], aggregate="mean", n_jobs=1)
    np.testing.assert_array_equal(values, embed(GRAPH, 2, kind=["approx", "quadratic"], aggregate="mean"))
    assert len(columns) == values.shape[1]
    values, columns = role_signature(GRAPH, preset="noisy", n_jobs=1, engine="threads", checkpoint=None, progress=True)
    np.testing.assert_array_equal(values, preset_signature(GRAPH, "noisy"))
    assert columns == preset_columns("noisy")
    arcs = directed_copy(GRAPH, 2, weighted=True)
    values, columns = role_signature(
        arcs, preset="profile", weighted=True, direction="out+in", n_jobs=1, progress=False
    )
    np.testing.assert_array_equal(values, profile(arcs, weighted=True, direction="out+in"))
    assert columns == profile_columns(direction="out+in")


def test_how_to_run_is_passed_to_embed(tmp_path: Any) -> None:
    values, _ = role_signature(GRAPH, 2, checkpoint=tmp_path / "run")
    np.testing.assert_array_equal(values, embed(GRAPH, 2))
    assert (tmp_path / "run").exists()


def test_a_preset_refuses_what_it_decides_itself() -> None:
    for more in (
        {"radius": 3}, {"kind": "exact"}, {"weighted": True}, {"direction": "out"}, {"aggregate": "std"},
        {"engine": "ray"}, {"address": "auto"}, {"checkpoint": "run"}, {"max_memory": "1G"},
    ):  # fmt: skip
        with pytest.raises(ParameterError, match="preset='noisy' decides the signature itself") as caught:
            role_signature(GRAPH, preset="noisy", **more)
        message = caught.value.args[0]
        assert isinstance(message, Message), more
        assert Parameter("radius") in message.parts
    for more in ({"radius": 3}, {"kind": "exact"}, {"aggregate": "std"}):
        with pytest.raises(ParameterError, match="leave out radius, kind and aggregate"):
            role_signature(GRAPH, preset="profile", **more)
    with pytest.raises(ParameterError, match="the graph has no nodes"):
        role_signature(as_graph(np.empty((0, 2), int)))
