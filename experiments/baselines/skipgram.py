"""Skip-gram over random walks, by gensim."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from vnestruct.errors import MissingExtraError, ParameterError

_LONGEST_SENTENCE = 10_000
"""gensim silently cuts longer sentences."""


class _Sentences:
    """Walks as gensim reads them, again in every epoch; -1 ends a walk early."""

    def __init__(self, walks: NDArray[np.int32]) -> None:
        self.walks = walks
        self.lengths = (walks >= 0).sum(axis=1)

    def __iter__(self) -> Iterator[list[int]]:
        for walk, length in zip(self.walks, self.lengths, strict=True):
            yield walk[:length].tolist()


def train(
    walks: NDArray[np.int32],
    n_nodes: int,
    *,
    dimension: int,
    window: int,
    epochs: int,
    hierarchical: bool,
    negative: int,
    seed: int,
) -> NDArray[np.float64]:
    """Learn node vectors by skip-gram from walks that visit every node.

    One worker, since gensim's threads race for the same vectors: the same seed gives the same bits.

    Parameters
    ----------
    walks : ndarray of shape (n_walks, length)
        Node ids; -1 after the end of a walk.
    n_nodes : int
        Number of nodes.
    dimension, window, epochs : int
        Length of the vectors, largest distance of a context, passes over the walks.
    hierarchical : bool
        Train a hierarchical softmax.
    negative : int
        Number of negative samples; 0 trains none.
    seed : int
        Seeds vectors and sampling.

    Returns
    -------
    ndarray of shape (n_nodes, dimension)
        A node that is alone in its walks keeps its random initial vector.
    """
    try:
        from gensim.models import Word2Vec
    except ImportError as error:
        raise MissingExtraError("walk embeddings need gensim: pip install gensim") from error
    if not hierarchical and negative == 0:
        raise ParameterError("negative is 0 without hierarchical softmax, which trains nothing; set either")
    if walks.shape[1] > _LONGEST_SENTENCE:
        raise ParameterError(f"walks have {walks.shape[1]} nodes; gensim reads at most {_LONGEST_SENTENCE}")

    model = Word2Vec(
        _Sentences(walks),
        vector_size=dimension,
        window=window,
        min_count=1,
        sg=1,
        hs=int(hierarchical),
        negative=negative,
        sample=0,
        epochs=epochs,
        workers=1,
        seed=seed,
    )
    rows = [model.wv.key_to_index[node] for node in range(n_nodes)]
    return model.wv.vectors[rows].astype(np.float64)
