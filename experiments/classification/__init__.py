"""Graph classification: sets of node vectors compared with message-passing networks."""
