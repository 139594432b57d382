"""Labelled data of one's own as benchmarks, one for each task."""
