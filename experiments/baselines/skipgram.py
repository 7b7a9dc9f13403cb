"""DeepWalk and node2vec: skip-gram, by gensim, over random walks.

Perozzi, Al-Rfou, Skiena: DeepWalk: online learning of social representations. KDD 2014. Grover, Leskovec: node2vec:
scalable feature learning for networks. KDD 2016; with its parameters p = q = 1, for which its walks are uniform, too.
"""

import numpy as np
from numba import njit


def starts(n_nodes, n_walks, rng):
    """Return the start of every walk: several passes over all nodes, each in a fresh random order."""
    nodes = np.arange(n_nodes, dtype=np.int32)
    return np.concatenate([rng.permutation(nodes) for _ in range(n_walks)])


def random_walks(graph, n_walks, length, seed):
    """Return uniform random walks from every node; -1 after the end of a walk that has nowhere to go."""
    rng = np.random.default_rng(seed)
    return _walk(graph.indptr, graph.indices, starts(graph.n_nodes, n_walks, rng), length, rng)


@njit(nogil=True, cache=True)
def _walk(indptr, indices, starts, length, rng):
    walks = np.full((starts.size, length), -1, dtype=np.int32)
    for walk, start in enumerate(starts):
        node = start
        walks[walk, 0] = node
        for step in range(1, length):
            degree = indptr[node + 1] - indptr[node]
            if degree == 0:
                break
            node = indices[indptr[node] + int(rng.random() * degree)]
            walks[walk, step] = node
    return walks


def train(walks, n_nodes, *, seed, epochs=1, negative=0):
    """Learn 128 numbers per node from walks that visit every node, by negative sampling or, without, a softmax tree.

    One worker, since gensim's threads race for the same vectors: the same seed gives the same bits.
    """
    from gensim.models import Word2Vec

    sentences = [walk[walk >= 0].tolist() for walk in walks]
    model = Word2Vec(
        sentences, vector_size=128, window=10, min_count=1, sg=1, hs=int(not negative), negative=negative, sample=0,
        epochs=epochs, workers=1, seed=seed,
    )  # fmt: skip
    rows = [model.wv.key_to_index[node] for node in range(n_nodes)]
    return model.wv.vectors[rows].astype(np.float64)


def deepwalk(graph, *, seed=0, n_walks=80, length=40):
    """Return DeepWalk vectors."""
    return train(random_walks(graph, n_walks, length, seed), graph.n_nodes, seed=seed)


def node2vec(graph, *, seed=0, n_walks=10, length=80):
    """Return node2vec vectors."""
    return train(random_walks(graph, n_walks, length, seed), graph.n_nodes, seed=seed, negative=5)
