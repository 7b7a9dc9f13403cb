"""A gallery of roles: well-known graphs, what their roles are, and the same measures for other methods."""
