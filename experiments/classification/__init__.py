"""Graph classification: sets of node vectors against networks that pass messages."""
