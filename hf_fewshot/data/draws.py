"""Draws: options of a benchmark that choose one of several samples of the same thing."""

# Results are summed up over them and the seed.
DRAWS = ("fold", "seed", "test_seed", "draw")
