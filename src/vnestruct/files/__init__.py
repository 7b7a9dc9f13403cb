"""Files of any content: atomic writing, compression, checks of output paths, the container of saved models."""
