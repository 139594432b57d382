"""Examples to token sequences and to vectors, each of them once."""
