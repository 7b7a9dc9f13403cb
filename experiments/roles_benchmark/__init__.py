"""The benchmark of the role survey: our signatures and baselines on its graphs, beside its published table.

``python -m experiments roles-benchmark`` computes what is missing in ``results/roles_benchmark`` and renders REPORT.md.
"""
