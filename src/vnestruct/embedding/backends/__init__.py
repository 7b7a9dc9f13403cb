"""Back ends: who does the work of the pipeline, and where the graph lies meanwhile."""
