"""One folder per metric: an `evaluate` module that is a Space as it stands and imports nothing of ours."""
