"""Files, whatever is in them: atomic writing, compression, checks of output paths, the container of saved models."""
