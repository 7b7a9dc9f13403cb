"""Structural encodings for graph networks: GIN and GPS with six encodings on the published fair splits."""
