"""Benchmarks of speed, memory and growth, compared with other programs. `README.md` says how to read them."""
