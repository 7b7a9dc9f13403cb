"""How fast is a GPU? ``python -m benchmarks cuda``, on a machine with one.

*On the device* starts with the plan and the graph on the GPU and ends with the rows in host memory; *whole* is a call
of `embed` from `Graph` to matrix. Radius 1 of generated power-law graphs includes ranking, triangles and entropies.
"""

from functools import partial

import numpy as np

from benchmarks.harness import compare, load, say, target
from vnestruct import embed
from vnestruct.embedding.plan import plan_ranked, rank_graph
from vnestruct.embedding.tasks import output_codes
from vnestruct.kernels.workspace import Request

TARGETS = {("musae_github", 2): 0.4, ("email-Enron", 2): 0.06, ("email-Enron", 3): 0.8, ("dblp-2010", 2): 0.05}
CASES = [*TARGETS, ("facebook_combined", 2), ("moscow-roads", 3)]
REPEATS = 7


def cuda(quick):
    """Measure everything on the first GPU."""
    from vnestruct.kernels import cuda as device

    device.count_devices()
    cupy = device.import_cupy()
    rows, targets, generated = [], [], []
    for name, radius in [("tiny", 2)] if quick else CASES:
        say(f"{name}, R = {radius}")
        graph = load(name)
        found = embed(graph, radius, engine="cuda")
        calls = {"device_s": on_device(device, graph, radius), "whole_s": partial(embed, graph, radius, engine="cuda")}
        times = {what: timing.median for what, timing in compare(calls, REPEATS).items()}
        nodes = np.random.default_rng(1).choice(graph.n_nodes, 300, replace=False)
        difference = float(np.abs(found[nodes] - embed(graph, radius, nodes=graph.nodes[nodes])).max())
        rows.append({"graph": name, "radius": radius, **times, "difference": difference})
        if (name, radius) in TARGETS:
            targets.append(target(f"{name}, R = {radius}", times["device_s"], " s", at_most=TARGETS[name, radius]))
    for exponent in (2.2, 2.5):
        csr = power_law(cupy, 100_000 if quick else 50_000_000, exponent)
        [timing] = compare({"": partial(radius_one, cupy, *csr)}, REPEATS).values()
        size = {
            "nodes": int(csr[0].size) - 1,
            "edges": int(csr[1].size) // 2,
            "largest_degree": int(cupy.diff(csr[0]).max()),
        }
        generated.append({"exponent": exponent, **size, "device_s": timing.median})
        what = f"radius 1, {size['edges'] / 1e6:g} million edges, exponent {exponent}"
        targets.append(target(what, timing.median, " s", at_most=1.0))
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    settings = {"device": name, "cupy": cupy.__version__, "repeats": REPEATS}
    return {"settings": settings, "targets": targets, "tables": {"graphs": rows, "radius_1": generated}}


def on_device(device, graph, radius):
    """Return a call that computes the balls of a graph whose plan is on the device."""
    ranked, codes = rank_graph(graph), output_codes(["approx"])
    plan = plan_ranked(ranked, reduce_leaves=True, collapse=True)
    work = plan.in_order(plan.required(np.ones(graph.n_nodes, bool)))
    copied = device.DeviceGraph(
        plan.graph, plan.search, plan.components, device.closed_form_by_rank(ranked.graph, codes)
    )
    request = Request(2, radius, codes, True, 1.0, 2.5e-10)
    return partial(device.fill_rows, copied, work, plan.costs(work, radius), request)


def radius_one(cupy, indptr, indices):
    """Compute radius 1 of a graph on the device, and wait."""
    from vnestruct.kernels.cuda.radius_one import device_closed_form

    device_closed_form(indptr, indices, output_codes(["approx"]))
    cupy.cuda.Device().synchronize()


def power_law(cupy, n_edges, exponent):
    """Return the CSR of a graph whose expected degrees follow a power law, drawn and sorted on the device."""
    random, n_nodes = cupy.random.RandomState(1), n_edges // 10
    weights = cupy.arange(1, n_nodes + 1, dtype=np.float64) ** (-1.0 / (exponent - 1.0))
    # No hub takes more than a fiftieth of all nodes; a steep law would join it to nearly all of them.
    ends = cupy.cumsum(cupy.minimum(weights * (2 * n_edges / weights.sum()), n_nodes / 50))
    ends /= ends[-1]
    one, other = (cupy.searchsorted(ends, random.rand(int(1.2 * n_edges))) for _ in range(2))
    low, high = cupy.minimum(one, other), cupy.minimum(cupy.maximum(one, other), n_nodes - 1)
    keys = random.permutation(cupy.unique((low * n_nodes + high)[low < high]))[:n_edges]
    low, high = keys // n_nodes, keys % n_nodes
    arcs = cupy.sort(cupy.concatenate([keys, high * n_nodes + low]))
    indptr = cupy.zeros(n_nodes + 1, np.int64)
    indptr[1:] = cupy.cumsum(cupy.bincount(arcs // n_nodes, minlength=n_nodes))
    return indptr, (arcs % n_nodes).astype(np.int32)
