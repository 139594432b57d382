"""From a benchmark's data to predictions: what a run can name as its method."""
