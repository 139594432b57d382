"""In-context learning: a causal language model answers queries after demonstrations, without any training."""
