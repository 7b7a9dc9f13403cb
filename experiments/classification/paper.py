"""What the paper reports (its table of graph classification), our targets, and what was tried."""

PAPER_NAME = {
    "MUTAG": "MUTAG",
    "PTC_MR": "PTC-MR",
    "PTC_DGCNN": "PTC-MR",
    "IMDB-BINARY": "IMDB-BINARY",
    "PROTEINS": "PROTEINS",
}
"""The column of the paper that a collection is compared with; it does not say which PTC it used."""

NAMES = {
    "MUTAG": "MUTAG",
    "PTC_MR": "PTC-MR (TU)",
    "PTC_DGCNN": "PTC-MR (DGCNN's)",
    "IMDB-BINARY": "IMDB-BINARY",
    "PROTEINS": "PROTEINS",
    "ENZYMES": "ENZYMES",
    "NCI1": "NCI1",
    "REDDIT-BINARY": "REDDIT-BINARY",
    "DD": "DD",
    "vnestruct": "VNEstruct",
    "gin": "GIN",
    "gcn": "GCN",
    "dgcnn": "DGCNN",
    "gfn": "GFN",
    "capsgnn": "CapsGNN",
    "signature": "signature heads",
    "averaged": "VNEstruct, averaged",
}

PAPER = {
    "dgcnn": {
        "MUTAG": "85.83 ± 1.66",
        "IMDB-BINARY": "70.03 ± 0.86",
        "PTC-MR": "58.62 ± 2.34",
        "PROTEINS": "75.54 ± 0.94",
    },
    "capsgnn": {"MUTAG": "86.67 ± 6.88", "IMDB-BINARY": "73.10 ± 4.83", "PROTEINS": "76.28 ± 3.63"},
    "gin": {
        "MUTAG": "89.40 ± 5.60",
        "IMDB-BINARY": "75.10 ± 5.10",
        "PTC-MR": "64.6 ± 7.03",
        "PROTEINS": "76.20 ± 2.60",
    },
    "gcn": {
        "MUTAG": "87.20 ± 5.11",
        "IMDB-BINARY": "73.30 ± 5.29",
        "PTC-MR": "64.20 ± 4.30",
        "PROTEINS": "75.65 ± 3.24",
    },
    "gfn": {"MUTAG": "90.84 ± 7.22", "IMDB-BINARY": "73.00 ± 4.29", "PROTEINS": "77.44 ± 3.77"},
    "vnestruct": {
        "MUTAG": "91.08 ± 5.65",
        "IMDB-BINARY": "75.40 ± 3.33",
        "PTC-MR": "65.39 ± 8.57",
        "PROTEINS": "77.41 ± 3.47",
    },
}

ACCEPTED = {
    "optimistic": {"MUTAG": 90.0, "PTC_MR": 63.5, "IMDB-BINARY": 74.5, "PROTEINS": 76.0},
    "honest": {"MUTAG": 86.0, "PTC_MR": 57.0, "IMDB-BINARY": 72.0, "PROTEINS": 74.0},
    "signature": {"MUTAG": 87.5, "PTC_MR": 59.0, "IMDB-BINARY": 74.5, "PROTEINS": 76.0},
}
