"""Benchmarks: their builders, their data by name, and one's own dataset as one."""
