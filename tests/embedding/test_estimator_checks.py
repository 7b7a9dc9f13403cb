"""scikit-learn's own checks of estimators, as if the input were a matrix of samples.

An edge array is a matrix, so most checks apply. Each of those that cannot hold has its reason written down here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sklearn", minversion="1.6", reason="older versions cannot be told which checks must fail")

from sklearn.utils.estimator_checks import parametrize_with_checks

from vnestruct import VNEstruct


class MatrixVNEstruct(VNEstruct):
    """The estimator without the tag that its input is no matrix, which would switch all checks off."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = True
        tags.no_validation = False
        return tags

    def _read(self, X: Any) -> Any:
        """Take the fractions that the checks pass, and that are refused, for node labels: their text."""
        if isinstance(X, np.ndarray) and X.ndim == 2 and X.shape[1] in (2, 3) and X.dtype.kind == "f":
            X = [(str(row[0]), str(row[1]), *row[2:]) for row in X]
        return super()._read(X)


_WIDE = "the check passes a table of more than three columns, which is not an edge array and is refused"
_NEGATIVE = "the check passes a third column of negative numbers, which are no weights and are refused"

EXCEPTIONS = {
    "check_n_features_in_after_fitting": _WIDE,
    "check_estimators_dtypes": _WIDE,
    "check_dtype_object": _WIDE,
    "check_pipeline_consistency": _NEGATIVE,
    "check_estimators_pickle": _NEGATIVE,
    "check_transformer_data_not_an_array": _NEGATIVE,
    "check_transformer_general": _NEGATIVE,
    "check_transformer_preserve_dtypes": _NEGATIVE,
    "check_positive_only_tag_during_fit": "negative weights are refused, negative node labels are not",
    "check_complex_data": "the check passes one column, and an edge has two ends",
    "check_fit2d_1feature": "the check passes one column and expects its own words for it",
    "check_fit2d_1sample": "one row is one edge, a fair graph, unless its weight is negative as here",
    "check_fit2d_predict1d": "a single edge must be wrapped in a list, and our message says so in other words",
    "check_estimators_empty_data_messages": "the empty graph is a graph: its embedding has no rows",
    "check_estimators_nan_inf": "node labels may be any hashable object, NaN included; weights are checked",
    "check_methods_sample_order_invariance": "rows belong to nodes, in order of first appearance, not to edges",
    "check_estimator_sparse_tag": "a sparse matrix of any shape is a graph, though a dense one is an array of edges",
    "check_n_features_in": "a graph has no fixed number of columns to compare with",
}


def test_the_estimator_says_that_its_input_is_not_a_matrix() -> None:
    tags = VNEstruct().__sklearn_tags__()
    assert not tags.input_tags.two_d_array
    assert tags.requires_fit


@parametrize_with_checks([MatrixVNEstruct()], expected_failed_checks=lambda estimator: EXCEPTIONS)
def test_checks_of_scikit_learn(estimator: VNEstruct, check: Callable[[VNEstruct], None]) -> None:
    check(estimator)
