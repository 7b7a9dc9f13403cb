"""Sharing a work list among machines: every position once, cuts aligned, cost balanced."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cases import for_each

from vnestruct.errors import ParameterError
from vnestruct.store import parse_part, part_slice

costs_lists = st.lists(st.just(0.0) | st.floats(0, 1e6), max_size=200)


@given(costs_lists, st.integers(1, 40), st.integers(1, 17))
def test_the_parts_cover_every_position_once_and_in_order(costs, parts, align):
    slices = [part_slice(costs, part, parts, align=align) for part in range(1, parts + 1)]
    assert [i for piece in slices for i in range(len(costs))[piece]] == list(range(len(costs)))
    assert all(piece.start % align == 0 or piece.start == len(costs) for piece in slices)


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=200), st.integers(1, 20), st.integers(1, 9))
def test_no_part_exceeds_its_share_by_more_than_a_group(costs, parts, align):
    costs = np.array(costs)
    dearest = np.add.reduceat(costs, np.arange(0, len(costs), align)).max()
    for part in range(1, parts + 1):
        part_cost = costs[part_slice(costs, part, parts, align=align)].sum()
        assert part_cost <= costs.sum() / parts + dearest + 1e-6


def test_no_costs_means_equal_lengths():
    assert [part_slice(np.zeros(64), part, 4) for part in range(1, 5)] == [
        slice(0, 16),
        slice(16, 32),
        slice(32, 48),
        slice(48, 64),
    ]


def test_more_parts_than_groups_leaves_some_empty():
    lengths = [len(range(20)[part_slice(np.ones(20), part, 16)]) for part in range(1, 17)]
    assert sum(lengths) == 20
    assert sorted(lengths)[-3:] == [4, 8, 8]


def test_nothing_to_share():
    assert part_slice([], 2, 3) == slice(0, 0)


@pytest.mark.parametrize(("text", "expected"), [("3/16", (3, 16)), (" 1 / 1 ", (1, 1)), ("016/16", (16, 16))])
def test_parse_part(text, expected):
    assert parse_part(text) == expected


@for_each("text", ["", "3", "3/", "/16", "3-16", "a/b", "1.5/4", "-1/4", "3/16/2", "٣/٤", "0/4", "5/4", "0/0"])
def test_parse_part_refuses_other_forms_and_parts_that_do_not_exist(text):
    with pytest.raises(ParameterError, match=f"part.*{text}"):
        parse_part(text)
