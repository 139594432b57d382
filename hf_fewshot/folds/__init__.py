"""The protocol of CLUES: folds read alone, questions without answers, scores beside trivial baselines."""
