"""DRNE: a node's vector is what a recurrent network computes from its neighbours.

Tu, Cui, Wang, Yu, Zhu: Deep recursive network embedding with regular equivalence. KDD 2018.

The vectors X of a node's neighbours, in order of degree, run through a layer-normalised LSTM, whose last
output h should be the node's own vector X_v, and from which a small network should read off the node's
degree:

    loss = mean |X_v - h_v|^2 + mean (ln(d_v + 1) - readout(h_v))^2

The second term excludes the trivial solution of the first, in which all vectors are equal.
"""

import numpy as np
import torch
from torch import nn

DIMENSION, MAX_NEIGHBOURS = 16, 300
BATCH_SIZE, LEARNING_RATE, GRADIENT_LIMIT = 256, 0.0025, 5.0


class LayerNormalisedLSTM(nn.Module):
    """An LSTM whose cell state is centred and rescaled, over its units, after every step.

    With gates i, f, o and candidate g from one affine map of (input, previous output):

        c_t = normalise(sigmoid(f) c_(t-1) + sigmoid(i) tanh(g)),    h_t = sigmoid(o) tanh(c_t)

    Without the normalisation, outputs over long neighbourhoods saturate.
    """

    def __init__(self, dimension):
        super().__init__()
        self.from_input = nn.Linear(dimension, 4 * dimension)
        self.from_output = nn.Linear(dimension, 4 * dimension, bias=False)
        self.normalise = nn.LayerNorm(dimension)

    def step(self, projected, output, cell):
        """Take one step from the projected input; return the next output and cell state."""
        gates = projected + self.from_output(output)
        enter, forget, leave, candidate = gates.chunk(4, dim=1)
        cell = self.normalise(torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate))
        return torch.sigmoid(leave) * torch.tanh(cell), cell

    def forward(self, sequences, lengths):
        """Return the output after the last true element of every sequence.

        Parameters
        ----------
        sequences : Tensor of shape (n_sequences, longest, dimension)
            Longest first; what lies past a sequence's length is not read.
        lengths : Tensor of shape (n_sequences,)
            Descending. An empty sequence gives 0.
        """
        projected = self.from_input(sequences)
        output = sequences.new_zeros(sequences.shape[0], sequences.shape[2])
        cell = output
        finished = []
        for position in range(sequences.shape[1]):
            n_active = int((lengths > position).sum())
            finished.append(output[n_active:])
            output, cell = self.step(projected[:n_active, position], output[:n_active], cell[:n_active])
        return torch.cat([output, *reversed(finished)])


class DegreeSortedNeighbours:
    """Neighbour lists in ascending order of degree; long ones are sampled again on every request."""

    def __init__(self, graph, rng):
        self.degree = graph.degrees.astype(np.int64)
        self.indptr = graph.indptr
        rows = np.repeat(np.arange(graph.n_nodes), self.degree)
        self.indices = graph.indices[np.lexsort((graph.indices, self.degree[graph.indices], rows))]
        self.rng = rng

    def of(self, node):
        """Return the neighbours of one node, sampled in proportion to degree if there are too many."""
        neighbours = self.indices[self.indptr[node] : self.indptr[node + 1]]
        if neighbours.size <= MAX_NEIGHBOURS:
            return neighbours
        weight = self.degree[neighbours] / self.degree[neighbours].sum()
        # Positions keep the order of degree.
        chosen = self.rng.choice(neighbours.size, MAX_NEIGHBOURS, replace=False, p=weight)
        return neighbours[np.sort(chosen)]

    def batch(self, nodes):
        """Return the nodes with the longest list first, their lists padded by 0, and the lists' lengths."""
        nodes = nodes[np.argsort(-self.degree[nodes], kind="stable")]
        lists = [self.of(node) for node in nodes]
        lengths = np.array([neighbours.size for neighbours in lists], dtype=np.int64)
        padded = np.zeros((nodes.size, lengths.max(initial=0)), dtype=np.int64)
        for row, neighbours in zip(padded, lists, strict=True):
            row[: neighbours.size] = neighbours
        return nodes, padded, lengths


class RecursiveNetwork(nn.Module):
    """Node vectors, the recurrent network that should reproduce them, and the readout of degrees."""

    def __init__(self, log_degree):
        super().__init__()
        self.vectors = nn.Embedding(log_degree.numel(), DIMENSION)
        # Nearly equal vectors: differences between nodes must come from the structure, not from the initial values.
        nn.init.uniform_(self.vectors.weight, -0.01, 0.01)
        self.aggregate = LayerNormalisedLSTM(DIMENSION)
        self.readout = nn.Sequential(nn.Linear(DIMENSION, 1), nn.ReLU())
        # A rectifier that starts below 0 for every node would never learn.
        nn.init.constant_(self.readout[0].bias, float(log_degree.mean()))

    def loss(self, nodes, neighbours, lengths, log_degree):
        """Return the mean loss over a batch of nodes."""
        output = self.aggregate(self.vectors(neighbours), lengths)
        recursion = (self.vectors(nodes) - output).square().sum(dim=1).mean()
        regularity = (log_degree[nodes] - self.readout(output).squeeze(1)).square().mean()
        return recursion + regularity


def degree_batches(degree, rng):
    """Split the nodes into batches of similar degree, in random order.

    A batch takes as many recurrent steps as its longest neighbourhood, so one hub among leaves would be
    costly.
    """
    shuffled = rng.permutation(degree.size)
    ascending = shuffled[np.argsort(degree[shuffled], kind="stable")]
    batches = [ascending[start : start + BATCH_SIZE] for start in range(0, degree.size, BATCH_SIZE)]
    rng.shuffle(batches)
    return batches


def drne(graph, *, seed=0, epochs=20, min_steps=1000):
    """Return DRNE vectors; small graphs are trained for more than `epochs`, until there were so many gradient steps."""
    rng = np.random.default_rng(seed)
    neighbours = DegreeSortedNeighbours(graph, rng)
    log_degree = torch.from_numpy(np.log1p(neighbours.degree).astype(np.float32))

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = RecursiveNetwork(log_degree)
    optimiser = torch.optim.Adam(network.parameters(), lr=LEARNING_RATE)
    n_batches = -(-graph.n_nodes // BATCH_SIZE)
    for _ in range(max(epochs, -(-min_steps // n_batches))):
        for nodes in degree_batches(neighbours.degree, rng):
            batch = neighbours.batch(nodes)
            optimiser.zero_grad()
            loss = network.loss(*map(torch.from_numpy, batch), log_degree)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), GRADIENT_LIMIT)
            optimiser.step()
    return network.vectors.weight.detach().numpy().astype(np.float64)
