"""Benchmarks: how fast, how large, how it grows, and beside what. `README.md` says how to read them."""
