"""One file per command; a new command is its file and one line in the table."""

COMMANDS = {
    "embed": "Describe every node by the entropies of its ego networks.",
    "features": "Add columns that describe the nodes of a network to a table.",
    "roles": "Find the structural roles of a graph and describe them.",
    "similar": "Show the nodes whose structural role is closest to a node's.",
    "explain": "Explain the role of a node, or what makes two nodes similar.",
    "explore": "Write a web page for exploring the roles of a graph.",
    "classify": "Measure how well graph classes can be predicted.",
    "predict": "Predict the classes of new graphs with a saved classifier.",
    "update": "Update an embedding after edges were added or removed.",
    "watch": "Follow a stream of edges: signatures, roles, change scores.",
    "entropy": "Print the Von Neumann entropy of a whole graph, in nats.",
    "info": "Show what a graph file contains and how long embedding takes.",
    "convert": "Write a graph in another file format.",
    "warmup": "Compile all kernels now, so that no later run waits for it.",
    "demo": "Find the roles of the families of Florence and draw them.",
}
"""Modules of this package, each with a function of its own name, and the first line of that function's docstring.

The program lists them in this order, and imports only the one that runs.
"""
