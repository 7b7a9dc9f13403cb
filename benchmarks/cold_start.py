"""The first call of a process, for `benchmarks.turns`: prints its seconds."""

import time

import networkx

import vnestruct

graph = networkx.karate_club_graph()
begin = time.perf_counter()
vnestruct.embed(graph, 2)
print([time.perf_counter() - begin])
