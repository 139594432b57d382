"""The protocol of CLUES: folds read alone, questions without answers, results beside trivial baselines."""
