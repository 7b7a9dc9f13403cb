"""Cutting work lists by cost: partition, alignment, balance, and errors that name the offending value."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vnestruct.errors import EngineError, GraphFormatError
from vnestruct.execute import BLOCKS_PER_WORKER, GROUP, Block, block_failure, cut_blocks
from vnestruct.kernels.vector import WIDTH

costs_lists = st.lists(st.one_of(st.just(0.0), st.floats(0, 1e6), st.floats(0, 1.0)), max_size=300)
targets = st.none() | st.floats(1e-3, 1e7)


@given(costs_lists, targets, st.integers(1, 9), st.integers(1, 50))
def test_blocks_partition_the_list_in_order(costs, target, n_workers, max_items):
    blocks = cut_blocks(costs, target=target, n_workers=n_workers, max_items=max_items)
    assert [block.index for block in blocks] == list(range(len(blocks)))
    assert [position for block in blocks for position in range(block.start, block.stop)] == list(range(len(costs)))
    assert all(1 <= len(block) <= max_items for block in blocks)
    for block in blocks:
        assert block.cost == pytest.approx(sum(costs[block.start : block.stop]), rel=1e-9, abs=1e-12)


@given(costs_lists, targets)
def test_cuts_fall_between_groups_that_kernels_process_together(costs, target):
    blocks = cut_blocks(costs, target=target, max_items=64)
    assert GROUP == WIDTH
    assert all(block.start % GROUP == 0 for block in blocks)


@given(costs_lists, st.floats(1e-3, 1e7))
def test_no_block_costs_twice_the_target_unless_it_is_one_group(costs, target):
    slack = 1e-9 * (1.0 + sum(costs))
    for block in cut_blocks(costs, target=target):
        assert block.cost < 2 * target + slack or len(block) <= GROUP


@given(st.integers(2000, 5000), st.integers(1, 4), st.integers(0, 2**32))
def test_even_work_gives_every_worker_enough_blocks_of_like_cost(n_items, n_workers, seed):
    costs = np.random.default_rng(seed).uniform(0.5, 2.0, n_items)
    blocks = cut_blocks(costs, n_workers=n_workers)
    assert 16 * n_workers <= len(blocks) <= BLOCKS_PER_WORKER * n_workers + 1
    share = sum(costs) / n_workers
    assert max(block.cost for block in blocks) <= share / 16


def test_blocks_at_the_end_of_the_list_are_shorter():
    """They start last, so that no worker waits long for another."""
    blocks = cut_blocks(np.ones(100_000), n_workers=4)
    first, *_, last = (len(block) for block in blocks)
    assert 3.5 * last < first < 4.5 * last
    assert sum(len(block) < first / 2 for block in blocks) > len(blocks) / 4


def test_a_costly_group_is_a_block():
    costs = np.ones(800)
    costs[400:408] = 1000.0
    blocks = cut_blocks(costs, n_workers=2)
    assert [(block.start, block.stop) for block in blocks if block.cost >= 8000] == [(400, 408)]


class Nameless:
    def describe(self, block):
        raise RuntimeError("no names")


class Named:
    def describe(self, block):
        return f"nodes 'a' to 'f' ({len(block)} nodes)"


def test_failures_name_nodes_and_reason():
    block = Block(0, 8, 14, 1.0)
    named = block_failure(Named(), block, IndexError("out of range"))
    assert isinstance(named, EngineError)
    assert str(named) == "could not finish nodes 'a' to 'f' (6 nodes): IndexError: out of range"
    ours = block_failure(Named(), block, GraphFormatError("bad row", "g.csv", 3))
    assert str(ours).endswith("(6 nodes): g.csv, line 3: bad row")
    assert str(block_failure(Nameless(), block, MemoryError())) == "could not finish positions 8 to 13: MemoryError"
