"""Columns of structure beside a table: what they add to a model, static and at a point in time."""
