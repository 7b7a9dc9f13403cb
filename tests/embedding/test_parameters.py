"""Words and numbers of parameters mean what people expect."""

from __future__ import annotations

from vnestruct.embedding.parameters import parse_share, parse_size


def test_sizes() -> None:
    sizes = {"1.5G": 1_500_000_000, "500 mb": 500_000_000, " 2T ": 2_000_000_000_000, 2_000_000: 2_000_000}
    assert {size: parse_size(size) for size in sizes} == sizes


def test_shares() -> None:
    shares = {"2.5%": 0.025, "0.01": 0.01, " 1 %": 0.01, 0.1: 0.1}
    assert {share: parse_share(share) for share in shares} == shares
