"""The parts of the report about the best model on each collection."""

from __future__ import annotations

from experiments.classification.jobs import MAIN, MORE
from experiments.classification.paper import NAMES
from experiments.classification.report_figures import (
    NETWORKS,
    PROTOCOLS,
    Entry,
    averaged,
    figure,
    networks,
    signature,
    standard_error,
)
from experiments.classification.report_time import table


def winners() -> str:
    """Return the best model on each collection under each protocol, and its lead."""
    lines = []
    for protocol in PROTOCOLS:
        for name in MAIN:
            entries: dict[str, Entry | None] = {key: networks(name).get(key) for key in NETWORKS}
            entries |= {"signature": signature(name), "averaged": averaged(name)}
            lines += verdict(name, protocol, entries)
    return "\n".join(lines)


def verdict(name: str, protocol: str, entries: dict[str, Entry | None]) -> list[str]:
    """Return the best model on one collection under one protocol."""
    means = {key: entry[protocol]["mean"] for key, entry in entries.items() if entry and protocol in entry}
    if len(means) < 2:
        return []
    ranked = sorted(means, key=lambda key: -means[key])
    first, second = ranked[:2]
    gap, error = 100 * (means[first] - means[second]), standard_error(entries[first], protocol)
    verb = "wins" if gap > error else "leads"
    text = f"- {NAMES[name]}, {protocol}: **{NAMES[first]}** {verb} with {100 * means[first]:.2f}, "
    text += f"{gap:.2f} points ahead of {NAMES[second]}"
    text += "" if gap > error else f", less than the standard error of {error:.2f}"
    if "vnestruct" in means and "vnestruct" not in (first, second):
        place = ranked.index("vnestruct") + 1
        text += f"; VNEstruct is in place {place} of {len(means)} with {100 * means['vnestruct']:.2f}"
    return [text + "."]


def more() -> str:
    """Return the larger collections: signature heads and one configuration of the network."""
    rows = [
        [
            "collection",
            "signature heads, honest",
            "VNEstruct, honest",
            "VNEstruct, optimistic",
            "support vector machine chosen most often",
            "seconds per seed of the heads, busy machine",
        ]
    ]
    lines = []
    for name in MORE:
        heads, one = signature(name), networks(name).get("vnestruct-one")
        chosen, seconds = (heads["head"], f"{heads['seconds']:.0f}") if heads else ("-", "-")
        own = [figure(one, protocol) for protocol in PROTOCOLS[::-1]]
        rows.append([NAMES[name], figure(heads, "honest"), *own, chosen, seconds])
        lines += verdict(name, "honest", {"signature": heads, "vnestruct": one})
    return "\n".join([table(rows), "", *lines])
