from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from vnestruct import ParameterError
from vnestruct.roles import read_labels
from vnestruct.roles.labels import write_roles


def test_labels_of_roles_come_back(tmp_path: Path) -> None:
    for suffix in [".csv", ".tsv"]:
        file = tmp_path / f"roles{suffix}"
        labels = ["plain", "with, comma", "with\ttab", 'with "quotes"', "é"]
        write_roles(file, labels, np.arange(5))
        assert read_labels(file) == {label: role for role, label in enumerate(labels)}, suffix
        write_roles(file, np.array([30, 10]), [1, 0])
        assert read_labels(file) == {30: 1, 10: 0}, suffix


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"a \.csv or \.tsv file"):
        write_roles(tmp_path / "roles.txt", ["a"], [0])
    with pytest.raises(ParameterError, match="would both be written as 1"):
        write_roles(tmp_path / "roles.csv", [1, "1"], [0, 1])
    assert list(tmp_path.iterdir()) == []
