"""Few-shot learning for one's own labels: fit, predict, save."""
