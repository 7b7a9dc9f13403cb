"""Graphs written row by row are the files that whole graphs are written to."""

from __future__ import annotations

import numpy as np
import pytest

from vnestruct.errors import ParameterError
from vnestruct.graph import synthetic
from vnestruct.io import read_vng, write_graph
from vnestruct.io.vng_layout import write_vng_rows


@pytest.mark.parametrize("pieces", [1, 2, 7])
@pytest.mark.parametrize("graph", [synthetic.barabasi_albert(200, 3, seed=2), synthetic.path(1)], ids=repr)
def test_the_file_of_the_whole_graph(graph, pieces, tmp_path):
    write_graph(graph, tmp_path / "whole.vng")
    write_vng_rows(tmp_path / "rows.vng", graph.indptr, np.array_split(graph.indices, pieces))
    found = read_vng(tmp_path / "rows.vng", verify=True)
    assert found == graph
    assert found.report.isolated_nodes == np.count_nonzero(graph.degrees == 0)
    if graph.has_plain_labels and graph.report.edges_read == graph.n_edges:
        assert (tmp_path / "rows.vng").read_bytes() == (tmp_path / "whole.vng").read_bytes()


def test_too_few_rows(tmp_path):
    with pytest.raises(ParameterError, match="indices has 1 entries, but indptr says 2"):
        write_vng_rows(tmp_path / "rows.vng", np.array([0, 1, 2]), [np.array([1], np.int32)])
    assert not list(tmp_path.iterdir())
