"""Options of data for a short run."""

FEWREL = {"n_way": 3, "shots": 1, "n_episodes": 6, "nota_rate": 0.5, "sample": True}
