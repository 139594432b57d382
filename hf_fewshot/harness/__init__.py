"""Benchmarks in the harnesses of others, with our prompts, our reading of answers and our metrics."""
